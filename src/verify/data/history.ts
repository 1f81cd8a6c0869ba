import * as z from "zod";
import { findFuture, isInFuture, type ServerClock } from "../http/freshness.ts";
import { show } from "../api/parse-json.ts";
import {
  COUNT,
  DATE,
  FLAG,
  findInEach,
  findProblems,
  listOf,
  NAME,
  objectOf,
  oneOf,
  orNull,
  RATIO,
  repeatedOf,
  SECONDS,
  SLUG_TEXT,
} from "../api/schema.ts";
import { CHANGED_CODES, UPTIME_WINDOWS } from "../api/specification.ts";

const WINDOW = z.enum(UPTIME_WINDOWS);

const UPTIMES = objectOf({
  slug: SLUG_TEXT,
  uptime: z.record(WINDOW, orNull(RATIO), "an object"),
  checks: z.record(WINDOW, COUNT, "an object"),
});

const HISTORY_INDEX = objectOf({
  method: DATE,
  until: SECONDS,
  services: listOf(UPTIMES),
  monitorDays: listOf(objectOf({ date: DATE, checks: COUNT })),
});

/** The problems of the index of the histories. Source: docs/open-data.md, "History". */
export function findHistoryIndexProblems(
  value: unknown,
  slugs: readonly string[],
  clock: ServerClock,
): readonly string[] {
  return findProblems(HISTORY_INDEX, value, ({ until, services }) => {
    const present = services.map(({ slug }) => slug);
    return [
      ...findFuture("until", until, clock),
      ...(until % 3_600 === 0 ? [] : [`until is ${until}, not a full hour`]),
      ...findInEach("services", services, findUptimeProblems),
      ...repeatedOf(present).map((slug) => `${show(slug)} occurs more than once`),
      ...slugs.filter((slug) => !present.includes(slug)).map((slug) => `${slug} is missing`),
    ];
  });
}

function findUptimeProblems({ uptime, checks }: z.infer<typeof UPTIMES>): readonly string[] {
  return UPTIME_WINDOWS.filter(
    (window) => (uptime[window] === null) !== (checks[window] === 0),
  ).map((window) => `uptime is ${show(uptime[window])} of ${checks[window]} checks`);
}

const CHANGED_CODE = oneOf(CHANGED_CODES);

const DAY = objectOf({
  date: DATE,
  ok: COUNT,
  slow: COUNT,
  partial: COUNT,
  denied: COUNT,
  bad: COUNT,
  none: COUNT,
});

const OUTAGE = objectOf({
  start: SECONDS,
  exact: FLAG,
  end: orNull(SECONDS),
  seconds: orNull(COUNT),
  cause: orNull(NAME),
  failing: COUNT,
  counted: COUNT,
});

const HISTORY = objectOf({
  slug: SLUG_TEXT,
  method: DATE,
  changes: listOf(objectOf({ at: SECONDS, before: CHANGED_CODE, code: CHANGED_CODE, live: FLAG })),
  days: listOf(DAY),
  outages: listOf(OUTAGE),
});

const MAX_DAYS = 90;
const MAX_OUTAGES = 10;

/** The problems of the history of a service. Source: docs/open-data.md, "History". */
export function findServiceHistoryProblems(
  value: unknown,
  expected: string,
  clock: ServerClock,
): readonly string[] {
  return findProblems(HISTORY, value, ({ slug, changes, days, outages }) => [
    ...(slug === expected ? [] : [`slug is ${show(slug)}, not ${expected}`]),
    ...findInEach("changes", changes, ({ at }) => findFuture("at", at, clock)),
    ...findDayProblems(
      days.map(({ date }) => date),
      clock,
    ),
    ...findInEach("outages", outages, (outage) => findOutageProblems(outage, clock)),
    ...(outages.length > MAX_OUTAGES ? [`more than ${MAX_OUTAGES} outages`] : []),
  ]);
}

/** Days follow one another without a gap, and have ended. */
function findDayProblems(dates: readonly string[], clock: ServerClock): readonly string[] {
  const starts = dates.map((date) => Date.parse(`${date}T00:00:00Z`) / 1_000);
  const gap = starts.findIndex(
    (at, index) => index > 0 && at !== (starts[index - 1] ?? 0) + 86_400,
  );
  const last = starts.at(-1);
  return [
    ...(gap === -1 ? [] : [`day ${show(dates[gap])} follows ${show(dates[gap - 1])}`]),
    ...(last !== undefined && isInFuture(last + 86_400, clock)
      ? [`the day ${show(dates.at(-1))} has not ended`]
      : []),
    ...(dates.length > MAX_DAYS ? [`${dates.length} days`] : []),
  ];
}

function findOutageProblems(
  { start, end, seconds, failing, counted }: z.infer<typeof OUTAGE>,
  clock: ServerClock,
): readonly string[] {
  const expected = end === null ? null : end - start;
  return [
    ...(isInFuture(end ?? start, clock) ? ["it is in the future"] : []),
    ...(seconds === expected ? [] : [`seconds is ${seconds}, not ${expected}`]),
    ...(failing > counted ? [`${failing} of ${counted} endpoints failed`] : []),
  ];
}
