import { isFolded } from "../model/folded-ids.ts";
import type { State } from "../model/state.ts";
import { newsOfOwners } from "../pipeline/publish/owner-generation.ts";
import type { PublishSetup, PublishedGeneration } from "../pipeline/publish/publish-setup.ts";
import { refresh } from "../pipeline/publish/refresh.ts";
import { acceptedOf } from "../reports/counting/minute-counts.ts";
import type { PublishFlags } from "../setup/options/options.ts";
import { collectProblems } from "../setup/parse-options.ts";
import { preparePublish } from "../setup/publish-settings.ts";
import type { PublishRequest, Published, ThreadAnswers } from "./publisher.ts";
import { shownCondition } from "../monitors/uptime/record.ts";
import type { UptimeWindow } from "../model/monitor/monitor.ts";
import type { ObjectStore } from "../model/store.ts";
import type { CheckedCondition } from "../monitors/owner-api/owner-record.ts";
import { uptimeOf } from "../monitors/uptime/availability.ts";
import { shardOf } from "../model/monitor/shard.ts";
import { loadShards, recordsIn, withChanges } from "../state/monitor-shards.ts";

/**
 * The website is published with the documents if the last publish was this long ago. In a flood all pages may change with every publish,
 * which would delay reports: then the pages follow once a minute, the time for which caches keep them. Source: docs/website.md, "When a
 * page changes".
 */
const CALM_MS = 4_000;
const SITE_EVERY_MS = 60_000;

/** Publishes, and remembers what the next publish needs. */
export interface PublishTask {
  /** Rejects with what went wrong. */
  readonly publish: (request: PublishRequest) => Promise<Published>;
  /** As of the last publish; undefined before it. */
  readonly conditionOf: (id: string) => Promise<ThreadAnswers["condition"]>;
}

/** Reads its settings with the first publish. */
export function createPublishTask(flags: PublishFlags, emit: PublishSetup["emit"]): PublishTask {
  const written = new Map<string, Uint8Array>();
  const read = createSettings(flags);
  // As if a publish had just ended, so that waiting reports are published before the website.
  let publishedMs = performance.now();
  let siteMs = publishedMs;
  let ownerSequence: number | undefined;
  let last: State | undefined;
  const publish: PublishTask["publish"] = async ({ nowMs, areEditsLater, ...request }) => {
    for (const [id, body] of request.written) written.set(id, body);
    const setup = { ...(await read()), emit, mustCount: true, written };
    const startedMs = performance.now();
    const isSiteLater = startedMs - publishedMs < CALM_MS && startedMs - siteMs < SITE_EVERY_MS;
    const generation = await refresh(setup, nowMs, { isSiteLater, areEditsLater });
    publishedMs = performance.now();
    if (!isSiteLater) siteMs = publishedMs;
    last = generation.state;
    const { folded } = last.reports;
    for (const id of written.keys()) if (isFolded(folded, id)) written.delete(id);
    const published = describe(generation, ownerSequence);
    ownerSequence = last.owners.sequence;
    return { ...published, isSiteBehind: isSiteLater };
  };
  return {
    publish: (request) =>
      publish(request).catch((error: unknown) => {
        // This must not grow while publishing fails; the inbox is read instead.
        written.clear();
        throw error;
      }),
    conditionOf: async (id) => last && readCondition((await read()).stateStore, last, id),
  };
}

/** Read once, and again after a failure. */
function createSettings(flags: PublishFlags): () => Promise<Omit<PublishSetup, "emit">> {
  let reading: Promise<Omit<PublishSetup, "emit">> | undefined;
  // Its warnings are left out: the command has already logged them.
  const read = async (): Promise<Omit<PublishSetup, "emit">> =>
    (await preparePublish(flags, collectProblems())).setup;
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
}

function describe(
  { state, ownership }: PublishedGeneration,
  knownSequence: number | undefined,
): Omit<Published, "isSiteBehind"> {
  const { ledger, folded } = state.reports;
  return {
    accepted: acceptedOf(ledger),
    folded,
    owners: newsOfOwners(ownership, knownSequence),
    isSelfService: state.siteSettings.isSelfService,
  };
}

/**
 * What the checks of a monitor say as of a state; undefined if it was never checked. Reads one shard. Throws `StateError`,
 * `StoreError`.
 */
async function readCondition(
  store: ObjectStore,
  { monitors: { clock, pending } }: State,
  id: string,
): Promise<CheckedCondition | undefined> {
  const { shards } = await loadShards(store, [shardOf(id)]);
  const record = recordsIn(withChanges(shards, pending))(id);
  if (record === undefined) return undefined;
  const { sinceMs, code, warning } = record;
  const state = shownCondition(record);
  const nowMs = Date.now();
  const count = (window: UptimeWindow) => uptimeOf(record, clock, window, nowMs);
  const isWrong = state === "failing" || state === "refused";
  return {
    condition: state,
    sinceMs: state === "unknown" ? null : sinceMs,
    ...(isWrong && code !== undefined ? { code } : {}),
    ...(warning === undefined ? {} : { warning }),
    counts: { "24h": count("24h"), "7d": count("7d"), "30d": count("30d"), "90d": count("90d") },
  };
}
