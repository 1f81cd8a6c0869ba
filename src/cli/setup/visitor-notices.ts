import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../../model/catalogue.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import {
  type Visitor,
  visitorEndMs,
  visitorShardOf,
  type VisitorShard,
} from "../../model/visitor.ts";
import { deliver } from "../../notify/deliver.ts";
import type { Ledger } from "../../notify/ledger.ts";
import type { Message, SendResult } from "../../notify/rules/change.ts";
import { sendToVisitor } from "../../notify/visitors/send-to-visitor.ts";
import { toVisitorSource, type VisitorSource } from "../../notify/visitors/visitor-source.ts";
import {
  createVisitorReader,
  editVisitorShard,
  type ReadVisitors,
} from "../../state/visitor-shards.ts";
import { nameService } from "../../site/words/service-name.ts";
import type { Log } from "../log/log.ts";
import type { Io } from "../options/io.ts";
import type { NotifySource } from "./notify-cycle.ts";
import type { OwnerNotices } from "./owner-notices.ts";
import { contactOf, type ReadState } from "./state-reader.ts";

/** Messages at once: most of the time is spent waiting for the services of browsers, which take many. */
const CONCURRENCY = 256;

/** A service can have thousands of browsers, whose ledger is written as a whole. */
const SPACING_MS = 500;

/** What visitors are told with. */
export interface VisitorNotices extends OwnerNotices {
  /** By slug: names. */
  readonly services: ReadonlyMap<string, Service>;
}

/** Browsers of visitors, and what they are told of services. Subscriptions are read only when there may be something to tell. */
export function createVisitorNotices(
  notices: VisitorNotices,
  readState: ReadState,
  io: Io,
  log: Log,
): NotifySource {
  const { stateStore } = notices;
  const readVisitors = createVisitorReader(stateStore);
  // Each message under way listens to it.
  setMaxListeners(0, io.stop);
  const end = async (ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await remove(stateStore, ids);
    log.emit({ event: "subscriptions-ended", count: ids.length });
  };
  return {
    ledgerKey: "visitors.json.gz",
    deliver: (turn) => {
      let known: Known | undefined;
      let hasFailed = false;
      return deliver({
        ...turn,
        readSource: async (ledger) => {
          const nowMs = io.wallMs();
          const state = await readState();
          const visitors = await readIfNeeded(readVisitors, state, ledger);
          known = { state, source: toVisitorSource(state, visitors, nowMs) };
          await end(visitors.filter((one) => visitorEndMs(one) <= nowMs).map(({ id }) => id));
          return known.source;
        },
        send: (id, message) => send(id, message, known, notices, io),
        stopChannel: (id) => end([id]),
        onFailed: (_, reason, tries) => {
          if (!hasFailed) log.emit({ event: "push-failed", reason, tries });
          hasFailed = true;
        },
        wallMs: io.wallMs,
        signal: io.stop,
        concurrency: CONCURRENCY,
        spacingMs: SPACING_MS,
      });
    },
  };
}

/** What a cycle has read. */
interface Known {
  readonly state: State;
  readonly source: VisitorSource;
}

async function send(
  id: string,
  message: Message,
  known: Known | undefined,
  { keys, probe, services }: VisitorNotices,
  io: Io,
): Promise<SendResult> {
  const visitor = known?.source.visitors.get(id);
  if (known === undefined || visitor === undefined)
    return { kind: "failed", reason: "no such subscription" };
  return sendToVisitor(visitor, message, {
    probe,
    signal: io.stop,
    keys: { ...keys, contact: contactOf(known.state) },
    baseUrl: known.state.baseUrl?.replace(/\/+$/u, "") ?? "",
    nameOf: (slug, language) => nameOf(services.get(slug), slug, language),
  });
}

function nameOf(service: Service | undefined, slug: string, language: Visitor["language"]): string {
  return service === undefined ? slug : nameService(service, language);
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
