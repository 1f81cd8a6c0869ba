import * as z from "zod";
import { groupBy } from "../../model/lists.ts";
import { mapOf } from "../../model/stored-maps.ts";
import { HOUR_MS, MINUTE_MS } from "../../model/time.ts";
import { type Change, CHANGE, INSTANT, isWell, type Message } from "./change.ts";

/** The quiet after a notice about one subject. Source: docs/notify.md, "Noise". */
export const QUIET_MS: number = 15 * MINUTE_MS;

/** A message of this age stays as it is: readers have moved on. Source: docs/notify.md, "Noise". */
export const YOUNG_MS: number = HOUR_MS;

/** Changes that wait for one channel. So many come from one that is down for days, and become one message anyway. */
const MAX_WAITING = 400;

const FIRST_RETRY_MS = MINUTE_MS / 2;
const MAX_RETRY_MS = HOUR_MS;

const TOLD = z.strictObject({ state: z.string(), sinceMs: INSTANT, toldAtMs: INSTANT });
export type Told = z.output<typeof TOLD>;

/** A message that stands in the channel, by its name there. */
const SENT = z.strictObject({ ref: z.string(), atMs: INSTANT });
type SentMessages = ReadonlyMap<string, z.output<typeof SENT>>;

/** In place of a state, and equal to none: whichever the channel has heard last, it has to be told again. */
const SEVERAL = "?";

/** What is known about one channel between two cycles, as it is stored. */
export const CHANNEL_LEDGER = z.strictObject({
  /** Changes that it was not told yet, the oldest first. */
  waiting: z.array(CHANGE).readonly(),
  /** By subject. */
  told: mapOf(TOLD),
  /** By subject: a state of a message that failed, but may have arrived; `SEVERAL` if there were different ones. */
  offered: mapOf(z.string()),
  /** By subject: the last message about it alone, while it is young. Only channels whose messages can be changed have some. */
  sent: z.codec(z.array(z.tuple([z.string(), SENT])).optional(), z.custom<SentMessages>(), {
    decode: (pairs) => new Map(pairs),
    // Without messages that can be changed, an older program can read it too.
    encode: (map) => (map.size > 0 ? [...map] : undefined),
  }),
  /** Failed attempts in a row, since `failingSinceMs`. */
  tries: z.int().min(0),
  failingSinceMs: INSTANT,
  nextAtMs: INSTANT,
});
export type ChannelLedger = Readonly<z.output<typeof CHANNEL_LEDGER>>;

export const NEW_CHANNEL: ChannelLedger = {
  waiting: [],
  told: new Map(),
  offered: new Map(),
  sent: new Map(),
  tries: 0,
  failingSinceMs: 0,
  nextAtMs: 0,
};

/** The ledger with one more change that waits. Of too many, one is left out that its neighbours make up for. */
export function enqueue(ledger: ChannelLedger, change: Change): ChannelLedger {
  const waiting = [...ledger.waiting, change];
  return { ...ledger, waiting: waiting.length > MAX_WAITING ? withoutOne(waiting) : waiting };
}

/** Leaves out the second change of the subject with the most: the first says how it was, the last how it is. */
function withoutOne(waiting: readonly Change[]): readonly Change[] {
  const bySubject = [...groupBy(waiting, ({ subject }) => subject).values()];
  const [, second, third] = bySubject.reduce((a, b) => (b.length > a.length ? b : a));
  if (second === undefined || third === undefined) return waiting.slice(1);
  return waiting.toSpliced(waiting.indexOf(second), 1);
}

/** The ledger without changes that need no message. */
export function skipChanges(ledger: ChannelLedger, seqs: ReadonlySet<number>): ChannelLedger {
  if (seqs.size === 0) return ledger;
  return { ...ledger, waiting: ledger.waiting.filter(({ seq }) => !seqs.has(seq)) };
}

/** The ledger after a message has arrived, under the name `ref` if it can be changed later. */
export function noteDelivered(
  ledger: ChannelLedger,
  { notices, edits, kind }: Pick<Message, "notices" | "edits" | "kind">,
  seqs: ReadonlySet<number>,
  nowMs: number,
  ref?: string,
): ChannelLedger {
  const told = new Map(ledger.told);
  const offered = new Map(ledger.offered);
  const sent = new Map(ledger.sent);
  // A message that was changed makes no sound, so the quiet counts from when it was sent.
  const isQuietly = edits !== undefined && ref === undefined;
  for (const { subject, after, atMs } of notices) {
    const toldAtMs = isQuietly ? (told.get(subject)?.toldAtMs ?? nowMs) : nowMs;
    told.set(subject, { state: after, sinceMs: atMs, toldAtMs });
    offered.delete(subject);
    sent.delete(subject);
    if (ref !== undefined && kind === "changed" && !isWell(after))
      sent.set(subject, { ref, atMs: nowMs });
  }
  const kept = skipChanges(ledger, seqs);
  return { ...kept, told, offered, sent, tries: 0, failingSinceMs: 0, nextAtMs: 0 };
}

/** The ledger before an attempt: if the notifier dies in it, the message may have arrived. */
export function noteOffered(ledger: ChannelLedger, notices: Message["notices"]): ChannelLedger {
  const offered = new Map(ledger.offered);
  for (const { subject, after } of notices)
    offered.set(subject, (offered.get(subject) ?? after) === after ? after : SEVERAL);
  return { ...ledger, offered };
}

/** The ledger after an attempt that failed, or may have failed. */
export function noteFailed(
  ledger: ChannelLedger,
  notices: Message["notices"],
  retryAfterMs: number | undefined,
  nowMs: number,
): ChannelLedger {
  const backoffMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** ledger.tries);
  return {
    ...noteOffered(ledger, notices),
    tries: ledger.tries + 1,
    failingSinceMs: ledger.tries === 0 ? nowMs : ledger.failingSinceMs,
    nextAtMs: nowMs + Math.max(backoffMs, retryAfterMs ?? 0),
  };
}

/** The ledger without what no later message depends on; undefined if nothing is left. */
export function pruneLedger(ledger: ChannelLedger, nowMs: number): ChannelLedger | undefined {
  const busy = new Set(ledger.waiting.map(({ subject }) => subject));
  const isNeeded = (subject: string, { state, toldAtMs }: Told): boolean =>
    busy.has(subject) || nowMs - toldAtMs < QUIET_MS || !isWell(state);
  const told = new Map([...ledger.told].filter(([subject, one]) => isNeeded(subject, one)));
  const sent = new Map([...ledger.sent].filter(([, { atMs }]) => nowMs - atMs < YOUNG_MS));
  const isEmpty = ledger.waiting.length === 0 && told.size === 0 && ledger.tries === 0;
  if (isEmpty) return undefined;
  const isSame = told.size === ledger.told.size && sent.size === ledger.sent.size;
  return isSame ? ledger : { ...ledger, told, sent };
}
