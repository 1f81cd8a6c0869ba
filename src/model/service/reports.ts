import { type Operator, OPERATORS, OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import type { Symptom } from "./choices.ts";
import * as z from "zod";
import type { FoldedIds } from "../folded-ids.ts";
import { count, flag, instant, listOf, packedRow, type Stored } from "../stored-parts.ts";
import { DAY_MS } from "../time.ts";
import type { RecentReports } from "./recent-reports.ts";

/** User reports about one service at the time of publishing. */
export interface ReportCounts {
  /** In the last hour. */
  readonly hour: number;
  /** In the last 24 hours. */
  readonly day: number;
  /** Whether reports rise sharply, by the rule of docs/reports/counting.md. */
  readonly isSurging: boolean;
}

/** By slug; a service that is absent has no reports. */
export type Reports = ReadonlyMap<string, ReportCounts>;

export const NO_REPORTS: ReportCounts = { hour: 0, day: 0, isSurging: false };

/** One press of the button. Contains nothing that identifies a person. */
export interface Report {
  readonly slug: string;
  readonly atMs: number;
  /** Keyed hash of the /24 (IPv4) or /48 (IPv6), base64url, at most 16 characters. */
  readonly network: string;
  /** Keyed hash of the /16 (IPv4) or /32 (IPv6) around it, of the same form. */
  readonly block: string;
  readonly symptom?: Symptom;
  /** Number of the operator of the network. Absent: it is not known. */
  readonly operator?: number;
}

/** A report from what is stored of it: what it does not have is left out. */
export function toReport(
  common: Pick<Report, "slug" | "atMs" | "network" | "block">,
  symptom: Symptom | undefined,
  operator: number,
): Report {
  return {
    ...common,
    ...(symptom !== undefined && { symptom }),
    ...(operator !== OTHER_OPERATOR && { operator }),
  };
}

/** Surges are evaluated at the beginning of each slot, `floor(atMs / SURGE_SLOT_MS)`. */
export const SURGE_SLOT_MS = 300_000;

export const SURGE = z.strictObject({
  /** `held`: reports rise sharply with those of so many services that one network event explains them; not a surge of the service. */
  phase: z.enum(["off", "on", "held"]),
  /** Evaluation at which the last surge started, or began to be held; 0 before the first. */
  startedAtMs: instant,
  /** Consecutive quiet evaluations until now, while on or held. */
  quiet: count,
  /** Last evaluated slot in which the phase was not `off`; -1 before the first. */
  loudSlot: z.int().min(-1),
});

/** The hysteresis of one service. */
export type Surge = Stored<typeof SURGE>;

export const NO_SURGE: Surge = { phase: "off", startedAtMs: 0, quiet: 0, loudSlot: -1 };

/** `floor(atMs / 1 min)`; counted reports; all received reports. */
export type MinuteRow = readonly [minute: number, counted: number, raw: number];
/** `floor(atMs / 1 h)`; accepted reports with a symptom, in the order of `SYMPTOMS`. */
export type SymptomRow = readonly [hour: number, counts: readonly number[]];
/** `floor(atMs / 1 h)`; reports in the normal slots of the hour; excluded slots, 0 to 12. An hour without a row had neither. */
export type HourRow = readonly [hour: number, reports: number, leftOutSlots: number];

/** An hour or a week since the epoch; counted reports of each operator, in the order of their numbers, without zeros at the end. */
export type OperatorRow = readonly [period: number, counts: readonly number[]];

/** A week of `OperatorRow`. */
export const WEEK_MS: number = 7 * DAY_MS;

/** Counted reports by operator. */
export interface OperatorCounts {
  /** Of the last 25 hours. */
  readonly hours: readonly OperatorRow[];
  /** Of the present week and the four before it, without surges: what is usual. */
  readonly weeks: readonly OperatorRow[];
}

/** The reports of an operator about a service, as far as they are enough to be published; src/contract/operators.ts describes the fields. */
export interface OperatorSum {
  readonly operator: Operator;
  readonly hour: number | null;
  readonly day: number | null;
  readonly percent: number;
  readonly usual: { readonly percent: number; readonly of: "service" | "all" } | undefined;
  readonly isUnusual: boolean;
}

/** Operators whose subscribers report more often than usual: what is told of them, as `UNUSUAL_OPERATORS` of the contract says. */
export const UNUSUAL_OPERATORS = packedRow({
  isAlone: flag,
  shares: listOf(packedRow({ operator: z.enum(OPERATORS), percent: count, usual: count })),
});

export type UnusualOperators = Stored<typeof UNUSUAL_OPERATORS>;

/** What the reports about a service say of operators. */
export interface OperatorSums {
  /** The most reports first. */
  readonly operators: readonly OperatorSum[];
  /** Undefined: none is unusual. */
  readonly unusual: UnusualOperators | undefined;
}

export const NO_OPERATOR_SUMS: OperatorSums = { operators: [], unusual: undefined };

export const NO_OPERATORS: OperatorCounts = { hours: [], weeks: [] };

/** The stored reports about one service. Every list ascends by its first column, which is unique. */
export interface ServiceReports {
  /** Of the first report ever, with which the history of the service begins. */
  readonly firstAtMs: number;
  /** Of the last 25 hours: a day, and an hour in case the clock is set back. */
  readonly minutes: readonly MinuteRow[];
  /** Of the last 25 hours. */
  readonly symptoms: readonly SymptomRow[];
  readonly operators: OperatorCounts;
  /** Of the last two hours: an hour, and another in case the clock is set back. */
  readonly recent: RecentReports;
  /** Of the last 28 days. */
  readonly hours: readonly HourRow[];
  readonly surge: Surge;
}

/** The counted reports. Plain data, bounded for any input. */
export interface ReportLedger {
  readonly services: ReadonlyMap<string, ServiceReports>;
  /** The last slot in which surges were evaluated; -1 before the first. */
  readonly evaluatedSlot: number;
}

export const EMPTY_LEDGER: ReportLedger = { services: new Map(), evaluatedSlot: -1 };

export interface ReportsState {
  readonly ledger: ReportLedger;
  /** Ids of the inbox objects that the ledger has counted: a removed one can reappear after a lost answer or the replay of a journal. */
  readonly folded: FoldedIds;
}

export const NOTHING_REPORTED: ReportsState = { ledger: EMPTY_LEDGER, folded: new Map() };
