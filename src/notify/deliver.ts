import pLimit from "p-limit";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import { type Book, LEASE_MS, type Ledger, openBook, type Turn } from "./ledger.ts";
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

/** What is new at one moment, and who wants to hear of it. */
export interface News extends Pick<PlanContext, "lastRunMs" | "stateNow"> {
  readonly next: number;
  /** With numbers below `next`, without gaps. */
  readonly changes: readonly Change[];
  readonly channelsFor: (change: Change) => readonly string[];
  /** Number of subjects that a channel can hear of; undefined: there is no such channel. */
  readonly subjectsOf: (channel: string) => number | undefined;
  readonly mayEdit?: (channel: string) => boolean;
  /** Channels come and go unseen: a change is only for those that are there when it is taken, which is written down even if none are. */
  readonly isOpen?: boolean;
  /** Nothing is sent: what is known is too old. */
  readonly isPaused?: boolean;
}

export interface Outbox extends News {
  /** Never rejects, and ends within seconds. */
  readonly send: (channel: string, message: Message) => Promise<SendResult>;
}

/** One audience: channels of the operator, owners of monitors, or visitors. */
export interface Source {
  /** Object of its ledger. */
  readonly ledgerKey: string;
  /** What is new for it, as of its ledger. Throws errors of a store, a state or a website. */
  readonly read: (ledger: Ledger) => Promise<Outbox>;
  /** A channel whose receiver is gone, or refuses for days. Throws `StoreError`. Absent: no channel is ever given up. */
  readonly stopChannel?: (channel: string) => Promise<void>;
  readonly onFailed: (channel: string, reason: string, tries: number) => void;
  /** Waits for what its cycles have begun beside the messages. Never rejects. Absent: nothing. */
  readonly settle?: () => Promise<void>;
  readonly concurrency: number;
  /** As in `openBook`. */
  readonly spacingMs?: number;
}

/** Sends to the receiver that a channel has in this map. */
export function sendBy<Receiver>(
  receivers: ReadonlyMap<string, Receiver>,
  send: (receiver: Receiver, message: Message) => Promise<SendResult>,
): Outbox["send"] {
  return async (channel, message) => {
    const receiver = receivers.get(channel);
    return receiver === undefined
      ? { kind: "failed", reason: "no such channel" }
      : send(receiver, message);
  };
}

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
 * One cycle: takes new changes from the outbox, sends what is due, and writes down what has arrived. `busy`: another notifier is sending.
 * After a crash, messages that were under way may be repeated, with the same ids. Throws `LedgerError`, `StoreError`, and what the source
 * throws.
 */
export async function deliver(
  source: Omit<Source, "ledgerKey" | "settle">,
  turn: Turn,
): Promise<Delivery | "busy"> {
  const { ledger, holder, wallMs } = turn;
  const before = ledger.current();
  const { lease } = before;
  if (lease !== undefined && lease.holder !== holder && lease.untilMs > wallMs()) return "busy";
  const outbox = await source.read(before);
  const { taken, missed } = takeChanges(before, outbox, wallMs());
  const counts = { delivered: 0, failed: 0 };
  const due = byUrgency(taken.channels).filter(
    ([channel, one]) =>
      outbox.isPaused !== true && isDue(one, contextOf(channel, outbox, wallMs())),
  );
  // What was taken stays in the outbox for days: it is written down with the next message.
  const isNew = outbox.isOpen === true && before.cursor !== outbox.next;
  const isIdle = due.length === 0 && before.cursor !== undefined && !isNew;
  if (isIdle) return { ...counts, missed, open: taken.channels.size };
  const book = openBook(taken, turn, source.spacingMs);
  const endMs = wallMs() + CYCLE_MS;
  const mayGoOn = (): boolean => !turn.signal.aborted && wallMs() < endMs && book.isHeld();
  const cycle: Cycle = { source, outbox, book, wallMs, mayGoOn, counts };
  for (const [channel] of due) offer(channel, cycle);
  if (!(await book.save(LEASE_MS))) return "busy";
  const limit = pLimit(source.concurrency);
  await Promise.all(due.map(([channel]) => limit(() => serveChannel(channel, cycle))));
  await book.save(0);
  return { ...counts, missed, open: book.channels().size };
}

interface Cycle extends Pick<Turn, "wallMs"> {
  readonly source: Pick<Source, "stopChannel" | "onFailed">;
  readonly outbox: Outbox;
  readonly book: Book;
  readonly mayGoOn: () => boolean;
  readonly counts: { delivered: number; failed: number };
}

