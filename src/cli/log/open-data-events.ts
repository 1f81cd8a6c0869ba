import type { EventRow, FieldOf } from "./event-row.ts";

/* The events of what is kept for the archive, and of the truth about verdicts. */

type OpenDataEventName =
  | "archive-sealed"
  | "archive-skipped"
  | "archive-deferred"
  | "truth-ignored";

/** What docs/reference/log-events.md says of them. */
export const OPEN_DATA_EVENTS: {
  readonly [Name in OpenDataEventName]: EventRow<FieldOf<Name>>;
} = {
  "archive-sealed": {
    level: "info",
    meaning: "days that are over were added to the [archive](../open-data.md#archive)",
    fields: { dates: "" },
  },
  "archive-skipped": {
    level: "info",
    meaning: "the checks of this run are not in the archive",
    fields: {
      reason:
        "`slot-taken`: another run of the same five minutes is; `day-sealed`: its day was over",
    },
  },
  "archive-deferred": {
    level: "warn",
    meaning:
      "the archive could not be written or read, or a run in it is damaged; the services are published",
    fields: { message: "" },
  },
  "truth-ignored": {
    level: "warn",
    meaning:
      "the truth file cannot be used, so nothing of it counts. Once for each version of the file",
    fields: { message: "each problem" },
  },
};
