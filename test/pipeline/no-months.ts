import type { MonthSummaries } from "../../src/pipeline/pages/month-summaries.ts";

/** Of services whose first day is not over. */
export const NO_MONTHS: MonthSummaries = { ofService: () => [], ofAll: [] };
