import * as z from "zod";
import { MIN_OPERATOR_REPORTS, OPERATORS } from "./codes/operator.ts";
import { BOOLEAN, exact, itemsOf, TEXT } from "./parts.ts";
import { SLUG } from "./status.ts";

const OPERATOR = z.enum(OPERATORS);
const ENOUGH = z.int().min(MIN_OPERATOR_REPORTS).nullable();
const PERCENT = z.int().min(0).max(100);

/** Operators whose subscribers report a service more often than usual. */
export const UNUSUAL_OPERATORS = exact("Operators with more reports than usual.", {
  shares: itemsOf(
    exact("An operator with more reports than usual.", {
      operator: OPERATOR,
      share: PERCENT.describe("Of all reports of the hour."),
      usual: PERCENT.describe("Its usual share."),
    }),
  ).describe("Three at most, the most reports first."),
  alone: BOOLEAN.describe("The first one alone makes the surge that there is."),
});

const OPERATOR_SUM = exact("The reports of an operator about a service.", {
  operator: OPERATOR,
  reportsHour: ENOUGH.describe("In the last hour; null: too few to be published."),
  reportsDay: ENOUGH.describe("In the last 24 clock hours; null: too few."),
  share: PERCENT.describe("Of all reports of the hour, or of the day if the hour has too few."),
  usual: PERCENT.nullable().describe("Its usual share; null: not known yet."),
  usualOf: z
    .enum(["service", "all"])
    .nullable()
    .describe("Whose reports `usual` is of: about this service, or about all."),
  unusual: BOOLEAN.describe("More reports than usual in the last hour."),
});

/** `operators/v1.json`. */
export type OperatorReports = z.infer<typeof OPERATOR_SCHEMAS.OperatorReports>;

/** Reports by operator. Source: docs/open-data.md, "Reports by operator". */
export const OPERATOR_SCHEMAS = {
  OperatorReports: exact("Reports by operator, of each service with enough of them.", {
    attribution: TEXT.describe("Of the data by which networks belong to operators."),
    services: itemsOf(
      exact("The reports about a service.", {
        slug: SLUG,
        operators: itemsOf(OPERATOR_SUM).describe("The most reports first."),
        unusual: UNUSUAL_OPERATORS.nullable().describe("null: none."),
      }),
    ),
  }),
};
