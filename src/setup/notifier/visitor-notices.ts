import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../../model/service/catalogue.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import {
  type Visitor,
  visitorEndMs,
  visitorShardOf,
  type VisitorShard,
} from "../../model/monitor/visitor.ts";
import type { Source } from "../../notify/deliver.ts";
import type { Ledger } from "../../notify/ledger.ts";
import { toVisitorOutbox } from "../../notify/visitors/visitor-outbox.ts";
import {
  createVisitorReader,
  editVisitorShard,
  type ReadVisitors,
} from "../../state/visitor-shards.ts";
import { nameService } from "../../site/words/catalogue.ts";
import type { AskDependencies } from "../../notify/channels/ask.ts";
import { type PushKeys, tryPush } from "../../notify/channels/push.ts";
import { isExpectedFailure } from "../errors.ts";
import { createTrials, type VisitorTrialDependencies } from "./visitor-trials.ts";
import type { Log } from "../log.ts";
import type { Io } from "../io.ts";
import type { OwnerNotices } from "./owner-notices.ts";
import { contactOf, type ReadState, websiteUrlOf } from "./state-reader.ts";

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
): Source {
  const { stateStore } = notices;
  const readVisitors = createVisitorReader(stateStore);
  const onGone = (count: number): void => log.emit({ event: "subscriptions-ended", count });
  const end = async (ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await remove(stateStore, ids);
    onGone(ids.length);
  };
  const trials = openTrials({ notices, readState, readVisitors, io, log, onGone });
  let hasFailed = false;
  return {
    ledgerKey: "visitors.json.gz",
    settle: trials.settle,
    read: async (ledger) => {
      const nowMs = io.wallMs();
      hasFailed = false;
      trials.start();
      const state = await readState();
      const visitors = await readIfNeeded(readVisitors, state, ledger);
      const [keys, deps] = pushSettings(state, notices, io);
      const outbox = toVisitorOutbox(state, visitors, nowMs, {
        ...deps,
        keys,
        baseUrl: websiteUrlOf(state) ?? "",
        nameOf: (slug, language) => nameOf(notices.services.get(slug), slug, language),
      });
      await end(visitors.filter((one) => visitorEndMs(one) <= nowMs).map(({ id }) => id));
      return outbox;
    },
    stopChannel: (id) => end([id]),
    onFailed: (_, reason, tries) => {
      if (!hasFailed) log.emit({ event: "push-failed", reason, tries });
      hasFailed = true;
    },
    concurrency: CONCURRENCY,
    spacingMs: SPACING_MS,
  };
}

interface TrialParts extends Pick<VisitorTrialDependencies, "readVisitors" | "onGone"> {
  readonly notices: VisitorNotices;
  readonly readState: ReadState;
  readonly io: Io;
  readonly log: Log;
}

/** Looks for new subscriptions, beside the messages, because what a stranger made up may answer slowly. */
function openTrials({ notices, readState, io, log, ...rest }: TrialParts): Background {
  const look = createTrials({
    ...rest,
    stateStore: notices.stateStore,
    prepare: async () => {
      const settings = pushSettings(await readState(), notices, io);
      return (visitor) => tryPush(visitor, ...settings);
    },
    wallMs: io.wallMs,
    signal: io.stop,
  });
  return oneAtATime(look, (message) => log.warn(message));
}

function pushSettings(
  state: State,
  { keys, probe }: VisitorNotices,
  io: Io,
): readonly [PushKeys, AskDependencies] {
  return [
    { ...keys, contact: contactOf(state) },
    { probe, signal: io.stop },
  ];
}

/** Begins what is not running already, and waits for it. Its failure is told once. */
interface Background {
  readonly start: () => void;
  readonly settle: () => Promise<void>;
}

function oneAtATime(work: () => Promise<void>, warn: (message: string) => void): Background {
  let running: Promise<void> | undefined;
  let told = "";
  const attempt = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isExpectedFailure(error)) throw error;
      if (error.message !== told) warn(error.message);
      told = error.message;
    }
    running = undefined;
  };
  return {
    start: () => {
      running ??= attempt();
    },
    settle: async () => running,
  };
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
