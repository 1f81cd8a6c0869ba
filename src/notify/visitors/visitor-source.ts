import { indexOutages } from "../../model/service/outage-ids.ts";
import { setTimeout as delay } from "node:timers/promises";
import {
  MAX_IN_SHARD,
  type Visitor,
  VISITOR_SHARDS,
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
import type { Source } from "../deliver.ts";
import { type Outbox, sendBy } from "../outbox.ts";
import type { Ledger, LedgerKeys } from "../ledger.ts";
import type { Message, SendResult } from "../rules/change.ts";
import { type RenderContext, renderMessage } from "../services/render-message.ts";
import { newsOfServices } from "../services/service-source.ts";
import { type NoticeDependencies, sendingOf, type StateAudience } from "../state-audience.ts";
import { createTrials, oneAtATime } from "./visitor-trials.ts";
import { nameService } from "../../site/words/catalogue.ts";

/** Messages at once: most of the time is spent waiting for the services of browsers, which take many. */
const CONCURRENCY = 256;

/** A service can have thousands of browsers in a ledger, which is written as a whole. */
const SPACING_MS = 500;

/** The ledgers: one for the browsers of each object of subscriptions. To write 800 takes 20 ms, to write all would take seconds. */
const LEDGER_KEYS: LedgerKeys = [
  "visitors.json.gz",
  ...Array.from(
    { length: VISITOR_SHARDS - 1 },
    (_, at) => `visitors-${(at + 1).toString(16).padStart(2, "0")}.json.gz`,
  ),
];

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
      const { push, contact } = sendingOf(await readState(), audience);
      return (visitor) => push.try(visitor, contact);
    },
    wallMs,
    stop,
  });
  // Beside the messages, because what a stranger made up may answer slowly.
  const trials = oneAtATime(look, warn);
  let hasFailed = false;
  return {
    ledgerKeys: LEDGER_KEYS,
    settle: trials.settle,
    read: async (ledgers) => {
      const nowMs = wallMs();
      hasFailed = false;
      trials.start();
      const state = await readState();
      const visitors = await readIfNeeded(readVisitors, state, ledgers);
      const outboxes = toVisitorOutboxes(state, visitors, nowMs, {
        ...sendingOf(state, audience),
        nameOf: namesIn(services),
      });
      await end(visitors.filter((one) => visitorEndMs(one) <= nowMs).map(({ id }) => id));
      return outboxes;
    },
    stopChannels: end,
    onFailed: (_, reason, tries) => {
      if (!hasFailed) emit({ event: "push-failed", reason, tries });
      hasFailed = true;
    },
    concurrency: CONCURRENCY,
    // All of a ledger: their number is small, and a write of them takes as long as one of a few.
    unrecorded: MAX_IN_SHARD,
    spacingMs: SPACING_MS,
  };
}

function namesIn(services: VisitorAudience["services"]): VisitorSending["nameOf"] {
  return (slug, language) => {
    const service = services.get(slug);
    return service === undefined ? slug : nameService(service, language);
  };
}

/** The subscriptions, if a change is new or an earlier one waits. */
async function readIfNeeded(
  readVisitors: ReadVisitors,
  { verdicts }: State,
  ledgers: readonly [Ledger, ...Ledger[]],
): Promise<readonly Visitor[]> {
  const isWaiting = ledgers.some(({ channels }) =>
    [...channels.values()].some(({ waiting }) => waiting.length > 0),
  );
  return ledgers[0].cursor === verdicts.next && !isWaiting ? [] : readVisitors();
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

/** The verdicts of a state as an outbox for the browsers of each ledger, by their id. */
export function toVisitorOutboxes(
  { verdicts, history, accuracy }: Pick<State, "verdicts" | "history" | "accuracy">,
  visitors: readonly Visitor[],
  nowMs: number,
  sending: VisitorSending,
): readonly [Outbox, ...Outbox[]] {
  const { next, codes } = verdicts;
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
  const news = newsOfServices(
    { next, changes, updatedMs, codeOf: (slug) => codes.get(slug) },
    nowMs,
  );
  const current = visitors.filter((visitor) => visitorEndMs(visitor) > nowMs);
  const byLedger = groupBy(current, ({ id }) => visitorShardOf(id));
  const toOutbox = (own: readonly Visitor[] = []): Outbox => {
    const known = new Map(own.map((visitor) => [visitor.id, visitor]));
    const follows = own.flatMap(({ id, services }) => services.map((slug) => ({ id, slug })));
    const followers = groupBy(follows, ({ slug }) => slug);
    return {
      ...news,
      channelsFor: ({ subject }) => followers.get(subject)?.map(({ id }) => id) ?? [],
      subjectsOf: (id) => known.get(id)?.services.length,
      send: sendBy(known, (visitor, message) =>
        sendToVisitor(visitor, message, { ...sending, changeOf }),
      ),
    };
  };
  const others = LEDGER_KEYS.slice(1).map((_, at) => toOutbox(byLedger.get(at + 1)));
  return [toOutbox(byLedger.get(0)), ...others];
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
  const { baseUrl, push, contact, changeOf } = sending;
  const nameOf = (slug: string): string => sending.nameOf(slug, language);
  const context = { baseUrl, language, nameOf, changeOf };
  const { text, url } = renderMessage({ ...message, notices }, context, MAX_CHARACTERS);
  const tag = message.kind === "digest" ? "services" : `service.${first.subject}`;
  return push.send(visitor, { title: text.title, body: text.lines.join("\n"), tag, url }, contact);
}
