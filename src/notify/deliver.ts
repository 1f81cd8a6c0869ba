import pLimit, { type LimitFunction } from "p-limit";
import { sumOf } from "../model/lists.ts";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import {
  type Book,
  LEASE_MS,
  type Ledger,
  type LedgerFile,
  type LedgerKeys,
  openBook,
  type Turn,
} from "./ledger.ts";
import { contextOf, isDue, type Outbox, takeChanges } from "./outbox.ts";
import type { SendResult } from "./rules/change.ts";
import {
  type ChannelLedger,
  noteDelivered,
  noteFailed,
  noteOffered,
  skipChanges,
} from "./rules/channel-ledger.ts";
import { type Plan, planMessage } from "./rules/plan-message.ts";

/** One audience: channels of the operator, owners of monitors, or visitors. */
export interface Source {
  /** Objects of its ledgers: one, or several that share the channels, because a ledger is written as a whole. */
  readonly ledgerKeys: LedgerKeys;
  /** What is new for the channels of each ledger, as of all of them. Throws errors of a store, a state or a website. */
  readonly read: (
    ledgers: readonly [Ledger, ...Ledger[]],
  ) => Promise<readonly [Outbox, ...Outbox[]]>;
  /** Channels whose receivers are gone, or refuse for days. Throws `StoreError`. Absent: no channel is ever given up. */
  readonly stopChannels?: (channels: readonly string[]) => Promise<void>;
  readonly onFailed: (channel: string, reason: string, tries: number) => void;
  /** Waits for what its cycles have begun beside the messages. Never rejects. Absent: nothing. */
  readonly settle?: () => Promise<void>;
  /** Messages at once, of all ledgers. */
  readonly concurrency: number;
  /** Messages of one ledger that may have arrived and are not written down yet. @default concurrency */
  readonly unrecorded?: number;
  /** As in `openBook`. */
  readonly spacingMs?: number;
}

export type Delivery = Exclude<Awaited<ReturnType<typeof deliver>>, "busy">;

/** A cycle starts no message after so long, so that new changes are seen. */
const CYCLE_MS = 45 * SECOND_MS;

/** Ledgers at work at once: while one is written, the channels of others are served. */
const LEDGERS_AT_ONCE = 16;

/** A receiver that refuses for so long is given up. */
const GIVE_UP_MS = 5 * DAY_MS;

type Sender = Omit<Source, "ledgerKeys" | "settle">;

/**
 * One cycle: takes new changes from the outbox, sends what is due, and writes down what has arrived. `busy`: another notifier is sending.
 * After a crash, messages that were under way may be repeated, with the same ids. Throws `LedgerError`, `StoreError`, and what the source
 * throws.
 */
export async function deliver(source: Sender, turn: Turn) {
  const [first, ...others] = turn.ledgers;
  const before = first.current();
  const outboxes = await source.read([before, ...others.map((one) => one.current())]);
  const { cursor } = before;
  const endMs = turn.wallMs() + CYCLE_MS;
  const sending = pLimit(source.concurrency);
  const parts = turn.ledgers.map((ledger, at): Part => {
    const outbox = outboxes[at];
    if (outbox === undefined) throw new TypeError("a source gives an outbox for each ledger");
    return { cursor, endMs, sending, ledger, outbox, isFirst: at === 0 };
  });
  // The first is the last to be written: what it has taken, all have taken.
  const [rest, head] = [parts.slice(1), parts.slice(0, 1)];
  const served = await serveParts(rest, source, turn);
  if (!served.includes("busy")) served.push(...(await serveParts(head, source, turn)));
  const done = served.filter((one) => one !== "busy");
  if (done.length < parts.length) return "busy";
  // Receivers that do not answer take long, so those of all ledgers come after the others.
  const failing = [...rest, ...head].filter((_, at) => done[at]?.hasRetries);
  const retries = failing.map((part) => ({ ...part, isRetry: true }));
  const again = await serveParts(retries, source, turn);
  const all = [...done, ...again.filter((one) => one !== "busy")];
  return {
    delivered: sumOf(all.map(({ delivered }) => delivered)),
    failed: sumOf(all.map(({ failed }) => failed)),
    /** Channels with changes that wait, or with a retry ahead. */
    open: sumOf(turn.ledgers.map((ledger) => ledger.current().channels.size)),
    missed: Math.max(...done.map(({ missed }) => missed)),
    isCut: all.some(({ isCut }) => isCut),
  };
}

/** The channels of one ledger, and what is new for them. */
interface Part {
  readonly ledger: LedgerFile;
  readonly outbox: Outbox;
  readonly isFirst: boolean;
  /** Of the first ledger: up to there each has taken the outbox, although one with nothing to tell was not written. */
  readonly cursor: number | undefined;
  /** No message is begun after this time. */
  readonly endMs: number;
  /** The messages under way, of all parts. */
  readonly sending: LimitFunction;
  /** Channels whose last message failed are served, instead of all others. */
  readonly isRetry?: boolean;
}

