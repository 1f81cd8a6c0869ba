/** A change of one subject, from an outbox that has each change once. */
export type Change = {
  /** Number in the outbox, ascending. */
  readonly seq: number;
  /** A service or a monitor. */
  readonly subject: string;
  readonly atMs: number;
} & (
  | {
      readonly kind: "changed";
      readonly before: string;
      /** When `before` began. */
      readonly sinceMs: number;
      readonly after: string;
      readonly code?: string;
      /** Its id in a public log; absent: it is made of the subject and the number. */
      readonly id?: string;
      /** Told at once, without waiting for the next run. */
      readonly isUrgent?: true;
      /** When the trouble began that is over with this change. */
      readonly beganMs?: number;
    }
  /** The channel itself was added. */
  | { readonly kind: "added" }
);

/** A change of a condition. */
export type ConditionChange = Extract<Change, { kind: "changed" }>;

/** What a channel is told about one subject. */
export interface Notice {
  readonly subject: string;
  /** What it was told before, or what was before the first change. */
  readonly before: string;
  readonly after: string;
  /** When `before` began, as far as the channel knows. */
  readonly sinceMs: number;
  readonly atMs: number;
  readonly code?: string;
  /** When the trouble began that is over. */
  readonly beganMs?: number;
  /** How often it has changed since the last notice: 1, or more if it does not come to rest. */
  readonly changes: number;
}

/** One message of a channel. */
export interface Message {
  /** Equal for equal content, so that a receiver knows a repetition. */
  readonly id: string;
  /** `added`: the channel works. `digest`: several subjects at once. */
  readonly kind: "added" | "changed" | "flapping" | "digest";
  readonly notices: readonly Notice[];
  /** When the newest of it happened. */
  readonly atMs: number;
  /** A message that stands in the channel and is to be changed instead, by the name that its delivery gave. */
  readonly edits?: string;
}

/** What became of a message. */
export type SendResult =
  | {
      readonly kind: "delivered";
      /** What the operator should change nevertheless. */
      readonly note?: string;
      /** Name of a new message that can be changed later; absent: it cannot, or an old one was changed. */
      readonly ref?: string;
    }
  /** For good. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number };

/** States in which nothing is wrong: that of a monitor, and that of a service. */
const WELL: ReadonlySet<string> = new Set(["healthy", "ok"]);

/** Whether nothing is wrong in this state. */
export function isWell(state: string): boolean {
  return WELL.has(state);
}
