import * as z from "zod";
import { SYMPTOMS } from "../model/service/reports.ts";
import { COUNT, exact } from "./parts.ts";
import { SLUG } from "./status.ts";

const SYMPTOM = z.enum(SYMPTOMS).describe("What is wrong.");

/** A report of a user, and its answers. */
export const REPORT_SCHEMAS = {
  ReportCounts: exact("The counts of the service, including this report.", {
    slug: SLUG,
    reportsHour: COUNT,
    reportsDay: COUNT,
  }),
  Symptom: SYMPTOM,
  Report: z
    .object({ symptom: SYMPTOM.nullable().optional() })
    .describe("Other fields are ignored."),
  ReportForm: z
    .object({ symptom: z.union([SYMPTOM, z.literal("")]).optional() })
    .describe("Other fields are ignored; an empty symptom means none."),
  Error: exact("Why the request failed.", { error: z.string().min(1) }),
};
