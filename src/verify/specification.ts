/**
 * The specification of the API as a client reads it. A deliberate copy: checks that use the tables of the publisher could not find
 * its mistakes.
 */

/** The only pairs of code and colour. Source: API specification, "States and transitions". */
export const COLOR_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ok", "ok"],
  ["fail", "bad"],
  ["fail_long", "bad"],
  ["err", "bad"],
  ["restricted_fail", "bad"],
  ["restricted", "bad"],
  ["slow", "warn"],
  ["partial", "warn"],
  ["spike", "warn"],
  ["slowed_ru", "warn"],
  ["partial_ru", "warn"],
  ["provider", "warn"],
  ["none", "none"],
]);

/**
 * `live` of the codes whose description determines it: `fail` is an "ongoing outage right now", `spike` a current increase; with
 * `ok` "everything works", and with `none` no check could have failed. Other codes allow both.
 * Source: API specification, "States and transitions".
 */
export const LIVE_BY_CODE: ReadonlyMap<string, boolean> = new Map([
  ["fail", true],
  ["spike", true],
  ["ok", false],
  ["none", false],
]);

/** Source: API specification, "Status list". */
export const LIST_FIELDS = ["updated", "services"] as const;

/** Source: API specification, "Status summary". */
export const SUMMARY_FIELDS = ["slug", "name", "color", "code", "live"] as const;

/** Source: API specification, "Service status detail". */
export const DETAIL_FIELDS = [...SUMMARY_FIELDS, "since", "reportsHour", "reportsDay"] as const;

/** Lowercase letters, digits and hyphens. Source: API specification, "Catalogue entry". */
export const SLUG: RegExp = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

/** Seconds for which any response may be reused. Source: API specification, "Headers on responses" and "Limits". */
export const MAX_AGE_S = 60;

export const LIST_PATH = "/api/v1/status";

/** Path of the detail of a service. */
export function detailPath(slug: string): string {
  return `${LIST_PATH}/${slug}`;
}

/**
 * The objects of a public monitor. Sources: for the first, API specification, "Monitor badge"; for the others, and the value that
 * badges show, docs/verify.md.
 */
export const BADGE_NAMES = [
  "badge.svg",
  "badge.png",
  "badge.json",
  "badge-24h.svg",
  "badge-7d.svg",
  "badge-90d.svg",
] as const;
export type BadgeName = (typeof BADGE_NAMES)[number];

/** Path of an object of a monitor. */
export function badgePath(id: string, name: string): string {
  return `/api/m/${id}/${name}`;
}

/** `100%`, two decimals, or "no data" in either language. `100.00%` does not match: 100% means that no check failed. */
export const BADGE_VALUE: RegExp = /^(?:100%|\d{1,2}\.\d{2}%|нет данных|no data)$/u;