/** One that fails keeps nothing from the others. */
async function serveParts(parts: readonly Part[], source: Sender, turn: Turn) {
  const limit = pLimit(LEDGERS_AT_ONCE);
  const ends = await Promise.allSettled(
    parts.map((part) => limit(() => servePart(part, source, turn))),
  );
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}

async function servePart(part: Part, source: Sender, turn: Turn) {
  const { ledger, outbox, isFirst, endMs, sending, isRetry = false } = part;
  const { holder, wallMs } = turn;
  const before = ledger.current();
  const { lease } = before;
  if (lease !== undefined && lease.holder !== holder && lease.untilMs > wallMs()) return "busy";
  const { taken, missed, hasTaken } = takeChanges(before, part, wallMs());
  const counts = { delivered: 0, failed: 0 };
  const open = [...taken.channels].filter(
    ([channel, one]) =>
      outbox.isPaused !== true && isDue(one, contextOf(channel, outbox, wallMs())),
  );
  const wanted = open.filter(([, { tries }]) => tries > 0 === isRetry);
  const due = wallMs() < endMs ? wanted : [];
  // Of a single ledger, what was taken stays in the outbox for days: it is written down with the next message.
  const isNew = isFirst
    ? before.cursor === undefined || (outbox.isOpen === true && before.cursor !== outbox.next)
    : hasTaken || (!ledger.isStored() && taken.channels.size > 0);
  const result = () => ({
    ...counts,
    /** Changes that left the outbox before this notifier saw them. */
    missed,
    /** The cycle has ended before all that was due was begun: the next one should follow at once. */
    isCut: wanted.length > 0 && !turn.signal.aborted && wallMs() >= endMs,
    hasRetries: open.length > wanted.length,
  });
  if (due.length === 0 && !isNew) return result();
  const book = openBook(taken, ledger, turn, source.spacingMs);
  if (due.length === 0) return (await book.save(0)) ? result() : "busy";
  const mayGoOn = (): boolean => !turn.signal.aborted && wallMs() < endMs && book.isHeld();
  const cycle: Cycle = { source, outbox, book, wallMs, mayGoOn, sending, counts, ended: [] };
  for (const [channel] of due) offer(channel, cycle);
  if (!(await book.save(LEASE_MS))) return "busy";
  const limit = pLimit(source.unrecorded ?? source.concurrency);
  await Promise.all(due.map(([channel]) => limit(() => serveChannel(channel, cycle))));
  if (cycle.ended.length > 0) await source.stopChannels?.(cycle.ended);
  for (const channel of cycle.ended) book.drop(channel);
  await book.save(0);
  return result();
}

interface Cycle extends Pick<Turn, "wallMs">, Pick<Part, "sending"> {
  readonly source: Pick<Source, "stopChannels" | "onFailed">;
  readonly outbox: Outbox;
  readonly book: Book;
  readonly mayGoOn: () => boolean;
  readonly counts: { delivered: number; failed: number };
  /** Channels that are given up. */
  readonly ended: string[];
}

/** Sends the messages of one channel, one after another, until none is due or one fails. */
async function serveChannel(channel: string, cycle: Cycle): Promise<void> {
  const { outbox, book, counts, mayGoOn, sending, wallMs } = cycle;
  for (;;) {
    const known = book.get(channel);
    const plan = planMessage(known, contextOf(channel, outbox, wallMs()));
    const left = skipChanges(known, plan.skippedSeqs);
    const { message } = plan;
    if (message === undefined) return book.set(channel, left);
    const result = await sending(async () =>
      mayGoOn() ? outbox.send(channel, message) : undefined,
    );
    if (result === undefined) return;
    if (result.kind === "delivered") {
      counts.delivered += 1;
      book.set(channel, noteDelivered(left, message, plan.toldSeqs, wallMs(), result.ref));
      offer(channel, cycle);
    } else counts.failed += 1;
    if (result.kind === "gone") cycle.ended.push(channel);
    if (result.kind === "failed") noteFailure(channel, left, plan, result, cycle);
    if (!(await book.record()) || result.kind !== "delivered") return;
  }
}

/** Puts down what comes next before it is sent: a notifier that dies may have told it. */
function offer(channel: string, { outbox, book, wallMs }: Cycle): void {
  const known = book.get(channel);
  const { message } = planMessage(known, contextOf(channel, outbox, wallMs()));
  if (message !== undefined) book.set(channel, noteOffered(known, message.notices));
}

function noteFailure(
  channel: string,
  known: ChannelLedger,
  { message }: Plan,
  { reason, retryAfterMs, isUnheard }: Extract<SendResult, { kind: "failed" }>,
  { source, book, wallMs, ended }: Cycle,
): void {
  const nowMs = wallMs();
  const noted = noteFailed(known, message?.notices ?? [], retryAfterMs, nowMs);
  const next = isUnheard === true ? { ...noted, failingSinceMs: nowMs } : noted;
  source.onFailed(channel, reason, next.tries);
  if (source.stopChannels !== undefined && nowMs - next.failingSinceMs > GIVE_UP_MS)
    ended.push(channel);
  book.set(channel, next);
}
