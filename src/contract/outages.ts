import * as z from "zod";
import { FAILURE_CODES } from "../model/failures.ts";
import { isFailingCode, VERDICT_CODES } from "./codes/verdict.ts";
import { SCOPE } from "./evidence.ts";
import { COUNT, DATE, exact, itemsOf, MONTH, TEXT, TIME } from "./parts.ts";
import { UNUSUAL_OPERATORS } from "./operators.ts";
import { SLUG } from "./status.ts";

const OUTAGE = exact("An outage that was told.", {
  id: TEXT.describe("`<slug>.<minute>`, permanent; the minute is that of `told`, in UTC."),
  slug: SLUG,
  category: TEXT.nullable().describe("Of the service; null: it has left the catalogue."),
  code: z.enum(VERDICT_CODES.filter(isFailingCode)).describe("The verdict that told it."),
  told: TIME.describe("When the verdict was published."),
  since: TIME.describe("When a check found it first."),
  end: TIME.nullable().describe("When the verdict was no longer failing; null: it lasts."),
  endSeen: z.boolean().describe("False: the end fell into a gap without checks, or it lasts."),
  scope: SCOPE,
  cause: z.enum(FAILURE_CODES).nullable().describe("The most frequent failure; null: not known."),
  failing: COUNT.describe("Endpoints that failed, in the worst run."),
  counted: COUNT,
  network: TEXT.nullable().describe("Shared with other services that failed with it."),
  operators: UNUSUAL_OPERATORS.nullable().describe("As known last; null: none."),
  reported: z.boolean().describe("A user reported it, from ten minutes before to the end."),
  truth: z
    .enum(["right", "false", "unclear"])
    .nullable()
    .describe("What others know of it; null: nothing."),
  sources: itemsOf(TEXT).describe("Who says so: addresses or texts."),
  together: itemsOf(TEXT).describe("Outages of others that were told within ten minutes of it."),
});

/** More than a usual month has, so that the list has all of the present one. */
export const MAX_NEWEST_OUTAGES = 300;

/** `outages/v1/<slug>/<minute>.json`. */
export type Outage = z.infer<typeof OUTAGE>;
/** `outages/v1/index.json`. */
export type OutageIndex = z.infer<typeof OUTAGE_SCHEMAS.OutageIndex>;
/** `outages/v1/<date>.json`. */
export type OutageDay = z.infer<typeof OUTAGE_SCHEMAS.OutageDay>;
/** `outages/v1/<month>.json`. */
export type OutageMonth = z.infer<typeof OUTAGE_SCHEMAS.OutageMonth>;

/** The outages. Source: docs/open-data.md, "Outages". */
export const OUTAGE_SCHEMAS = {
  Outage: OUTAGE,
  OutageIndex: exact("The newest outages, and the months with outages.", {
    outages: z.array(OUTAGE).max(MAX_NEWEST_OUTAGES).readonly().describe("The newest first."),
    months: itemsOf(
      exact("A month of UTC with outages.", { month: MONTH, outages: COUNT }),
    ).describe("The newest first."),
  }),
  OutageDay: exact("The outages that were told on a day in Moscow that is over.", {
    date: DATE,
    outages: itemsOf(OUTAGE).describe("The newest first."),
  }),
  OutageMonth: exact("The outages that were told in a month of UTC that is over.", {
    month: MONTH,
    outages: itemsOf(OUTAGE).describe("The newest first."),
  }),
};
