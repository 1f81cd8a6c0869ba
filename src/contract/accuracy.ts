import * as z from "zod";
import { COUNT, DATE, exact, itemsOf, MONTH, NAME, TIME } from "./parts.ts";
import { isFailingCode, VERDICT_CODES } from "./codes/verdict.ts";

const told = (description: string) => COUNT.describe(description);

function delay(description: string, seconds: z.ZodNumber | z.ZodInt) {
  return exact(description, {
    count: told("Outages that these values are of."),
    median: seconds.nullable(),
    p90: seconds.nullable(),
  });
}

const OF_MONTH = exact("A month, in UTC, up to the end of the last day.", {
  month: MONTH,
  runs: told("Valid runs of checks."),
  congestedRuns: told("Those of them in which the runner was slow itself."),
  outages: exact(
    `Failing verdicts that began in it: ${VERDICT_CODES.filter(isFailingCode).join(", ")}.`,
    {
      told: told("All of them. A relapse within 15 minutes continues one."),
      short: told("Over after two runs at most."),
      shortReported: told("Short ones that a user reported, from ten minutes before to the end."),
      shortLookedAtElsewhere: told("Short ones at which another place looked."),
      shortSeenElsewhere: told("Short ones that another place saw."),
    },
  ),
  false: exact("Failing verdicts of services that worked.", {
    suspected: told(
      "Short ones without a report, which no other place saw and the truth does not know.",
    ),
    confirmed: told("By the truth."),
  }),
  right: exact("Failing verdicts of services that did not work.", {
    confirmed: told("By the truth."),
  }),
  late: exact("Failing verdicts that came late.", {
    surged: told("Outages in which reports surged."),
    suspected: told("Those of them that surged ten minutes or more before the verdict."),
  }),
  missed: exact("Outages without a failing verdict.", {
    truthOutages: told("Outages of the truth that began in it."),
    missed: told("Those of them without a verdict."),
  }),
  delay: exact("Seconds to the verdict, by the nearest rank.", {
    byTruth: delay("From the beginning by the truth; 0 if the verdict came before.", COUNT),
    byReports: delay("From the surge of reports; negative if the verdict came before.", z.int()),
  }),
  noneMinutes: exact("Minutes without a check of the last 15 minutes.", {
    services: told("Of all services together."),
    runner: told("In which there was none at all."),
  }),
  controls: exact("Services, in each run, beside calibrated places abroad.", {
    compared: told("That could be compared."),
    onlyMoscow: told("Failed in Moscow and worked abroad."),
    onlyAbroad: told("Worked in Moscow and failed abroad."),
  }),
});

/** `accuracy/v1.json`. */
export type Accuracy = z.infer<typeof ACCURACY_SCHEMAS.Accuracy>;

export const ACCURACY_SCHEMAS = {
  Accuracy: exact("How often the verdicts were wrong. It changes once a day.", {
    license: z.literal("CC-BY-4.0"),
    method: DATE.describe("Date of the last change of the method."),
    methodChanges: itemsOf(exact("A change of the method.", { date: DATE, text: NAME })),
    since: TIME.describe("Beginning of the record; null: there is none yet.").nullable(),
    until: TIME.describe("End of the last day that is counted."),
    truthEntries: told("Entries of the list of what is known from elsewhere."),
    months: z.array(OF_MONTH).max(24).readonly().describe("Newest first."),
  }),
};
