import { type ServerClock, isInFuture } from "../http/freshness.ts";
import { isObject, type JsonObject, show } from "../api/parse-json.ts";
import {
  COUNT,
  DATE,
  type FieldRule,
  FLAG,
  findListProblems,
  findShapeProblems,
  LIST,
  NAME,
  objectOf,
  objectsOf,
  oneOf,
  orNull,
  repeatedOf,
  SECONDS,
  type Shape,
  SLUG_TEXT,
} from "../api/shape.ts";
import { CHANGED_CODES, UPTIME_WINDOWS } from "../api/specification.ts";

const RATIO: FieldRule = {
  isRight: (value) => typeof value === "number" && value >= 0 && value <= 1,
  words: "a number from 0 to 1",
};

function ofEachWindow(rule: FieldRule): FieldRule {
  return objectOf(Object.fromEntries(UPTIME_WINDOWS.map((window) => [window, rule])));
}

const UPTIMES: Shape = {
  slug: SLUG_TEXT,
  uptime: ofEachWindow(orNull(RATIO)),
  checks: ofEachWindow(COUNT),
};

/** The problems of the index of the histories. Source: docs/open-data.md, "History". */
export function findHistoryIndexProblems(
  value: JsonObject,
  slugs: readonly string[],
  clock: ServerClock,
): readonly string[] {
  const { until, services, monitorDays } = value;
  const present = objectsOf(services).map(({ slug }) => slug);
  return [
    ...findShapeProblems(value, {
      method: DATE,
      until: SECONDS,
      services: LIST,
      monitorDays: LIST,
    }),
    ...(isInFuture(until, clock) ? [`until is ${show(until)}, in the future`] : []),
    ...(Number(until) % 3_600 === 0 ? [] : [`until is ${show(until)}, not a full hour`]),
    ...findListProblems(services, "service", UPTIMES, findUptimeProblems),
    ...findListProblems(monitorDays, "day of monitors", { date: DATE, checks: COUNT }),
    ...repeatedOf(present).map((slug) => `${show(slug)} occurs more than once`),
    ...slugs.filter((slug) => !present.includes(slug)).map((slug) => `${slug} is missing`),
  ];
}

function findUptimeProblems({ uptime, checks }: JsonObject): readonly string[] {
  if (!isObject(uptime) || !isObject(checks)) return [];
  return UPTIME_WINDOWS.filter(
    (window) => (uptime[window] === null) !== (checks[window] === 0),
  ).map((window) => `uptime is ${show(uptime[window])} of ${show(checks[window])} checks`);
}

const CODE = oneOf(CHANGED_CODES);
const DAY: Shape = {
  date: DATE,
  ok: COUNT,
  slow: COUNT,
  partial: COUNT,
  denied: COUNT,
  bad: COUNT,
  none: COUNT,
};
const OUTAGE: Shape = {
  start: SECONDS,
  exact: FLAG,
  end: orNull(SECONDS),
  seconds: orNull(COUNT),
  cause: orNull(NAME),
  failing: COUNT,
  counted: COUNT,
};
const MAX_DAYS = 90;
const MAX_OUTAGES = 10;

/** The problems of the history of a service. Source: docs/open-data.md, "History". */
export function findServiceHistoryProblems(
  value: JsonObject,
  expected: string,
  clock: ServerClock,
): readonly string[] {
  const { slug, changes, days, outages } = value;
  return [
    ...findShapeProblems(value, {
      slug: SLUG_TEXT,
      method: DATE,
      changes: LIST,
      days: LIST,
      outages: LIST,
    }),
    ...(slug === expected ? [] : [`slug is ${show(slug)}, not ${expected}`]),
    ...findListProblems(
      changes,
      "change",
      { at: SECONDS, before: CODE, code: CODE, live: FLAG },
      ({ at }) => (isInFuture(at, clock) ? [`at is ${show(at)}, in the future`] : []),
    ),
    ...findListProblems(days, "day", DAY),
    ...findDayProblems(objectsOf(days), clock),
    ...findListProblems(outages, "outage", OUTAGE, (outage) => findOutageProblems(outage, clock)),
    ...(objectsOf(outages).length > MAX_OUTAGES ? [`more than ${MAX_OUTAGES} outages`] : []),
  ];
}

/** Days follow one another without a gap, and have ended. */
function findDayProblems(days: readonly JsonObject[], clock: ServerClock): readonly string[] {
  const starts = days.map(({ date }) => Date.parse(`${String(date)}T00:00:00Z`) / 1_000);
  const gap = starts.findIndex(
    (at, index) => index > 0 && at !== (starts[index - 1] ?? 0) + 86_400,
  );
  const last = starts.at(-1);
  return [
    ...(gap === -1
      ? []
      : [`day ${show(days[gap]?.["date"])} follows ${show(days[gap - 1]?.["date"])}`]),
    ...(last !== undefined && isInFuture(last + 86_400, clock)
      ? [`the day ${show(days.at(-1)?.["date"])} has not ended`]
      : []),
    ...(days.length > MAX_DAYS ? [`${days.length} days`] : []),
  ];
}

function findOutageProblems(outage: JsonObject, clock: ServerClock): readonly string[] {
  const { start, end, seconds, failing, counted } = outage;
  const expected = end === null ? null : Number(end) - Number(start);
  return [
    ...(isInFuture(end ?? start, clock) ? ["it is in the future"] : []),
    ...(seconds === expected ? [] : [`seconds is ${show(seconds)}, not ${show(expected)}`]),
    ...(Number(failing) > Number(counted)
      ? [`${show(failing)} of ${show(counted)} endpoints failed`]
      : []),
  ];
}
