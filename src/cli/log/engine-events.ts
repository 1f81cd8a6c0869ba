import type { RunEvent } from "../../model/run-event.ts";
import type { EventRow, FieldOf } from "./event-row.ts";

/* The events about an engine: of a run that hands its checks to it, and of a worker. */

type EngineEventName = "engine-done" | "batch-ended";

type EngineEvent = Extract<RunEvent, { readonly event: EngineEventName }>;

/** What docs/reference/log-events.md says of them. */
export const ENGINE_EVENTS: { readonly [Name in EngineEventName]: EventRow<FieldOf<Name>> } = {
  "engine-done": {
    level: "info",
    meaning:
      "the checks of monitors by [workers](../scaling.md) ended; what is not answered is skipped",
    fields: {
      batches: "sent, for all vantages together",
      answered: "",
      redelivered: "of the answered: those that were handed out more than once",
      returned: "times that a worker gave a batch back",
      dropped: "answers that were late, repeated, of other work, or broken",
      lagMs: "longest time that an answered batch was on its way or waited for a worker",
      durationMs: "from the first batch to the last answer",
    },
  },
  "batch-ended": {
    level: "info",
    meaning: "a worker is done with a batch of monitors",
    fields: {
      kind: "`answered`, `refused` (not a batch of this vantage, or broken), `returned` (it is delivered again)",
      batch: "cell, slot and number; null if the subject names none",
      isRedelivered: "another delivery of it was not acknowledged",
      targets: "",
      failing: "",
      reason: "why it was returned",
    },
  },
};

export function isEngineEvent(event: RunEvent): event is EngineEvent {
  return event.event in ENGINE_EVENTS;
}

/** The sentence of an event about an engine. */
export function describeEngine(event: EngineEvent): string {
  if (event.event === "engine-done")
    return `Workers: ${event.answered} of ${event.batches} batches answered, ${event.redelivered} after a second delivery, ${event.dropped} answers dropped, ${(event.durationMs / 1000).toFixed(1)} s, lag ${(event.lagMs / 1000).toFixed(1)} s.`;
  const { kind, batch, targets = 0, failing = 0, reason = "" } = event;
  if (kind === "answered") return `Batch ${batch ?? ""}: ${targets} monitors, ${failing} fail.`;
  return kind === "refused"
    ? `Warning: a batch was refused (${batch ?? "its subject names none"}).`
    : `Warning: the batch ${batch ?? ""} goes back: ${reason}.`;
}
