import pLimit from "p-limit";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import type { Ledger, LedgerFile } from "./ledger.ts";
import { type Book, LEASE_MS, openBook } from "./book.ts";
import type { Change, Message, SendResult } from "./rules/change.ts";
import {
  type ChannelLedger,
  enqueue,
  NEW_CHANNEL,
  noteDelivered,
  noteFailed,
  noteOffered,
  QUIET_MS,
  skipChanges,
} from "./rules/channel-ledger.ts";
import { type Plan, type PlanContext, planMessage } from "./rules/plan-message.ts";

/** The outbox, and who wants to hear of it. */
export interface Source {
  /** Number of the next change. */
  readonly next: number;
  /** With numbers below `next`, without gaps. */
  readonly changes: readonly Change[];
  readonly lastRunMs: number;
  /** Keys of the channels that a change is for. */
  readonly channelsFor: (change: Change) => readonly string[];
  /** Number of subjects that a channel can hear of; undefined: there is no such channel. */
  readonly subjectsOf: (channel: string) => number | undefined;
  /** As in `PlanContext`. */
  readonly stateNow?: PlanContext["stateNow"];
  /** Channels whose messages can be changed. */
  readonly mayEdit?: (channel: string) => boolean;
  /** Channels come and go unseen, so a change is only for those that are there when it is taken: that is written down even if there are none. */
  readonly isOpen?: boolean;
  /** Nothing is sent: what is known is too old. */
  readonly isPaused?: boolean;
}

export interface DeliveryDependencies {
  readonly ledger: LedgerFile;
  /** Random name of this process. */
  readonly holder: string;
  /** As of a ledger. */
  readonly readSource: (ledger: Ledger) => Promise<Source>;
  /** Never rejects, and ends within seconds. */
  readonly send: (channel: string, message: Message) => Promise<SendResult>;
  /** A channel whose receiver is gone, or refuses for days. Throws `StoreError`. Absent: no channel is ever given up. */
  readonly stopChannel?: (channel: string) => Promise<void>;
  readonly onFailed: (channel: string, reason: string, tries: number) => void;
  readonly wallMs: () => number;
  readonly signal: AbortSignal;
  /** Messages at once. */
  readonly concurrency: number;
  /** As in `openBook`. */
  readonly spacingMs?: number;
}

/** What one cycle has done. */
export interface Delivery {
  readonly delivered: number;
  readonly failed: number;
  /** Channels with changes that wait, or with a retry ahead. */
  readonly open: number;
  /** Changes that left the outbox before this notifier saw them. */
  readonly missed: number;
}

/** A cycle starts no message after so long, so that new changes are seen. */
const CYCLE_MS = 45 * SECOND_MS;

/** A receiver that refuses for so long is given up. */
const GIVE_UP_MS = 5 * DAY_MS;

/**
 * One cycle: takes new changes from the outbox, sends what is due, and writes down what has arrived. `busy`: another notifier is
 * sending. After a crash, messages may be repeated that were under way, with the same ids. Throws `LedgerError`, `StoreError`, and
 * what the source throws.
 */
export async function deliver(deps: DeliveryDependencies): Promise<Delivery | "busy"> {
  const { ledger, holder, wallMs } = deps;
  const before = ledger.current();
  const { lease } = before;
  if (lease !== undefined && lease.holder !== holder && lease.untilMs > wallMs()) return "busy";
  const source = await deps.readSource(before);
  const { taken, missed } = takeChanges(before, source, wallMs());
  const counts = { delivered: 0, failed: 0 };
  const due = byUrgency(taken.channels).filter(
    ([channel, one]) =>
      source.isPaused !== true && isDue(one, contextOf(channel, source, wallMs())),
  );
  // What was taken stays in the outbox for days: it is written down with the next message.
  const isNew = source.isOpen === true && before.cursor !== source.next;
  const isIdle = due.length === 0 && before.cursor !== undefined && !isNew;
  if (isIdle) return { ...counts, missed, open: taken.channels.size };
  const book = openBook(taken, deps);
  for (const [channel] of due) offer(channel, source, book, wallMs());
  if (!(await book.save(LEASE_MS))) return "busy";
  const limit = pLimit(deps.concurrency);
  const endMs = wallMs() + CYCLE_MS;
  const mayGoOn = (): boolean => !deps.signal.aborted && wallMs() < endMs && book.isHeld();
  await Promise.all(
    due.map(([channel]) => limit(() => serveChannel(channel, source, book, mayGoOn, counts, deps))),
  );
  await book.save(0);
  return { ...counts, missed, open: book.channels().size };
}

