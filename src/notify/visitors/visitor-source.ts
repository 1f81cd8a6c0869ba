import { indexOutages } from "../../model/service/outage-ids.ts";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Visitor,
  visitorEndMs,
  visitorShardOf,
  type VisitorShard,
} from "../../model/monitor/visitor.ts";
import { groupBy } from "../../model/lists.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { toUnixSeconds } from "../../model/time.ts";
import {
  createVisitorReader,
  editVisitorShard,
  type ReadVisitors,
} from "../../state/visitor-shards.ts";
import { sendPush, tryPush } from "../channels/push.ts";
import { type Outbox, sendBy, type Source } from "../deliver.ts";
import type { Ledger } from "../ledger.ts";
import type { Message, SendResult } from "../rules/change.ts";
import { type RenderContext, renderMessage } from "../services/render-message.ts";
import { newsOfServices } from "../services/service-source.ts";
import { type NoticeDependencies, sendingOf, type StateAudience } from "../state-audience.ts";
import { createTrials, oneAtATime } from "./visitor-trials.ts";
import { nameService } from "../../site/words/catalogue.ts";

/** Messages at once: most of the time is spent waiting for the services of browsers, which take many. */
const CONCURRENCY = 256;

/** A service can have thousands of browsers, whose ledger is written as a whole. */
const SPACING_MS = 500;

/** A notice shows a few lines; the encrypted message has at most 4,096 bytes (RFC 8030, section 7.2), and a letter at most 4. */
const MAX_CHARACTERS = 300;

export interface VisitorAudience extends StateAudience {
  readonly services: ReadonlyMap<string, Service>;
  readonly warn: (sentence: string) => void;
}

/** Browsers of visitors, and what they are told of services. Subscriptions are read only when there may be something to tell. */
export function createVisitorSource(audience: VisitorAudience): Source {
  const { stateStore, readState, services, wallMs, stop, emit, warn } = audience;
  const readVisitors = createVisitorReader(stateStore);
  const onGone = (count: number): void => emit({ event: "subscriptions-ended", count });
  const end = async (ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await remove(stateStore, ids);
    onGone(ids.length);
  };
  const look = createTrials({
    stateStore,
    readVisitors,
    onGone,
    prepare: async () => {
      const sending = sendingOf(await readState(), audience);
      return (visitor) => tryPush(visitor, sending.keys, sending);
    },
    wallMs,
    signal: stop,
  });
  // Beside the messages, because what a stranger made up may answer slowly.
  const trials = oneAtATime(look, warn);
  let hasFailed = false;
  return {
    ledgerKey: "visitors.json.gz",
    settle: trials.settle,
    read: async (ledger) => {
      const nowMs = wallMs();
      hasFailed = false;
      trials.start();
      const state = await readState();
      const visitors = await readIfNeeded(readVisitors, state, ledger);
      const outbox = toVisitorOutbox(state, visitors, nowMs, {
        ...sendingOf(state, audience),
        nameOf: (slug, language) => {
          const service = services.get(slug);
          return service === undefined ? slug : nameService(service, language);
        },
      });
      await end(visitors.filter((one) => visitorEndMs(one) <= nowMs).map(({ id }) => id));
      return outbox;
    },
    stopChannel: (id) => end([id]),
    onFailed: (_, reason, tries) => {
      if (!hasFailed) emit({ event: "push-failed", reason, tries });
      hasFailed = true;
    },
    concurrency: CONCURRENCY,
    spacingMs: SPACING_MS,
  };
}

/** The subscriptions, if a change is new or an earlier one waits. */
async function readIfNeeded(
  readVisitors: ReadVisitors,
  { verdicts }: State,
  { cursor, channels }: Ledger,
): Promise<readonly Visitor[]> {
  const isWaiting = [...channels.values()].some(({ waiting }) => waiting.length > 0);
  if (cursor === verdicts.next && !isWaiting) return [];
  const shards = await readVisitors();
  return [...shards.values()].flatMap((shard) => [...shard.values()]);
}

/** Erases subscriptions. Throws `StateError`, `StoreError`. */
async function remove(store: ObjectStore, ids: readonly string[]): Promise<void> {
  for (const number of new Set(ids.map(visitorShardOf))) {
    const without = (shard: VisitorShard): VisitorShard => {
      const kept = [...shard].filter(([id]) => !ids.includes(id));
      return kept.length === shard.size ? shard : new Map(kept);
    };
    await editVisitorShard(store, number, without, (ms) => delay(ms));
  }
}

interface VisitorSending extends NoticeDependencies {
  readonly nameOf: (slug: string, language: Visitor["language"]) => string;
}

/** The verdicts of a state as an outbox, for browsers by their id. */
export function toVisitorOutbox(
  { verdicts, history, accuracy }: Pick<State, "verdicts" | "history" | "accuracy">,
  visitors: readonly Visitor[],
  nowMs: number,
  sending: VisitorSending,
): Outbox {
  const { next, codes } = verdicts;
  const current = visitors.filter((visitor) => visitorEndMs(visitor) > nowMs);
  const known = new Map(current.map((visitor) => [visitor.id, visitor]));
  const follows = current.flatMap(({ id, services }) => services.map((slug) => ({ id, slug })));
  const followers = groupBy(follows, ({ slug }) => slug);
  const { ofChange } = indexOutages(accuracy);
  const changes = verdicts.changes.map((one) => ({
    ...one,
    id: `${one.slug}.${toUnixSeconds(one.atMs)}.${one.code}`,
  }));
  // A change is told to thousands of browsers.
  const byTime = new Map(changes.map((one) => [`${one.slug} ${one.atMs}`, one]));
  const changeOf: RenderContext["changeOf"] = (slug, atMs) => {
    const change = byTime.get(`${slug} ${atMs}`);
    return change && { ...change, outage: ofChange(slug, atMs) };
  };
  const updatedMs = history.updatedAtMs ?? 0;
  return {
    ...newsOfServices({ next, changes, updatedMs, codeOf: (slug) => codes.get(slug) }, nowMs),
    channelsFor: ({ subject }) => followers.get(subject)?.map(({ id }) => id) ?? [],
    subjectsOf: (id) => known.get(id)?.services.length,
    send: sendBy(known, (visitor, message) =>
      sendToVisitor(visitor, message, { ...sending, changeOf }),
    ),
  };
}

/** Without what its visitor does not follow any more; a message without anything else counts as delivered. Never rejects. */
async function sendToVisitor(
  visitor: Visitor,
  message: Message,
  sending: VisitorSending & Pick<RenderContext, "changeOf">,
): Promise<SendResult> {
  const { language, services } = visitor;
  const notices = message.notices.filter(({ subject }) => services.includes(subject));
  const [first] = notices;
  if (first === undefined) return { kind: "delivered" };
  const { baseUrl, keys, changeOf } = sending;
  const nameOf = (slug: string): string => sending.nameOf(slug, language);
  const context = { baseUrl, language, nameOf, changeOf };
  const { text, url } = renderMessage({ ...message, notices }, context, MAX_CHARACTERS);
  const tag = message.kind === "digest" ? "services" : `service.${first.subject}`;
  return sendPush(
    visitor,
    { title: text.title, body: text.lines.join("\n"), tag, url },
    keys,
    sending,
  );
}
