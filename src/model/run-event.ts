import type { EventFields, EventLevel, EventRow, ValuesOf } from "./events/event-row.ts";
import { MONITOR_EVENTS } from "./events/monitor-events.ts";
import { NOTIFY_EVENTS, PUBLISH_EVENTS } from "./events/publish-events.ts";
import { RUN_EVENTS, VANTAGE_EVENTS } from "./events/run-events.ts";

/** Every event that a command logs. A row has the level, the meaning, the fields with their types, and the sentence for people. */
export const EVENTS = {
  ...RUN_EVENTS,
  ...VANTAGE_EVENTS,
  ...MONITOR_EVENTS,
  ...PUBLISH_EVENTS,
  ...NOTIFY_EVENTS,
};

type EventName = keyof typeof EVENTS;

type FieldsOf<Name extends EventName> = ValuesOf<(typeof EVENTS)[Name]["fields"]>;

/** What a long command logs. Codes and values only. */
export type RunEvent = {
  [Name in EventName]: { readonly event: Name } & FieldsOf<Name>;
}[EventName];

export type Emit = (event: RunEvent) => void;

/** What became of the batches of monitors that a publisher gave to an engine. Source: docs/scaling.md, "What to watch". */
export type EngineCounts = FieldsOf<"engine-done">;

/** The row of an event. */
export function rowOfEvent({ event }: RunEvent): EventRow<EventFields> {
  return EVENTS[event];
}

/** The level of an event. */
export function levelOf(event: RunEvent): EventLevel {
  const row = rowOfEvent(event);
  return row.isQuiet?.(event) === true ? "debug" : row.level;
}
