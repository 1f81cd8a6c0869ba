import * as z from "zod";

/** Milliseconds since the epoch. */
export const INSTANT = z.number().min(0);

const COMMON = {
  /** Number in the outbox, ascending. */
  seq: z.int().min(1),
  /** A service or a monitor. */
  subject: z.string(),
  atMs: INSTANT,
};

const CONDITION = z.strictObject({
  ...COMMON,
  kind: z.literal("changed"),
  before: z.string(),
  /** When `before` began. */
  sinceMs: INSTANT,
  after: z.string(),
  code: z.exactOptional(z.string()),
  /** Its id in a public log; absent: it is made of the subject and the number. */
  id: z.exactOptional(z.string()),
  /** Told at once, without waiting for the next run. */
  isUrgent: z.exactOptional(z.literal(true)),
  /** When the trouble began that is over with this change. */
  beganMs: z.exactOptional(INSTANT),
});

/** A change as it is stored. `added`: the channel itself was added. */
export const CHANGE = z.discriminatedUnion("kind", [
  CONDITION,
  z.strictObject({ ...COMMON, kind: z.literal("added") }),
]);

/** A change of one subject, from an outbox that has each change once. */
export type Change = Readonly<z.output<typeof CHANGE>>;

export type ConditionChange = Readonly<z.output<typeof CONDITION>>;

export interface Notice extends Pick<
  ConditionChange,
  "subject" | "before" | "after" | "sinceMs" | "atMs" | "code" | "beganMs"
> {
  /** How often it has changed since the last notice: 1, or more if it does not come to rest. */
  readonly changes: number;
}

export interface Message {
  /** Equal for equal content, so that a receiver knows a repetition. */
  readonly id: string;
  /** `added`: the channel works. `digest`: several subjects at once. */
  readonly kind: "added" | "changed" | "flapping" | "digest";
  readonly notices: readonly Notice[];
  readonly atMs: number;
  /** A message that stands in the channel and is to be changed instead, by the name that its delivery gave. */
  readonly edits?: string;
}

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
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly retryAfterMs?: number;
      /** The service of many receivers was not asked, or did not answer, which says nothing of this one. */
      readonly isUnheard?: true;
    };

/** States in which nothing is wrong: that of a monitor, and that of a service. */
const WELL: ReadonlySet<string> = new Set(["healthy", "ok"]);

/** Whether nothing is wrong in this state. */
export function isWell(state: string): boolean {
  return WELL.has(state);
}
