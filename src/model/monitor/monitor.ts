import type * as z from "zod";
import { type FailureCode, ODDITY_CODES } from "../failures.ts";
import { HISTORY_DAYS } from "../time.ts";
import type { CHECKED_MONITOR, MONITOR, OWNER_SETTINGS } from "./monitor-schema.ts";

/** A site that a user registered. Its badge and page exist only while `isPublic`. */
export interface Monitor extends Readonly<z.infer<typeof MONITOR>> {
  /** When its owner added it, without the operator; absent for a monitor of the registry. */
  readonly ownedSinceMs?: number;
}

/** What a check needs of a monitor. */
export type CheckedMonitor = Readonly<z.infer<typeof CHECKED_MONITOR>>;

/** Settings of a monitor that its owner may change; null: the default. */
export type OwnerSettings = Readonly<z.infer<typeof OWNER_SETTINGS>>;

/**
 * Warnings to an owner; of several the first is told. `robot-wall`: a wall against robots answers us in place of the site. The others are
 * of a healthy monitor. `mixed-addresses`: DNS has public and other addresses of its name. Checks connect to the public ones only, and
 * some visitors may not reach the site. The rest is what browsers forgive, and other programs may not.
 */
export const MONITOR_WARNINGS = ["robot-wall", "mixed-addresses", ...ODDITY_CODES] as const;
export type MonitorWarning = (typeof MONITOR_WARNINGS)[number];

/** The result of one run for one monitor. Only `healthy` and `failing` are decided checks. */
export type CheckResult =
  /** `totalMs`: duration of the deciding probe, redirects included; absent if response times are not recorded. */
  | { readonly kind: "healthy"; readonly totalMs?: number; readonly warning?: MonitorWarning }
  | { readonly kind: "failing"; readonly code: FailureCode }
  /** The URL guard refused the target, and the monitor was never healthy: a mistake of the owner or an attack, not downtime. */
  | { readonly kind: "refused"; readonly code: FailureCode }
  /** Not probed in time, or not confirmed. `isWalled`: a wall against robots has answered, so nothing is known of the site. */
  | { readonly kind: "skipped"; readonly isWalled?: true };

/**
 * The check result for the uptime. A refusal of a monitor that was healthy counts as a failure: its visitors no longer reach the
 * site, and otherwise an owner could freeze the uptime for ever. Source: docs/monitors/uptime.md, "Refusals".
 */
export function countRefusal(result: CheckResult, wasHealthy: boolean): CheckResult {
  return result.kind === "refused" && wasHealthy ? { kind: "failing", code: result.code } : result;
}

/** The shortest first. */
export const UPTIME_WINDOWS = ["24h", "7d", "30d", "90d"] as const;
export type UptimeWindow = (typeof UPTIME_WINDOWS)[number];

/** UTC days of each window, the present one among them; `24h` has the checks of a day in their place. */
export const WINDOW_DAYS: Readonly<Record<Exclude<UptimeWindow, "24h">, number>> = {
  "7d": 7,
  "30d": 30,
  "90d": HISTORY_DAYS,
};

/** A value for each window. */
export function byWindow<T>(valueOf: (window: UptimeWindow) => T): Record<UptimeWindow, T> {
  // The keys are all windows.
  const values = Object.fromEntries(UPTIME_WINDOWS.map((window) => [window, valueOf(window)]));
  return values as Record<UptimeWindow, T>;
}

/** The window of the badge at `badge.svg`. */
export const BADGE_WINDOW: UptimeWindow = "30d";

/** Checks of one monitor in one window. */
export interface UptimeCount {
  readonly decided: number;
  readonly healthy: number;
}

/** Colour of a badge: five steps of uptime, and grey for no data. */
export type BadgeTone = "best" | "good" | "fair" | "poor" | "bad" | "none";

/** The whole content of a badge: equal content gives equal bytes. */
export interface BadgeContent {
  readonly label: string;
  readonly message: string;
  readonly tone: BadgeTone;
}

export type BadgeContents = Readonly<Record<UptimeWindow, BadgeContent>>;
