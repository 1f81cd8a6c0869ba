/**
 * The specification of the API as a client reads it. Deliberately a copy of our own: a check that took these tables from the
 * publisher could not see the publisher being wrong.
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
 * Where the wording of a code leaves `live` no choice: `fail` is an "ongoing outage right now" and `spike` an increase that
 * is on; with `ok` "everything works", and with `none` there are no checks that could have failed. Other codes may be either.
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

/** Seconds for which any answer may be reused. Source: API specification, "Headers on responses" and "Limits". */
export const MAX_AGE_S = 60;

export const LIST_PATH = "/api/v1/status";

/** Path of one service. */
export function detailPath(slug: string): string {
  return `${LIST_PATH}/${slug}`;
}

/** Path of the badge of a monitor. */
export function badgePath(id: string): string {
  return `/api/m/${id}/badge.svg`;
}
