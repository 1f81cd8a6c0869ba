import type { Annotation, Category } from "../model/catalogue.ts";
import type { ConnectivityState } from "../model/connectivity.ts";
import type { CheckClass } from "../model/history.ts";
import type { MonitorWarning, UptimeCount, UptimeWindow } from "../model/monitor.ts";
import type { FailureCode, Stage } from "../model/outcome.ts";
import type { ReportCounts } from "../model/reports.ts";
import type { MonitorCondition } from "../model/uptime.ts";
import type { Verdict } from "../model/verdict.ts";

/** Where the website lives. */
export interface SiteAddress {
  /** `https://status.example.ru`, without a slash at its end. */
  readonly origin: string;
  /** Path before all pages, without a slash at its end: empty, or `/status`. */
  readonly root: string;
}

/** What the last check says of one endpoint. `unknown`: it was not looked at yet. */
export type EndpointFinding =
  | { readonly kind: "ok"; readonly isFlaky: boolean; readonly isUnverified: boolean }
  | { readonly kind: "denied" }
  | {
      readonly kind: "failed";
      readonly stage: Stage;
      readonly code: FailureCode;
      readonly httpStatus?: number;
    }
  | { readonly kind: "skipped" }
  | { readonly kind: "unknown" };

export interface EndpointView {
  readonly url: string;
  /** In English, as in the catalogue. */
  readonly what: string;
  readonly isCritical: boolean;
  readonly finding: EndpointFinding;
}

/** The worst check class of a stretch of time; null: no check in it. */
export type StripCell = CheckClass | null;

/**
 * Everything that the page of one service shows. It holds no time that moves with each run, so that the page of a service to which
 * nothing happens stays as it is: when the last run was is in a document of its own. Series end with the present, the oldest first.
 */
export interface ServiceView {
  readonly slug: string;
  /** In Russian. */
  readonly name: string;
  readonly category: Category;
  readonly verdict: Verdict;
  readonly reports: ReportCounts;
  /** When the last check of this service was, if the last run did not look at it; null: the last run did, or none ever has. */
  readonly staleCheckMs: number | null;
  readonly endpoints: readonly EndpointView[];
  readonly annotations: readonly Annotation[];
  /** Reports in each hour of the clock, 24 of them; the last one is the hour under way. */
  readonly reportHours: readonly number[];
  /** Each half hour of the clock, 48 of them; the last one is under way. */
  readonly halfHours: readonly StripCell[];
  /** Each UTC day, 90 of them; the last one is today. */
  readonly days: readonly StripCell[];
  /** Median response time of the first critical endpoint in each complete hour of the clock, milliseconds; 24 of them; null: none. */
  readonly responseMs: readonly (number | null)[];
}

/** Everything that the page of one monitor shows. */
export interface MonitorView {
  readonly id: string;
  /** Hostile, as the URL: written by strangers. */
  readonly name: string;
  readonly url: string;
  readonly condition: MonitorCondition;
  /** Start of the condition; null before the first check. */
  readonly sinceMs: number | null;
  /** Of the last failure, where the condition is failing or refused. */
  readonly code?: FailureCode;
  /** Of the last check, where the condition is healthy. */
  readonly warning?: MonitorWarning;
  readonly uptimes: Readonly<Record<UptimeWindow, UptimeCount>>;
  /** Each UTC day, 90 of them, the last one is today; null: no decided check. */
  readonly days: readonly (MonitorDayView | null)[];
  /** Response time in each hour of the clock, milliseconds; 24 of them, the last one complete or under way; null: none. */
  readonly responseMs: readonly (number | null)[];
}

/** One day of a monitor: how bad it was, in steps, so that a day which goes on does not change with each run. */
export type MonitorDayView = "whole" | "minor" | "major";

/** One change of a verdict. */
export interface ChangeView {
  readonly slug: string;
  readonly name: string;
  readonly atMs: number;
  readonly code: Verdict["code"];
  readonly before: Verdict["code"];
}

/** What all pages are built from: the same snapshot as the documents. */
export interface SiteView {
  readonly address: SiteAddress;
  readonly categories: readonly Category[];
  /** In catalogue order. */
  readonly services: readonly ServiceView[];
  /** The newest first. */
  readonly changes: readonly ChangeView[];
  /** What was wrong with the runner's own way in the last run; null: nothing, or it is too long ago. */
  readonly way: WayView | null;
}

/** A state of the way that pages tell of. */
export type WayView = Exclude<ConnectivityState, "fine" | "offline">;