function contextOf(channel: string, source: Source, nowMs: number): PlanContext {
  const { lastRunMs, stateNow } = source;
  return {
    nowMs,
    lastRunMs,
    subjects: source.subjectsOf(channel) ?? 1,
    ...(stateNow === undefined ? {} : { stateNow }),
    mayEdit: source.mayEdit?.(channel) ?? false,
  };
}

/** Whether something is to be sent, or to be forgotten. */
function isDue(ledger: ChannelLedger, context: PlanContext): boolean {
  if (ledger.nextAtMs > context.nowMs) return false;
  const { message, skipped } = planMessage(ledger, context);
  return message !== undefined || skipped.size > 0;
}

/** Channels that work come first: those that do not answer take long. */
function byUrgency(channels: Ledger["channels"]): readonly (readonly [string, ChannelLedger])[] {
  return [...channels].toSorted(([, a], [, b]) => a.tries - b.tries);
}

interface Taken {
  readonly taken: Ledger;
  readonly missed: number;
}

function takeChanges(ledger: Ledger, source: Source, nowMs: number): Taken {
  const { changes, next } = source;
  // A new notifier does not bring up the past. A lost state begins again at 1.
  const fresh = changes.find(({ atMs }) => atMs > nowMs - QUIET_MS)?.seq ?? next;
  const isLost = ledger.cursor !== undefined && ledger.cursor > next;
  const cursor = isLost ? fresh : (ledger.cursor ?? fresh);
  const first = changes[0]?.seq ?? next;
  const channels = new Map(
    [...ledger.channels]
      .filter(([channel]) => source.subjectsOf(channel) !== undefined)
      // Numbers of the lost state could be those of other changes now.
      .map(([channel, one]) => [channel, isLost ? { ...one, waiting: [] } : one]),
  );
  for (const change of changes) {
    if (change.seq < cursor) continue;
    for (const channel of source.channelsFor(change))
      channels.set(channel, enqueue(channels.get(channel) ?? NEW_CHANNEL, change));
  }
  return {
    taken: { ...ledger, cursor: next, channels },
    missed: Math.max(0, first - cursor),
  };
}

/** Sends the messages of one channel, one after another, until none is due or one fails. */
async function serveChannel(
  channel: string,
  source: Source,
  book: Book,
  mayGoOn: () => boolean,
  counts: { delivered: number; failed: number },
  deps: DeliveryDependencies,
): Promise<void> {
  const { wallMs } = deps;
  for (;;) {
    const known = book.get(channel);
    if (known.nextAtMs > wallMs() || !mayGoOn()) return;
    const plan = planMessage(known, contextOf(channel, source, wallMs()));
    const left = skipChanges(known, plan.skipped);
    if (plan.message === undefined) return book.set(channel, left);
    const result = await deps.send(channel, plan.message);
    if (result.kind === "delivered") {
      counts.delivered += 1;
      book.set(channel, noteDelivered(left, plan.message, plan.told, wallMs(), result.ref));
    } else counts.failed += 1;
    if (result.kind === "gone") await giveUp(channel, book, deps);
    if (result.kind === "failed") await noteFailure(channel, left, plan, result, book, deps);
    if (result.kind === "delivered") offer(channel, source, book, wallMs());
    if (!(await book.record()) || result.kind !== "delivered") return;
  }
}

/** Puts down what comes next, to be written before it is sent: a notifier that dies may have told it. */
function offer(channel: string, source: Source, book: Book, nowMs: number): void {
  const known = book.get(channel);
  if (known.nextAtMs > nowMs) return;
  const { message } = planMessage(known, contextOf(channel, source, nowMs));
  if (message !== undefined) book.set(channel, noteOffered(known, message.notices));
}

async function noteFailure(
  channel: string,
  known: ChannelLedger,
  { message }: Plan,
  { reason, retryAfterMs }: Extract<SendResult, { kind: "failed" }>,
  book: Book,
  deps: DeliveryDependencies,
): Promise<void> {
  const nowMs = deps.wallMs();
  const next = noteFailed(known, message?.notices ?? [], retryAfterMs, nowMs);
  deps.onFailed(channel, reason, next.tries);
  if (deps.stopChannel !== undefined && nowMs - next.failingSinceMs > GIVE_UP_MS)
    return giveUp(channel, book, deps);
  book.set(channel, next);
}

async function giveUp(channel: string, book: Book, deps: DeliveryDependencies): Promise<void> {
  await deps.stopChannel?.(channel);
  book.drop(channel);
}
