import type { FailureCode } from "./outcome.ts";

/** A site that a user registered. Its badge and page exist only while `isPublic`. */
export interface Monitor {
  /** Unique without regard to case. */
  readonly id: string;
  /** Absolute http or https URL in its normal form. */
  readonly url: string;
  /** What the owner calls it; the host when they did not say. Hostile: written by strangers. */
  readonly name: string;
  readonly isPublic: boolean;
  /** Statuses that count as healthy. Absent: any below 400, after redirects. A 3xx named here is not followed. */
  readonly expect?: readonly number[];
  /** Longest time of one check, milliseconds, at most 20,000. Absent: 20,000. */
  readonly timeoutMs?: number;
  /** Text that a healthy answer's body holds. */
  readonly body?: string;
  /** What the badge says on its left. Absent: the word for uptime. */
  readonly label?: string;
}

/**
 * What the owner of a healthy monitor should know. `mixed-addresses`: DNS gives addresses of its name that are public, and others
 * that are not: checks go to the public ones, and some visitors do not get there.
 */
export const MONITOR_WARNINGS = ["mixed-addresses"] as const;
export type MonitorWarning = (typeof MONITOR_WARNINGS)[number];

/** What one run concluded about one monitor. Only `healthy` and `failing` are decided checks. */
export type CheckVerdict =
  /** `totalMs`: how long the deciding probe took, redirects included; absent where nobody asks. */
  | { readonly kind: "healthy"; readonly totalMs?: number; readonly warning?: MonitorWarning }
  | { readonly kind: "failing"; readonly code: FailureCode }
  /** The guard did not let us connect, and the monitor was never healthy: a mistake of the owner or an attack, but no downtime. */
  | { readonly kind: "refused"; readonly code: FailureCode }
  /** Not probed in time, or not confirmed. */
  | { readonly kind: "skipped" };

/**
 * The verdict as it counts. A site that was healthy and now leads to where we do not go is not there for its visitors any more,
 * so its refusal is a failure; otherwise an owner could keep an uptime for ever. Source: docs/uptime.md, "Refusals".
 */
export function countRefusal(verdict: CheckVerdict, wasHealthy: boolean): CheckVerdict {
  return verdict.kind === "refused" && wasHealthy
    ? { kind: "failing", code: verdict.code }
    : verdict;
}

/** Windows over which uptime is counted, the shortest first. */
export const UPTIME_WINDOWS = ["24h", "7d", "30d", "90d"] as const;
export type UptimeWindow = (typeof UPTIME_WINDOWS)[number];

/** The window of the badge at `badge.svg`. */
export const BADGE_WINDOW: UptimeWindow = "30d";

/** Checks of one monitor in one window. */
export interface UptimeCount {
  readonly decided: number;
  readonly healthy: number;
}

/** How a badge is coloured: five steps of uptime, and grey for no data. */
export type BadgeTone = "best" | "good" | "fair" | "poor" | "bad" | "none";

/** Everything that one badge shows. Equal looks are equal bytes. */
export interface BadgeLook {
  readonly label: string;
  readonly message: string;
  readonly tone: BadgeTone;
}

/** The badges of one monitor. */
export type BadgeLooks = Readonly<Record<UptimeWindow, BadgeLook>>;
