import { type FailureCode, ODDITY_CODES } from "../probe-outcome.ts";

/** A site that a user registered. Its badge and page exist only while `isPublic`. */
export interface Monitor {
  /** Unique case-insensitively. */
  readonly id: string;
  /** Absolute http or https URL in its normal form. */
  readonly url: string;
  /** Given by the owner; the host by default. Hostile input. */
  readonly name: string;
  readonly isPublic: boolean;
  /** Statuses that count as healthy. Absent: any below 400, after redirects. A 3xx named here is not followed. */
  readonly expect?: readonly number[];
  /** Limit of one check, milliseconds, at most 20,000. Absent: 20,000. */
  readonly timeoutMs?: number;
  /** Text that the body of a healthy answer must contain. */
  readonly body?: string;
  /** Left text of the badge. Absent: the word for uptime. */
  readonly label?: string;
  /** When its owner added it, without the operator; absent for a monitor of the registry. */
  readonly ownedSinceMs?: number;
}

/**
 * Warnings to an owner. `robot-wall`: a wall against robots answers us in place of the site. The others are of a healthy monitor. `mixed-addresses`: its name has public and non-public addresses in DNS. Checks
 * connect to the public ones only, and some visitors may not reach the site. The others are what browsers forgive, and other programs may
 * not. Of several, the first of this list is told.
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

/** Characters of the URL of a monitor at most. */
export const MAX_URL_CHARACTERS = 2_048;
