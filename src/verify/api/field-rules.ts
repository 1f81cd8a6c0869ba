import { type JsonObject, show } from "./parse-json.ts";
import { COLOR_BY_CODE, LIVE_BY_CODE, SLUG } from "./specification.ts";

/** Missing and unknown fields; their order does not matter. */
export function findFieldProblems(value: JsonObject, fields: readonly string[]): readonly string[] {
  const present = Object.keys(value);
  return [
    ...fields.filter((name) => !present.includes(name)).map((name) => `${name} is missing`),
    ...present.filter((name) => !fields.includes(name)).map((name) => `${name} is not a field`),
  ];
}

/** Wrong types among the five fields that list and detail share. Absent fields are left to `findFieldProblems`. */
export function findTypeProblems(value: JsonObject): readonly string[] {
  const texts = ["slug", "name", "color", "code"].filter(
    (name) => name in value && (typeof value[name] !== "string" || value[name].trim() === ""),
  );
  const { live } = value;
  return [
    ...texts.map((name) => `${name} is ${show(value[name])}, not a text`),
    ...(live === undefined || typeof live === "boolean"
      ? []
      : [`live is ${show(live)}, not true or false`]),
  ];
}

/** Whether code and colour are a pair of the specification. */
export function findPairProblems({ code, color }: JsonObject): readonly string[] {
  if (typeof code !== "string" || typeof color !== "string") return [];
  const expected = COLOR_BY_CODE.get(code);
  if (expected === undefined) return [`${show(code)} is not a code`];
  return color === expected ? [] : [`${code} with the colour ${show(color)}, not ${expected}`];
}

/** Whether `live` contradicts the code. */
export function findLiveProblems({ code, live }: JsonObject): readonly string[] {
  if (typeof code !== "string" || typeof live !== "boolean") return [];
  const expected = LIVE_BY_CODE.get(code);
  return expected === undefined || live === expected ? [] : [`${code} with live ${live}`];
}

/** Whether the slug is valid. */
export function findSlugProblems(slug: unknown): readonly string[] {
  if (typeof slug !== "string") return [];
  return SLUG.test(slug) ? [] : [`${show(slug)} is not lowercase letters, digits and hyphens`];
}

/** Whether a value is whole Unix seconds. The upper bound, in the year 5138, excludes milliseconds. */
export function isUnixSeconds(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < 1e11;
}

/** Whether `since` is null or in the past. The clocks of runner and server may differ by the tolerance. */
export function findSinceProblems(
  { since }: JsonObject,
  nowMs: number,
  toleranceMs: number,
): readonly string[] {
  if (since === null || since === undefined) return [];
  if (!isUnixSeconds(since)) return [`since is ${show(since)}, not whole Unix seconds or null`];
  const aheadMs = since * 1_000 - nowMs;
  return aheadMs > toleranceMs ? [`since is ${Math.round(aheadMs / 1_000)} s in the future`] : [];
}

/** Whether both counts are whole numbers from 0, and the hour's is not above the day's. */
export function findReportProblems(value: JsonObject): readonly string[] {
  const names = ["reportsHour", "reportsDay"].filter((name) => name in value);
  const wrong = names.filter((name) => !isCount(value[name]));
  if (wrong.length > 0) {
    return wrong.map((name) => `${name} is ${show(value[name])}, not a whole number from 0`);
  }
  const { reportsHour: hour, reportsDay: day } = value;
  return isCount(hour) && isCount(day) && hour > day
    ? [`reportsHour ${hour} is above reportsDay ${day}`]
    : [];
}

/** Whether a value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
