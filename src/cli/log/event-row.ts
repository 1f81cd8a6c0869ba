import type { RunEvent } from "../../model/run-event.ts";

export type EventLevel = "info" | "warn" | "error";

/** One event. `meaning` and the texts of fields are Markdown; links are relative to `docs/reference/`. */
export interface EventRow<Field extends PropertyKey> {
  readonly level: EventLevel;
  readonly meaning: string;
  /** What a field contains; "" if its name says it. */
  readonly fields: Readonly<Record<Field, string>>;
}

export type FieldOf<Name extends RunEvent["event"]> = Exclude<
  keyof Extract<RunEvent, { readonly event: Name }>,
  "event"
>;
