import { type Consumer, jetstream, type JetStreamClient, type JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { messageOf } from "../model/errors.ts";
import { SECOND_MS } from "../model/time.ts";
import type { CheckCrew } from "../monitors/checks/check-crew.ts";
import { packResults, unpackWork } from "./batches.ts";
import {
  batchIdOf,
  batchIn,
  type BatchName,
  consumerOf,
  resultSubjectOf,
  SLOT_ENDS,
  WORK_STREAM,
} from "./names.ts";
import { SIGN_OF_LIFE_MS } from "./streams.ts";

/** A batch that meets an offline worker goes to another one, or waits for so long. */
const OFFLINE_PAUSE_MS = 10 * SECOND_MS;

/** How long a request for work waits at the server. */
const PULL_MS = 5 * SECOND_MS;

/** Between two looks whether the crew has room. */
const FULL_PAUSE_MS = 100;

/** While the server or the consumer is not there yet. */
const AWAY_PAUSE_MS = 2 * SECOND_MS;

/** Batches under way at once: some wait for minutes for their confirmations. */
const MAX_UNDER_WAY = 256;

export type BatchEnd =
  | { readonly kind: "answered"; readonly targets: number; readonly failing: number }
  /** Not ours, or broken: it is not delivered again. */
  | { readonly kind: "refused" }
  /** This machine has no connection: the batch is delivered again. */
  | { readonly kind: "returned"; readonly reason: string };

export interface ServeDependencies {
  readonly connection: NatsConnection;
  readonly vantage: string;
  readonly crew: CheckCrew;
  readonly online: ReturnType<typeof createOnlineCheck>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onEnd: (end: BatchEnd, name: BatchName | undefined, isRedelivered: boolean) => void;
  readonly onWarning: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Checks batches until the signal is aborted; what is under way then goes back. Rejects only with a defect. */
export async function serveBatches(deps: ServeDependencies): Promise<void> {
  const { connection, signal, sleep } = deps;
  const client = jetstream(connection);
  const endOf = listenForEnds(connection);
  const underWay = new Set<Promise<void>>();
  let failure = "";
  let consumer: Consumer | undefined;
  while (!signal.aborted) {
    if (!deps.crew.isHungry() || underWay.size >= MAX_UNDER_WAY) {
      await sleep(FULL_PAUSE_MS, signal);
      continue;
    }
    try {
      // The publisher makes it, with its first run.
      consumer ??= await client.consumers.get(WORK_STREAM, consumerOf(deps.vantage));
      const message = await consumer.next({ expires: PULL_MS });
      failure = "";
      if (message === null) continue;
      const work = handle(message, client, endOf, deps).finally(() => underWay.delete(work));
      underWay.add(work);
    } catch (error) {
      const message = messageOf(error);
      if (message !== failure) deps.onWarning(`The engine gives no work: ${message}.`);
      failure = message;
      consumer = undefined;
      await sleep(AWAY_PAUSE_MS, signal);
    }
  }
  await Promise.all(underWay);
}

/** A publisher says when it waits no longer, because clocks of workers may be wrong. Of a batch: the signal, and how to forget it. */
function listenForEnds(connection: NatsConnection) {
  const open = new Map<string, { controller: AbortController; users: number }>();
  connection.subscribe(SLOT_ENDS, {
    callback: (_, { subject }) => {
      const key = subject.slice("slot-end.".length);
      open.get(key)?.controller.abort("deadline");
      open.delete(key);
    },
  });
  return ({ cell, slot }: BatchName) => {
    const key = `${cell}.${slot}`;
    const known = open.get(key) ?? { controller: new AbortController(), users: 0 };
    known.users += 1;
    open.set(key, known);
    const forget = (): void => {
      known.users -= 1;
      if (known.users === 0 && open.get(key) === known) open.delete(key);
    };
    return { signal: known.controller.signal, forget };
  };
}

async function handle(
  message: JsMsg,
  client: JetStreamClient,
  endOf: ReturnType<typeof listenForEnds>,
  deps: ServeDependencies,
): Promise<void> {
  const name = batchIn(message.subject);
  const work = name?.vantage === deps.vantage ? unpackWork(message.data) : undefined;
  const tell = (end: BatchEnd): void => deps.onEnd(end, name, message.redelivered);
  if (name === undefined || work === undefined) {
    message.term("not a batch of this vantage");
    return tell({ kind: "refused" });
  }
  const giveBack = (reason: string): void => {
    message.nak(OFFLINE_PAUSE_MS);
    tell({ kind: "returned", reason });
  };
  const alive = setInterval(() => message.working(), SIGN_OF_LIFE_MS);
  const slotEnd = endOf(name);
  const startedMs = performance.now();
  try {
    if (!(await deps.online.recent())) return giveBack("offline");
    const signal = AbortSignal.any([deps.signal, slotEnd.signal]);
    const results = await deps.crew.check(work.targets, signal);
    if (deps.signal.aborted) return giveBack("stopped");
    // Sites that work prove that this machine is online; new failures do not.
    const isDoubtful = work.targets.some(
      ({ id, lastState }) => lastState !== "failing" && results.get(id)?.kind === "failing",
    );
    if (isDoubtful && !slotEnd.signal.aborted && !(await deps.online.fresh()))
      return giveBack("offline");
    const checkMs = Math.round(performance.now() - startedMs);
    const bytes = packResults(work, results, { delivery: message.info.deliveryCount, checkMs });
    // First the answer, then the end of the lease: a crash in between repeats the batch, and loses nothing.
    await client.publish(resultSubjectOf(name), bytes, { msgID: batchIdOf(name) });
    message.ack();
    const failing = [...results.values()].filter(({ kind }) => kind === "failing").length;
    tell({ kind: "answered", targets: work.targets.length, failing });
  } catch (error) {
    giveBack(messageOf(error));
  } finally {
    clearInterval(alive);
    slotEnd.forget();
  }
}

/** Between two rounds of anchors: a worker ends several batches a second, and must not load the anchors. */
const EVERY_MS = 5 * SECOND_MS;

export interface OnlineCheckDependencies {
  /** Asks the anchors. Never rejects. */
  readonly ask: () => Promise<boolean>;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Whether this machine is online: asks the anchors for all batches together, at most once in five seconds. */
export function createOnlineCheck({ ask, now, sleep }: OnlineCheckDependencies) {
  let known: { readonly sinceMs: number; readonly isOnline: Promise<boolean> } | undefined;
  let next: Promise<boolean> | undefined;
  const begin = (): Promise<boolean> => {
    known = { sinceMs: now(), isOnline: ask() };
    return known.isOnline;
  };
  const beginLater = async (): Promise<boolean> => {
    await sleep(Math.max(0, (known?.sinceMs ?? 0) + EVERY_MS - now()));
    next = undefined;
    return begin();
  };
  return {
    /** As of some seconds ago. */
    recent: () =>
      known !== undefined && now() - known.sinceMs <= EVERY_MS ? known.isOnline : begin(),
    /** By a round that begins after the call. */
    fresh: (): Promise<boolean> => {
      next ??= beginLater();
      return next;
    },
  };
}