function contextOf(channel: string, outbox: News, nowMs: number): PlanContext {
  return {
    ...outbox,
    nowMs,
    subjects: outbox.subjectsOf(channel) ?? 1,
    mayEdit: outbox.mayEdit?.(channel) ?? false,
  };
}

/** Whether something is to be sent, or to be forgotten. */
function isDue(ledger: ChannelLedger, context: PlanContext): boolean {
  if (ledger.nextAtMs > context.nowMs) return false;
  const { message, skippedSeqs } = planMessage(ledger, context);
  return message !== undefined || skippedSeqs.size > 0;
}

/** Channels that work come first: those that do not answer take long. */
function byUrgency(channels: Ledger["channels"]): readonly (readonly [string, ChannelLedger])[] {
  return [...channels].toSorted(([, a], [, b]) => a.tries - b.tries);
}

/** The ledger with the new changes, and how many left the outbox before they were seen. */
function takeChanges(ledger: Ledger, outbox: News, nowMs: number) {
  const { changes, next } = outbox;
  // A new notifier does not bring up the past. A lost state begins again at 1.
  const fresh = changes.find(({ atMs }) => atMs > nowMs - QUIET_MS)?.seq ?? next;
  const isLost = ledger.cursor !== undefined && ledger.cursor > next;
  const cursor = isLost ? fresh : (ledger.cursor ?? fresh);
  const first = changes[0]?.seq ?? next;
  const channels = new Map(
    [...ledger.channels]
      .filter(([channel]) => outbox.subjectsOf(channel) !== undefined)
      // Numbers of the lost state could be those of other changes now.
      .map(([channel, one]) => [channel, isLost ? { ...one, waiting: [] } : one]),
  );
  for (const change of changes) {
    if (change.seq < cursor) continue;
    for (const channel of outbox.channelsFor(change))
      channels.set(channel, enqueue(channels.get(channel) ?? NEW_CHANNEL, change));
  }
  return {
    taken: { ...ledger, cursor: next, channels },
    missed: Math.max(0, first - cursor),
  };
}

/** Sends the messages of one channel, one after another, until none is due or one fails. */
async function serveChannel(channel: string, cycle: Cycle): Promise<void> {
  const { outbox, book, counts, mayGoOn, wallMs } = cycle;
  for (;;) {
    const known = book.get(channel);
    if (known.nextAtMs > wallMs() || !mayGoOn()) return;
    const plan = planMessage(known, contextOf(channel, outbox, wallMs()));
    const left = skipChanges(known, plan.skippedSeqs);
    if (plan.message === undefined) return book.set(channel, left);
    const result = await outbox.send(channel, plan.message);
    if (result.kind === "delivered") {
      counts.delivered += 1;
      book.set(channel, noteDelivered(left, plan.message, plan.toldSeqs, wallMs(), result.ref));
      offer(channel, cycle);
    } else counts.failed += 1;
    if (result.kind === "gone") await giveUp(channel, cycle);
    if (result.kind === "failed") await noteFailure(channel, left, plan, result, cycle);
    if (!(await book.record()) || result.kind !== "delivered") return;
  }
}

/** Puts down what comes next before it is sent: a notifier that dies may have told it. */
function offer(channel: string, { outbox, book, wallMs }: Cycle): void {
  const nowMs = wallMs();
  const known = book.get(channel);
  if (known.nextAtMs > nowMs) return;
  const { message } = planMessage(known, contextOf(channel, outbox, nowMs));
  if (message !== undefined) book.set(channel, noteOffered(known, message.notices));
}

async function noteFailure(
  channel: string,
  known: ChannelLedger,
  { message }: Plan,
  { reason, retryAfterMs }: Extract<SendResult, { kind: "failed" }>,
  cycle: Cycle,
): Promise<void> {
  const { source, book, wallMs } = cycle;
  const nowMs = wallMs();
  const next = noteFailed(known, message?.notices ?? [], retryAfterMs, nowMs);
  source.onFailed(channel, reason, next.tries);
  if (source.stopChannel !== undefined && nowMs - next.failingSinceMs > GIVE_UP_MS)
    return giveUp(channel, cycle);
  book.set(channel, next);
}

async function giveUp(channel: string, { source, book }: Cycle): Promise<void> {
  await source.stopChannel?.(channel);
  book.drop(channel);
}
