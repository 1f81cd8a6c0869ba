import * as z from "zod";
import { byWindow } from "../model/monitor/monitor.ts";
import { HISTORY_DAYS } from "../model/time.ts";
import { MONITOR_ID } from "../model/ids.ts";
import { MAX_PAST_DAYS, MIN_PAST_OUTAGES, PAST_OF } from "../model/service/accuracy.ts";
import { MAX_MONTHS } from "../model/service/history.ts";
import { SCOPES } from "../model/service/interference.ts";
import { VERDICT_CODES } from "./codes/verdict.ts";
import { FAILURE_CODES } from "../model/failures.ts";
import { BOOLEAN, COUNT, DATE, exact, itemsOf, MONTH, TEXT, TIME } from "./parts.ts";
import { UNUSUAL_OPERATORS } from "./operators.ts";
import { SLUG } from "./status.ts";

const SEQ = z.int().min(1).meta({ format: "int64" });
const METHOD = DATE.describe("Date of the method of the figures.");
/** A time without data does not count as a change. */
const CODE = z
  .enum(VERDICT_CODES)
  .refine((code): boolean => code !== "none", "a code other than none");

function ofEachWindow<S extends z.ZodType>(schema: S) {
  return exact(
    "By window.",
    byWindow(() => schema),
  );
}

const SPELL = {
  start: TIME,
  end: TIME.nullable().describe("null: it lasts."),
  seconds: COUNT.nullable(),
  cause: z.enum(FAILURE_CODES).nullable().describe("The most frequent failure; null: not known."),
};

function pastOf<S extends z.ZodType>(of: S) {
  return exact("How long ended outages lasted. Absent: fewer than five are known.", {
    of,
    days: z.int().min(1).max(MAX_PAST_DAYS).describe("Days before in which they began."),
    outages: z.int().min(MIN_PAST_OUTAGES),
    median: COUNT.describe("Seconds; half of them lasted no longer."),
    longest: COUNT.describe("Seconds."),
  }).optional();
}

const DAY = exact("The checks of an ended UTC day.", {
  date: DATE,
  ok: COUNT,
  slow: COUNT,
  partial: COUNT,
  denied: COUNT.describe("The service refuses this region."),
  bad: COUNT,
  none: COUNT.describe("Runs of the 288 of a day that decided nothing."),
});

const MONTHS = z
  .array(
    exact("A month of UTC.", {
      month: MONTH,
      checks: COUNT,
      down: COUNT.describe("Checks in which a critical endpoint failed."),
      outages: COUNT.describe("Outages that were told in it, up to now."),
    }),
  )
  .max(MAX_MONTHS)
  .readonly();

/** `changes/v1.json`. */
export type Changes = z.infer<typeof HISTORY_SCHEMAS.Changes>;
/** `history/v1/<slug>.json`. */
export type ServiceHistoryDocument = z.infer<typeof HISTORY_SCHEMAS.ServiceHistory>;
/** `history/v1/index.json`. */
export type HistoryIndex = z.infer<typeof HISTORY_SCHEMAS.HistoryIndex>;
/** `history/v1/m/<id>.json`. */
export type MonitorHistory = z.infer<typeof HISTORY_SCHEMAS.MonitorHistory>;

/** Changes and histories. Source: docs/open-data.md. */
export const HISTORY_SCHEMAS = {
  Changes: exact("The changes of verdicts of 30 days, a thousand at most, oldest first.", {
    next: SEQ.describe("The `seq` of the next change."),
    changes: itemsOf(
      exact("A change of a verdict.", {
        seq: SEQ.describe("Ascending, without a gap."),
        id: TEXT.describe("`<slug>.<at>.<code>`"),
        slug: SLUG,
        at: TIME,
        before: CODE,
        code: CODE,
        color: z.enum(["ok", "warn", "bad"]),
        scope: z.enum(SCOPES),
        networks: COUNT.optional().describe(
          "Networks in Moscow whose own experiments support a claim of blocking. One: it is only likely. Absent: nothing was claimed.",
        ),
        surge: BOOLEAN.describe("Reports surged at that time."),
        past: pastOf(z.enum(PAST_OF).describe("Of the service, or of all of its category.")),
        outage: TEXT.optional().describe(
          "`id` of the outage that it begins, continues or ends. Absent: none with a page.",
        ),
        operators: UNUSUAL_OPERATORS.optional().describe("As told with the change. Absent: none."),
      }),
    ),
  }),
  ServiceHistory: exact("The changes, days and last outages of a service.", {
    slug: SLUG,
    method: METHOD,
    changes: itemsOf(
      exact("A change of the verdict.", { at: TIME, before: CODE, code: CODE, live: BOOLEAN }),
    ),
    days: z.array(DAY).max(HISTORY_DAYS).readonly(),
    outages: z
      .array(
        exact("An outage by the checks.", {
          ...SPELL,
          exact: BOOLEAN.describe("Whether a run before the start found it working."),
          failing: COUNT.describe("Endpoints that failed, in the worst run."),
          counted: COUNT,
        }),
      )
      .max(10)
      .readonly(),
    past: pastOf(z.literal("service")),
    months: MONTHS.describe(
      "The ended days of 24 months, oldest first; one without a check is absent.",
    ),
  }),
  HistoryIndex: exact("The uptimes of all services up to a full hour.", {
    method: METHOD,
    until: TIME,
    services: itemsOf(
      exact("One service.", {
        slug: SLUG,
        uptime: ofEachWindow(
          z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .describe("Cut off after five decimals; null: no check."),
        ),
        checks: ofEachWindow(COUNT),
      }),
    ),
    months: MONTHS.describe("Of all services together."),
    monitorDays: itemsOf(
      exact("Runs that counted for monitors on an ended day.", { date: DATE, checks: COUNT }),
    ),
  }),
  MonitorHistory: exact("The days of a monitor that were not whole, and its failures.", {
    id: z.string().regex(MONITOR_ID),
    method: METHOD,
    days: itemsOf(
      exact("An ended day with a check that failed or was left out.", {
        date: DATE,
        checks: COUNT,
        failed: COUNT,
        skipped: COUNT,
      }),
    ),
    failures: itemsOf(exact("A failure.", SPELL)),
  }),
};
