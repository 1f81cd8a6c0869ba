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
}

/** What became of a message. */
export type SendResult =
  | { readonly kind: "delivered" }
  /** For good. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number };
