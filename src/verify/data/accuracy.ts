import { type ServerClock, findFuture } from "../http/freshness.ts";
import {
  COUNT,
  DATE,
  findOrderProblems,
  findProblems,
  listOf,
  MONTH,
  NAME,
  objectOf,
  oneOf,
  orNull,
  SECONDS,
  WHOLE,
} from "../api/schema.ts";

const DELAY = objectOf({ count: COUNT, median: orNull(WHOLE), p90: orNull(WHOLE) });

const ACCURACY = objectOf({
  license: oneOf(["CC-BY-4.0"]),
  method: DATE,
  methodChanges: listOf(objectOf({ date: DATE, text: NAME })),
  since: orNull(SECONDS),
  until: SECONDS,
  truthEntries: COUNT,
  months: listOf(
    objectOf({
      month: MONTH,
      runs: COUNT,
      congestedRuns: COUNT,
      outages: objectOf({
        told: COUNT,
        short: COUNT,
        shortReported: COUNT,
        shortLookedAtElsewhere: COUNT,
        shortSeenElsewhere: COUNT,
      }),
      false: objectOf({ suspected: COUNT, confirmed: COUNT }),
      right: objectOf({ confirmed: COUNT }),
      late: objectOf({ surged: COUNT, suspected: COUNT }),
      missed: objectOf({ truthOutages: COUNT, missed: COUNT }),
      delay: objectOf({ byTruth: DELAY, byReports: DELAY }),
      noneMinutes: objectOf({ services: COUNT, runner: COUNT }),
      controls: objectOf({ compared: COUNT, onlyMoscow: COUNT, onlyAbroad: COUNT }),
    }),
  ),
});

/** The problems of the document of the accuracy. Source: docs/open-data.md, "Accuracy". */
export function findAccuracyProblems(value: unknown, clock: ServerClock): readonly string[] {
  return findProblems(ACCURACY, value, ({ until, months }) => [
    ...findFuture("until", until, clock),
    ...findOrderProblems(months.map(({ month }) => month)),
  ]);
}
