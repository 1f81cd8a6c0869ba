import { SCOPES } from "../../model/service/interference.ts";
import { UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";
import { FAILURES } from "../../model/probe-outcome.ts";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { exactObject, ID_PATTERN, refTo, type SchemaObject, TIME } from "./schemas.ts";
import { STATUSPAGE_SCHEMAS } from "./statuspage.ts";

const TEXT: SchemaObject = { type: "string" };
const BOOLEAN: SchemaObject = { type: "boolean" };
const COUNT: SchemaObject = { type: "integer", minimum: 0 };
const SEQ: SchemaObject = { type: "integer", format: "int64", minimum: 1 };
const DATE: SchemaObject = { type: "string", format: "date" };
const METHOD: SchemaObject = { ...DATE, description: "Date of the method of the figures." };
const CODE: SchemaObject = { type: "string", enum: VERDICT_CODES };
const CAUSE: SchemaObject = { type: ["string", "null"], enum: [...Object.keys(FAILURES), null] };

function orNull(schema: SchemaObject): SchemaObject {
  return { anyOf: [schema, { type: "null" }] };
}

function listOf(items: SchemaObject): SchemaObject {
  return { type: "array", items };
}

function ofEachWindow(schema: SchemaObject): SchemaObject {
  return exactObject(
    "By window.",
    Object.fromEntries(UPTIME_WINDOWS.map((window) => [window, schema])),
  );
}

const SPELL: SchemaObject = {
  start: TIME,
  end: { ...orNull(TIME), description: "null: it lasts." },
  seconds: orNull(COUNT),
  cause: { ...CAUSE, description: "The most frequent failure; null: not known." },
};

const CHANGE = exactObject("A change of a verdict.", {
  seq: { ...SEQ, description: "Ascending, without a gap." },
  id: { ...TEXT, description: "`<slug>.<at>.<code>`" },
  slug: refTo("Slug"),
  at: TIME,
  before: CODE,
  code: CODE,
  color: { type: "string", enum: ["ok", "warn", "bad"] },
  scope: { type: "string", enum: SCOPES },
  surge: { ...BOOLEAN, description: "Reports surged at that time." },
});

const DAY = exactObject("The checks of an ended UTC day.", {
  date: DATE,
  ok: COUNT,
  slow: COUNT,
  partial: COUNT,
  denied: { ...COUNT, description: "The service refuses this region." },
  bad: COUNT,
  none: { ...COUNT, description: "Runs of the 288 of a day that decided nothing." },
});

/** The schemas of the documents of open data. */
export const OPEN_DATA_SCHEMAS: SchemaObject = {
  Changes: exactObject("The changes of verdicts of 30 days, a thousand at most, oldest first.", {
    next: { ...SEQ, description: "The `seq` of the next change." },
    changes: listOf(CHANGE),
  }),
  ServiceHistory: exactObject("The changes, days and last outages of a service.", {
    slug: refTo("Slug"),
    method: METHOD,
    changes: listOf(
      exactObject("A change of the verdict.", {
        at: TIME,
        before: CODE,
        code: CODE,
        live: BOOLEAN,
      }),
    ),
    days: { ...listOf(DAY), maxItems: 90 },
    outages: {
      ...listOf(
        exactObject("An outage by the checks.", {
          ...SPELL,
          exact: { ...BOOLEAN, description: "Whether a run before the start found it working." },
          failing: { ...COUNT, description: "Endpoints that failed, in the worst run." },
          counted: COUNT,
        }),
      ),
      maxItems: 10,
    },
  }),
  HistoryIndex: exactObject("The uptimes of all services up to a full hour.", {
    method: METHOD,
    until: TIME,
    services: listOf(
      exactObject("One service.", {
        slug: refTo("Slug"),
        uptime: ofEachWindow({
          ...orNull({ type: "number", minimum: 0, maximum: 1 }),
          description: "Cut off after five decimals; null: no check.",
        }),
        checks: ofEachWindow(COUNT),
      }),
    ),
    monitorDays: listOf(
      exactObject("Runs that counted for monitors on an ended day.", { date: DATE, checks: COUNT }),
    ),
  }),
  MonitorHistory: exactObject("The days of a monitor that were not whole, and its failures.", {
    id: { type: "string", pattern: ID_PATTERN },
    method: METHOD,
    days: listOf(
      exactObject("An ended day with a check that failed or was left out.", {
        date: DATE,
        checks: COUNT,
        failed: COUNT,
        skipped: COUNT,
      }),
    ),
    failures: listOf(exactObject("A failure.", SPELL)),
  }),
  ...STATUSPAGE_SCHEMAS,
};
