import { METHOD_VERSION } from "../../model/service/method.ts";
import { byWindow, type UptimeCount, type UptimeWindow } from "../../model/monitor/monitor.ts";
import type {
  HistoryIndex,
  ServiceHistoryDocument,
  MonitorHistory,
} from "../../contract/history.ts";
import { sumOf } from "../../model/lists.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { toUnixSeconds, dateOfDay, DAY_MS, HISTORY_DAYS, toUtcDay } from "../../model/time.ts";
import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  type MonthCounts,
  type Outage,
  type ServiceHistory,
} from "../../model/service/history.ts";
import { type MonitorDay, SLOT_MS } from "../../model/monitor/uptime.ts";
import type { VerdictChange } from "../../model/service/verdict-change.ts";
import { nameOfMonth, type PastOutages } from "../../model/service/accuracy.ts";
import { toPast } from "./changes.ts";

export const HISTORY_INDEX_KEY = "history/v1/index.json";

/** The checks and the outages of a month. */
export interface MonthSummary extends MonthCounts {
  readonly outages: number;
}

/** What the index of the histories is built from. */
export interface HistoryIndexInput {
  /** The full hour up to which checks are counted. */
  readonly hourMs: number;
  /** In the order of the catalogue. */
  readonly services: readonly {
    readonly slug: string;
    readonly uptimes: Readonly<Record<UptimeWindow, UptimeCount>>;
  }[];
  /** Of all services together. */
  readonly months: readonly MonthSummary[];
  /** Runs that counted for monitors on each ended UTC day. */
  readonly monitorDays: readonly (readonly [day: number, runs: number])[];
}

/** The uptimes of all services. Changes with the hour. */
export function buildHistoryIndex(input: HistoryIndexInput): Document {
  return toJsonDocument(HISTORY_INDEX_KEY, {
    method: METHOD_VERSION,
    until: toUnixSeconds(input.hourMs),
    services: input.services.map(({ slug, uptimes }) => ({
      slug,
      uptime: byWindow((window) => ratioOf(uptimes[window])),
      checks: byWindow((window) => uptimes[window].decided),
    })),
    months: input.months.map(toMonth),
    monitorDays: input.monitorDays.map(([day, checks]) => ({ date: dateOfDay(day), checks })),
  } satisfies HistoryIndex);
}

/** Cut off after five decimals, so that 1 means that no check failed; null: no check. */
function ratioOf({ decided, healthy }: UptimeCount): number | null {
  return decided === 0 ? null : Math.floor((healthy * 100_000) / decided) / 100_000;
}

/** A run every five minutes. Source: the API, "What the service does". */
const RUNS_A_DAY: number = DAY_MS / SLOT_MS;

/** The place of each check class in a day of the document. */
const FIELD_OF = {
  up: "ok",
  slow: "slow",
  partial: "partial",
  "provider-denied": "denied",
  "server-error": "bad",
  failing: "bad",
} as const satisfies Readonly<Record<CheckClass, string>>;

/** What the history of a service is built from. */
export interface ServiceHistoryInput {
  readonly slug: string;
  /** Undefined: the service was not checked yet. */
  readonly record: Pick<ServiceHistory, "days" | "outages"> | undefined;
  /** Of all services, the oldest first. */
  readonly changes: readonly VerdictChange[];
  /** Undefined: too few outages are known. */
  readonly past: PastOutages | undefined;
  readonly months: readonly MonthSummary[];
  readonly nowMs: number;
}

/** The key of the history of a service. */
export function serviceHistoryKey(slug: string): string {
  return `history/v1/${slug}.json`;
}

/** The changes, ended days and outages of a service. Changes with a verdict, an outage, or at the end of a day. */
export function buildServiceHistory(input: ServiceHistoryInput): Document {
  const { slug, record, changes, past, months, nowMs } = input;
  return toJsonDocument(serviceHistoryKey(slug), {
    slug,
    method: METHOD_VERSION,
    changes: changes
      .filter((change) => change.slug === slug)
      .map(({ atMs, before, code, live }) => ({ at: toUnixSeconds(atMs), before, code, live })),
    days: toDays(record?.days ?? [], toUtcDay(nowMs)),
    outages: (record?.outages ?? []).map(toOutage),
    ...(past !== undefined && { past: { ...toPast(past), of: "service" } }),
    months: months.map(toMonth),
  } satisfies ServiceHistoryDocument);
}

function toMonth({ month, ...counts }: MonthSummary) {
  return { month: nameOfMonth(month), ...counts };
}

/** From the first day with a check to yesterday, also those without any. */
function toDays(days: readonly DayCounts[], today: number) {
  const byDay = new Map(days.map(({ day, counts }) => [day, counts]));
  const first = Math.max(days[0]?.day ?? today, today - HISTORY_DAYS);
  return Array.from({ length: Math.max(0, today - first) }, (_, place) =>
    toDay(first + place, byDay.get(first + place) ?? []),
  );
}

function toDay(day: number, counts: DayCounts["counts"]) {
  const checks = { ok: 0, slow: 0, partial: 0, denied: 0, bad: 0 };
  for (const [rank, checkClass] of CHECK_CLASSES.entries())
    checks[FIELD_OF[checkClass]] += counts[rank] ?? 0;
  const decided = sumOf(Object.values(checks));
  // Runs by hand can be more than those of the timer.
  return { date: dateOfDay(day), ...checks, none: Math.max(0, RUNS_A_DAY - decided) };
}

function toOutage({ sinceMs, isSinceExact, endedAtMs, code, failing, counted }: Outage) {
  const { start, end, seconds } = spanOf({ sinceMs, endedAtMs });
  return { start, exact: isSinceExact, end, seconds, cause: code, failing, counted };
}

function spanOf({ sinceMs, endedAtMs }: Pick<Outage, "sinceMs" | "endedAtMs">) {
  const start = toUnixSeconds(sinceMs);
  const end = endedAtMs === null ? null : toUnixSeconds(endedAtMs);
  return { start, end, seconds: end === null ? null : end - start };
}

/** What the history of a public monitor is built from. */
export interface MonitorHistoryInput {
  readonly id: string;
  /** Ended UTC days on which a check failed or was left out, the oldest first; `checks`: runs that included it. */
  readonly days: readonly (MonitorDay & { readonly checks: number })[];
  /** The oldest first; `endedAtMs` null: it lasts. */
  readonly failures: readonly Pick<Outage, "sinceMs" | "endedAtMs" | "code">[];
}

/** The key of the history of a monitor. */
export function monitorHistoryKey(id: string): string {
  return `history/v1/m/${id}.json`;
}

/** The failures of a monitor, and its days that were not whole: healthy ones, of which there can be a hundred thousand, never change. */
export function buildMonitorHistory({ id, days, failures }: MonitorHistoryInput): Document {
  return toJsonDocument(monitorHistoryKey(id), {
    id,
    method: METHOD_VERSION,
    days: days.map(({ day, ...counts }) => ({ date: dateOfDay(day), ...counts })),
    failures: failures.map(({ code, ...span }) => ({ ...spanOf(span), cause: code })),
  } satisfies MonitorHistory);
}
