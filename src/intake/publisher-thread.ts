import { parentPort, workerData } from "node:worker_threads";
import { isFolded } from "../model/folded-ids.ts";
import type { Emit } from "../model/run-event.ts";
import type { State } from "../model/state.ts";
import { newsOfOwners } from "../pipeline/publish/owner-generation.ts";
import type { PublishSetup } from "../pipeline/publish/publish-setup.ts";
import { refresh } from "../pipeline/publish/refresh.ts";
import type { PublishFlags } from "../setup/options/options.ts";
import { collectProblems } from "../setup/parse-options.ts";
import { preparePublish } from "../setup/publish-settings.ts";
import type { Published, PublishRequest, ThreadRequest } from "./publisher.ts";
import { answerCalls } from "./thread-calls.ts";
import { shownCondition } from "../monitors/uptime/record.ts";
import type { ObjectStore } from "../model/store.ts";
import type { CheckedCondition } from "../monitors/owner-api/owner-responses.ts";
import { uptimesOf } from "../monitors/uptime/availability.ts";
import { shardOf } from "../model/monitor/shard.ts";
import { loadShards, recordsIn, UPTIMES, withJournal } from "../state/shards.ts";
import { acceptedOf } from "../reports/counting/pending-counts.ts";

/**
 * The website is published with the documents if the last publish was this long ago. In a flood all pages may change with every publish,
 * which would delay reports: then the pages follow once a minute, the time for which caches keep them. Source: docs/website.md, "When a
 * page changes".
 */
const CALM_MS = 4_000;
const SITE_EVERY_MS = 60_000;

/** Publishes, and remembers what the next publish needs. Reads its settings with the first publish. `now`: a monotonic clock. */
export function createPublishTask(flags: PublishFlags, emit: Emit, now: () => number) {
  const written = new Map<string, Uint8Array>();
  const read = createSettings(flags);
  // As if a publish had just ended, so that waiting reports are published before the website.
  let publishedMs = now();
  let siteMs = publishedMs;
  let ownerSequence: number | undefined;
  let last: State | undefined;
  const publish = async (request: PublishRequest): Promise<Published> => {
    for (const [id, body] of request.written) written.set(id, body);
    const setup = { ...(await read()), emit, mustCount: true, written };
    const startedMs = now();
    const isSiteLater = startedMs - publishedMs < CALM_MS && startedMs - siteMs < SITE_EVERY_MS;
    const { nowMs, areEditsLater } = request;
    const { state, ownership } = await refresh(setup, nowMs, { isSiteLater, areEditsLater });
    publishedMs = now();
    if (!isSiteLater) siteMs = publishedMs;
    last = state;
    const { ledger, folded } = state.reports;
    for (const id of written.keys()) if (isFolded(folded, id)) written.delete(id);
    const owners = newsOfOwners(ownership, ownerSequence);
    ownerSequence = state.owners.sequence;
    return {
      accepted: acceptedOf(ledger),
      folded,
      owners,
      isSelfService: state.siteSettings.isSelfService,
      isSiteBehind: isSiteLater,
    };
  };
  return {
    /** Rejects with what went wrong. */
    publish: (request: PublishRequest) =>
      publish(request).catch((error: unknown) => {
        // This must not grow while publishing fails; the inbox is read instead.
        written.clear();
        throw error;
      }),
    /** As of the last publish; undefined before it. */
    conditionOf: async (id: string): Promise<CheckedCondition | undefined> =>
      last && readCondition((await read()).stateStore, last, id),
  };
}

/** Read once, and again after a failure. */
function createSettings(flags: PublishFlags): () => Promise<Omit<PublishSetup, "emit">> {
  let reading: ReturnType<typeof preparePublish> | undefined;
  return async () => {
    reading ??= preparePublish(flags, collectProblems()).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    // Its warnings are left out: the command has already logged them.
    return (await reading).setup;
  };
}

/** What the checks of a monitor say as of a state; undefined before the first. Throws `StateError`, `StoreError`. */
async function readCondition(
  store: ObjectStore,
  { monitors: { clock, pending } }: State,
  id: string,
): Promise<CheckedCondition | undefined> {
  const { shards } = await loadShards(UPTIMES, store, [shardOf(id)]);
  const record = recordsIn(withJournal(UPTIMES, shards, pending))(id);
  if (record === undefined) return undefined;
  return { ...shownCondition(record), counts: uptimesOf(record, clock, Date.now()) };
}

// `createPublisher` passes the options of the command.
const flags: PublishFlags = workerData;
let task: ReturnType<typeof createPublishTask> | undefined;
if (parentPort !== null)
  answerCalls(parentPort, (call, send) => {
    // Its calls are those of `createPublisher`.
    const request = call as ThreadRequest;
    const emit: Emit = (event) => send({ kind: "event", event });
    task ??= createPublishTask(flags, emit, () => performance.now());
    return request.kind === "publish" ? task.publish(request) : task.conditionOf(request.id);
  });
