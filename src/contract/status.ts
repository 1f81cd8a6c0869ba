import { MAX_SLUG_LENGTH, SLUG_FORM } from "../model/ids.ts";
import * as z from "zod";
import { type Color, COLOR_OF, VERDICT_CODES, type VerdictCode } from "./codes/verdict.ts";
import { COLOR_WORDS, VERDICT_EXPLANATIONS, VERDICT_LABELS } from "./codes/verdict-words.ts";
import { refTo } from "./components.ts";
import { BOOLEAN, COUNT, exact, itemsOf, NAME, TIME } from "./parts.ts";

function toList(words: Readonly<Record<string, string>>): string {
  return Object.entries(words)
    .map(([code, word]) => `- \`${code}\`: ${word}`)
    .join("\n");
}

/** As in the catalogue. */
export const SLUG = z
  .string()
  .max(MAX_SLUG_LENGTH)
  .regex(SLUG_FORM, "lowercase letters, digits and hyphens")
  .describe("Short name of the service; it never changes.");

const CODE = z
  .enum(VERDICT_CODES)
  .describe(`The exact verdict.\n\n${toList(VERDICT_EXPLANATIONS.en)}`);

// There is a colour, because there is a code.
const COLORS = [...new Set(Object.values(COLOR_OF))] as [Color, ...Color[]];
const COLOR = z.enum(COLORS).describe(`The status light.\n\n${toList(COLOR_WORDS.en)}`);

const [FIRST, ...OTHERS] = VERDICT_CODES;
/** The only pairs of code and colour. */
const PAIR = z
  .discriminatedUnion("code", [pairOf(FIRST), ...OTHERS.map(pairOf)])
  .describe("The colour of each code.");

function pairOf(code: VerdictCode) {
  return z
    .object({ code: z.literal(code), color: z.literal(COLOR_OF[code]) })
    .meta({ title: VERDICT_LABELS.en[code] });
}

const SUMMARY_FIELDS = {
  slug: SLUG,
  name: NAME.describe("Name of the service, in Russian."),
  color: COLOR,
  code: CODE,
  live: BOOLEAN.describe(
    "Whether a failure in recent checks, or a spike in reports, is happening right now. False: the state is persistent.",
  ),
};

/** What every description of a service adds to its fields. */
const PAIRED = { allOf: [refTo("Verdict")] };

const isPair = (one: object): boolean => PAIR.safeParse(one).success;

const STATUS_SUMMARY = exact("One service in brief.", SUMMARY_FIELDS).refine(isPair).meta(PAIRED);

export type StatusSummary = z.infer<typeof STATUS_SUMMARY>;
/** `api/v1/status`. */
export type StatusList = z.infer<typeof STATUS_SCHEMAS.StatusList>;
/** `api/v1/status/<slug>`. */
export type StatusDetail = z.infer<typeof STATUS_SCHEMAS.StatusDetail>;

/** The API of statuses: source is its specification, "Endpoints". */
export const STATUS_SCHEMAS = {
  Slug: SLUG,
  Code: CODE,
  Color: COLOR,
  Verdict: PAIR,
  StatusSummary: STATUS_SUMMARY,
  StatusList: exact("All services of the catalogue.", {
    updated: TIME.describe(
      "Time of the last run of checks, Unix seconds. Reports do not change it.",
    ),
    services: itemsOf(STATUS_SUMMARY).describe("One entry per service, in catalogue order."),
  }),
  StatusDetail: exact("One service, with the counts of reports.", {
    ...SUMMARY_FIELDS,
    since: TIME.nullable().describe(
      "When the current state of the checks began, Unix seconds; null: never checked.",
    ),
    reportsHour: COUNT.describe("User reports in the last hour."),
    reportsDay: COUNT.describe("User reports in the last 24 hours."),
  })
    .refine(isPair)
    .meta(PAIRED),
};
