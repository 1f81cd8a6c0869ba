import { exactObject, type SchemaObject, TIME } from "./schemas.ts";

const COUNT: SchemaObject = { type: "integer", minimum: 0 };
const DAY: SchemaObject = { type: "string", format: "date" };

function orNull(schema: SchemaObject): SchemaObject {
  return { anyOf: [schema, { type: "null" }] };
}

function told(description: string): SchemaObject {
  return { ...COUNT, description };
}

function delay(description: string, seconds: SchemaObject): SchemaObject {
  return exactObject(description, {
    count: told("Outages that these values are of."),
    median: orNull(seconds),
    p90: orNull(seconds),
  });
}

const MONTH = exactObject("A month, in UTC, up to the end of the last day.", {
  month: { type: "string", pattern: "^\\d{4}-\\d{2}$" },
  runs: told("Valid runs of checks."),
  congestedRuns: told("Those of them in which the runner was slow itself."),
  outages: exactObject(
    "Failing verdicts that began in it: fail, fail_long, err, restricted_fail.",
    {
      told: told("All of them. A relapse within 15 minutes continues one."),
      short: told("Over after two runs at most."),
      shortReported: told("Short ones that a user reported, from ten minutes before to the end."),
      shortLookedAtElsewhere: told("Short ones at which another place looked."),
      shortSeenElsewhere: told("Short ones that another place saw."),
    },
  ),
  false: exactObject("Failing verdicts of services that worked.", {
    suspected: told(
      "Short ones without a report, which no other place saw and the truth does not know.",
    ),
    confirmed: told("By the truth."),
  }),
  right: exactObject("Failing verdicts of services that did not work.", {
    confirmed: told("By the truth."),
  }),
  late: exactObject("Failing verdicts that came late.", {
    surged: told("Outages in which reports surged."),
    suspected: told("Those of them that surged ten minutes or more before the verdict."),
  }),
  missed: exactObject("Outages without a failing verdict.", {
    truthOutages: told("Outages of the truth that began in it."),
    missed: told("Those of them without a verdict."),
  }),
  delay: exactObject("Seconds to the verdict, by the nearest rank.", {
    byTruth: delay("From the beginning by the truth; 0 if the verdict came before.", COUNT),
    byReports: delay("From the surge of reports; negative if the verdict came before.", {
      type: "integer",
    }),
  }),
  noneMinutes: exactObject("Minutes without a check of the last 15 minutes.", {
    services: told("Of all services together."),
    runner: told("In which there was none at all."),
  }),
  controls: exactObject("Services, in each run, beside calibrated places abroad.", {
    compared: told("That could be compared."),
    onlyMoscow: told("Failed in Moscow and worked abroad."),
    onlyAbroad: told("Worked in Moscow and failed abroad."),
  }),
});

/** The schema of the document of the accuracy. */
export const ACCURACY_SCHEMAS: SchemaObject = {
  Accuracy: exactObject("How often the verdicts were wrong. It changes once a day.", {
    license: { const: "CC-BY-4.0" },
    method: { ...DAY, description: "Date of the last change of the method." },
    methodChanges: {
      type: "array",
      items: exactObject("A change of the method.", { date: DAY, text: { type: "string" } }),
    },
    since: orNull({ ...TIME, description: "Beginning of the record; null: there is none yet." }),
    until: { ...TIME, description: "End of the last day that is counted." },
    truthEntries: told("Entries of the list of what is known from elsewhere."),
    months: { type: "array", items: MONTH, maxItems: 24, description: "Newest first." },
  }),
};
