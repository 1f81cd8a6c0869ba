import type { FoldedIds } from "./folded-ids.ts";
import type { Recent } from "./recent.ts";

/** User reports about one service, as of the time of publishing. */
export interface ReportCounts {
  /** Reports in the last hour. */
  readonly hour: number;
  /** Reports in the last 24 hours. */
  readonly day: number;
  /** Whether a statistically sharp increase is on. */
  readonly isSurging: boolean;
}

/** By slug; a service that is absent has no reports. */
export type Reports = ReadonlyMap<string, ReportCounts>;

export const NO_REPORTS: ReportCounts = { hour: 0, day: 0, isSurging: false };

/** What a person may say is wrong. Closed: an index into this list is stored, so new ones go to the end. */
export const SYMPTOMS = ["does-not-open", "slow", "login", "payments", "app", "other"] as const;
export type Symptom = (typeof SYMPTOMS)[number];

/** One press of the button. Nothing in it leads back to a person. */
export interface Report {
  readonly slug: string;
  readonly atMs: number;
  /** Keyed hash of the /24 (IPv4) or /48 (IPv6), base64url, at most 16 characters. */
  readonly network: string;
  /** Keyed hash of the /16 (IPv4) or /32 (IPv6) around it, of the same form. */
  readonly block: string;
  readonly symptom?: Symptom;
}

/** Slots of five minutes, `floor(atMs / SURGE_SLOT_MS)`: surges are evaluated at the beginning of each. */
export const SURGE_SLOT_MS = 300_000;

/**
 * `held`: reports rise sharply, but together with those of so many other services that one event of the network explains
 * them; not a surge of the service.
 */
export type SurgePhase = "off" | "on" | "held";

/** The hysteresis of one service. */
export interface Surge {
  readonly phase: SurgePhase;
  /** Evaluation at which the last surge started, or began to be held; 0 before the first. */
  readonly startedAtMs: number;
  /** Consecutive quiet evaluations until now, while on or held. */
  readonly quiet: number;
  /** Last slot at whose evaluation the phase was not `off`; -1 before the first. */
  readonly loudSlot: number;
}

export const NO_SURGE: Surge = { phase: "off", startedAtMs: 0, quiet: 0, loudSlot: -1 };

/** `floor(atMs / 1 min)`; reports that count; all that came. */
export type MinuteRow = readonly [minute: number, counted: number, raw: number];
/** `floor(atMs / 1 h)`; accepted reports by symptom, in the order of `SYMPTOMS`, those without one left out. */
export type SymptomRow = readonly [hour: number, counts: readonly number[]];
/**
 * `floor(atMs / 1 h)`; reports in those slots of the hour that speak of normal times; how many slots, 0 to 12, do not. An
 * hour without a row had no reports and leaves nothing out.
 */
export type HourRow = readonly [hour: number, reports: number, leftOutSlots: number];

/** What is remembered of the reports about one service. Every list ascends by its first column, which no two rows share. */
export interface ServiceReports {
  /** Of the first report ever: the history of the service begins with it. */
  readonly firstAtMs: number;
  /** Of the last 25 hours: a day, and an hour for a clock that goes back. */
  readonly minutes: readonly MinuteRow[];
  /** Of the last 25 hours. */
  readonly symptoms: readonly SymptomRow[];
  /** Of the last two hours: an hour, and another for a clock that goes back. */
  readonly recent: Recent;
  /** Of the last 28 days. */
  readonly hours: readonly HourRow[];
  readonly surge: Surge;
}

/** Everything the state remembers of reports. Plain data, bounded whatever is reported. */
export interface ReportLedger {
  readonly services: ReadonlyMap<string, ServiceReports>;
  /** Last slot at whose beginning surges were evaluated; -1 before the first. */
  readonly evaluatedSlot: number;
}

export const EMPTY_LEDGER: ReportLedger = { services: new Map(), evaluatedSlot: -1 };

/** What the state holds of reports. */
export interface ReportsState {
  readonly ledger: ReportLedger;
  /**
   * Ids of the inbox objects that the ledger has taken in: an object may come back under its id after it was removed, when an
   * answer was lost or a journal is replayed.
   */
  readonly folded: FoldedIds;
}

export const NOTHING_REPORTED: ReportsState = { ledger: EMPTY_LEDGER, folded: new Map() };
