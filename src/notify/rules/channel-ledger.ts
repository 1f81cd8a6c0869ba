import { HOUR_MS, MINUTE_MS } from "../../model/time.ts";
import type { Change, Notice } from "./change.ts";

/** The quiet after a notice about one subject. Source: docs/notify.md, "Noise". */
export const QUIET_MS: number = 15 * MINUTE_MS;

/** Changes that wait for one channel. So many come from a channel that is down for days, and become one message anyway. */
const MOST_WAITING = 400;

const FIRST_RETRY_MS = MINUTE_MS / 2;
const LONGEST_RETRY_MS = HOUR_MS;

/** What a channel knows of a subject. */
export interface Told {
  readonly state: string;
  /** When that state began. */
  readonly sinceMs: number;
  /** When the channel was told. */
  readonly toldAtMs: number;
}

/** What is known about one channel between two cycles. */
export interface ChannelLedger {
  /** Changes that it was not told yet, the oldest first. */
  readonly waiting: readonly Change[];
  /** By subject. */
  readonly told: ReadonlyMap<string, Told>;
  /** By subject: a state of a message that failed, but may have arrived. */
  readonly offered: ReadonlyMap<string, string>;
  /** Failed attempts in a row, since `failingSinceMs`. */
  readonly tries: number;
  readonly failingSinceMs: number;
  /** No attempt before. */
  readonly nextAtMs: number;
}

export const NEW_CHANNEL: ChannelLedger = {
  waiting: [],
  told: new Map(),
  offered: new Map(),
  tries: 0,
  failingSinceMs: 0,
  nextAtMs: 0,
};

/** The ledger with one more change that waits. */
export function enqueue(ledger: ChannelLedger, change: Change): ChannelLedger {
  return { ...ledger, waiting: [...ledger.waiting, change].slice(-MOST_WAITING) };
}

/** The ledger without changes that need no message. */
export function skipChanges(ledger: ChannelLedger, seqs: ReadonlySet<number>): ChannelLedger {
  if (seqs.size === 0) return ledger;
  return { ...ledger, waiting: ledger.waiting.filter(({ seq }) => !seqs.has(seq)) };
}

/** The ledger after a message has arrived. */
export function noteDelivered(
  ledger: ChannelLedger,
  notices: readonly Notice[],
  seqs: ReadonlySet<number>,
  nowMs: number,
): ChannelLedger {
  const told = new Map(ledger.told);
  const offered = new Map(ledger.offered);
  for (const { subject, after, atMs } of notices) {
    told.set(subject, { state: after, sinceMs: atMs, toldAtMs: nowMs });
    offered.delete(subject);
  }
  const kept = skipChanges(ledger, seqs);
  return { ...kept, told, offered, tries: 0, failingSinceMs: 0, nextAtMs: 0 };
}

/** The ledger after an attempt that failed, or may have failed. */
export function noteFailed(
  ledger: ChannelLedger,
  notices: readonly Notice[],
  retryAfterMs: number | undefined,
  nowMs: number,
): ChannelLedger {
  const offered = new Map(ledger.offered);
  for (const { subject, after } of notices) offered.set(subject, after);
  const backoffMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** ledger.tries);
  return {
    ...ledger,
    offered,
    tries: ledger.tries + 1,
    failingSinceMs: ledger.tries === 0 ? nowMs : ledger.failingSinceMs,
    nextAtMs: nowMs + Math.max(backoffMs, retryAfterMs ?? 0),
  };
}

/** The ledger without what no later message depends on; undefined if nothing is left. */
export function pruneLedger(ledger: ChannelLedger, nowMs: number): ChannelLedger | undefined {
  const busy = new Set(ledger.waiting.map(({ subject }) => subject));
  const isNeeded = (subject: string, { state, toldAtMs }: Told): boolean =>
    busy.has(subject) || nowMs - toldAtMs < QUIET_MS || state !== "healthy";
  const told = new Map([...ledger.told].filter(([subject, one]) => isNeeded(subject, one)));
  const isEmpty = ledger.waiting.length === 0 && told.size === 0 && ledger.tries === 0;
  if (isEmpty) return undefined;
  return told.size === ledger.told.size ? ledger : { ...ledger, told };
}
