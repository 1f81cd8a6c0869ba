import type { Ledger } from "./ledger.ts";
import type { Change, Message, SendResult } from "./rules/change.ts";
import { type ChannelLedger, enqueue, NEW_CHANNEL, QUIET_MS } from "./rules/channel-ledger.ts";
import { type PlanContext, planMessage } from "./rules/plan-message.ts";

/** What is new at one moment, and who wants to hear of it. */
export interface News extends Pick<PlanContext, "lastRunMs" | "stateNow"> {
  readonly next: number;
  /** With numbers below `next`, without gaps. */
  readonly changes: readonly Change[];
  readonly channelsFor: (change: Change) => readonly string[];
  /** Number of subjects that a channel can hear of. A channel that does not exist has undefined. */
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

/** At what a message of a channel is planned. */
export function contextOf(channel: string, outbox: News, nowMs: number): PlanContext {
  return {
    lastRunMs: outbox.lastRunMs,
    stateNow: outbox.stateNow,
    nowMs,
    subjects: outbox.subjectsOf(channel) ?? 1,
    mayEdit: outbox.mayEdit?.(channel),
  };
}

/** Whether something is to be sent, or to be forgotten. */
export function isDue(ledger: ChannelLedger, context: PlanContext): boolean {
  if (ledger.nextAtMs > context.nowMs) return false;
  const { message, skippedSeqs } = planMessage(ledger, context);
  return message !== undefined || skippedSeqs.size > 0;
}

/** The ledger with the new changes, whether there are any for it, and how many left the outbox before they were seen. */
export function takeChanges(
  ledger: Ledger,
  { outbox, cursor: ofFirst }: { readonly outbox: News; readonly cursor: number | undefined },
  nowMs: number,
) {
  const { changes, next } = outbox;
  // A new notifier does not bring up the past. A lost state begins again at 1.
  const fresh = changes.find(({ atMs }) => atMs > nowMs - QUIET_MS)?.seq ?? next;
  const isLost = ledger.cursor !== undefined && ledger.cursor > next;
  const known = [ledger.cursor, ofFirst].filter((one) => one !== undefined && one <= next);
  const cursor = known.length === 0 ? fresh : Math.max(...known.map(Number));
  const first = changes[0]?.seq ?? next;
  const channels = new Map(
    [...ledger.channels]
      .filter(([channel]) => outbox.subjectsOf(channel) !== undefined)
      // Numbers of the lost state could be those of other changes now.
      .map(([channel, one]) => [channel, isLost ? { ...one, waiting: [] } : one]),
  );
  let hasTaken = false;
  for (const change of changes) {
    if (change.seq < cursor) continue;
    for (const channel of outbox.channelsFor(change)) {
      channels.set(channel, enqueue(channels.get(channel) ?? NEW_CHANNEL, change));
      hasTaken = true;
    }
  }
  const missed = Math.max(0, first - cursor);
  return { taken: { ...ledger, cursor: next, channels }, missed, hasTaken };
}
