import { type ServerClock, isInFuture } from "../http/freshness.ts";
import { type JsonObject, show } from "../api/parse-json.ts";
import {
  COUNT,
  DATE,
  type FieldRule,
  findListProblems,
  findShapeProblems,
  LIST,
  matching,
  NAME,
  objectOf,
  objectsOf,
  oneOf,
  orNull,
  SECONDS,
  type Shape,
} from "../api/shape.ts";

function countsOf(...names: readonly string[]): FieldRule {
  return objectOf(Object.fromEntries(names.map((name) => [name, COUNT])));
}

/** A report can come after the verdict, so seconds may be negative. */
const WHOLE: FieldRule = { isRight: Number.isSafeInteger, words: "a whole number" };
const DELAY = objectOf({ count: COUNT, median: orNull(WHOLE), p90: orNull(WHOLE) });

const MONTH: Shape = {
  month: matching(/^\d{4}-\d\d$/u, "YYYY-MM"),
  runs: COUNT,
  congestedRuns: COUNT,
  outages: countsOf(
    "told",
    "short",
    "shortReported",
    "shortLookedAtElsewhere",
    "shortSeenElsewhere",
  ),
  false: countsOf("suspected", "confirmed"),
  right: countsOf("confirmed"),
  late: countsOf("surged", "suspected"),
  missed: countsOf("truthOutages", "missed"),
  delay: objectOf({ byTruth: DELAY, byReports: DELAY }),
  noneMinutes: countsOf("services", "runner"),
  controls: countsOf("compared", "onlyMoscow", "onlyAbroad"),
};

const ACCURACY: Shape = {
  license: oneOf(["CC-BY-4.0"]),
  method: DATE,
  methodChanges: LIST,
  since: orNull(SECONDS),
  until: SECONDS,
  truthEntries: COUNT,
  months: LIST,
};

/** The problems of the document of the accuracy. Source: docs/open-data.md, "Accuracy". */
export function findAccuracyProblems(value: JsonObject, clock: ServerClock): readonly string[] {
  const { methodChanges, until, months } = value;
  const names = objectsOf(months).map(({ month }) => String(month));
  const late = names.findIndex((name, index) => index > 0 && name >= (names[index - 1] ?? ""));
  return [
    ...findShapeProblems(value, ACCURACY),
    ...findListProblems(methodChanges, "change of the method", { date: DATE, text: NAME }),
    ...findListProblems(months, "month", MONTH),
    ...(isInFuture(until, clock) ? [`until is ${show(until)}, in the future`] : []),
    ...(late === -1 ? [] : [`${show(names[late])} follows ${show(names[late - 1])}`]),
  ];
}
