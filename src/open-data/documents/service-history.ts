import { METHOD_VERSION } from "../../model/service/method.ts";
import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  type Outage,
  type ServiceHistory,
} from "../../model/service/history.ts";
import type { ServiceHistoryDocument } from "../../contract/history.ts";
import type { Document } from "../../model/service/snapshot.ts";
import { SLOT_MS } from "../../model/monitor/uptime.ts";
import { DAY_MS, toUnixSeconds, toUtcDay, dateOfDay } from "../../model/time.ts";
import type { VerdictChange } from "../../model/service/verdict-change.ts";
import { toJsonDocument } from "../../model/service/to-document.ts";

/** Days of the document: all have ended. */
const DAYS = 90;

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
  readonly nowMs: number;
}

/** The key of the history of a service. */
export function serviceHistoryKey(slug: string): string {
  return `history/v1/${slug}.json`;
}

/** The changes, ended days and outages of a service. Changes with a verdict, an outage, or at the end of a day. */
export function buildServiceHistory(input: ServiceHistoryInput): Document {
  const { slug, record, changes, nowMs } = input;
  return toJsonDocument(serviceHistoryKey(slug), {
    slug,
    method: METHOD_VERSION,
    changes: changes.filter((change) => change.slug === slug).map(toChange),
    days: toDays(record?.days ?? [], toUtcDay(nowMs)),
    outages: (record?.outages ?? []).map(toOutage),
  } satisfies ServiceHistoryDocument);
}

function toChange({ atMs, before, code, live }: VerdictChange) {
  return { at: toUnixSeconds(atMs), before, code, live };
}

/** From the first day with a check to yesterday, also those without any. */
function toDays(days: readonly DayCounts[], today: number) {
  const byDay = new Map(days.map(({ day, counts }) => [day, counts]));
  const first = Math.max(days[0]?.day ?? today, today - DAYS);
  return Array.from({ length: Math.max(0, today - first) }, (_, place) =>
    toDay(first + place, byDay.get(first + place) ?? []),
  );
}

function toDay(day: number, counts: DayCounts["counts"]) {
  const checks = { ok: 0, slow: 0, partial: 0, denied: 0, bad: 0 };
  for (const [rank, checkClass] of CHECK_CLASSES.entries())
    checks[FIELD_OF[checkClass]] += counts[rank] ?? 0;
  const decided = Object.values(checks).reduce((sum, count) => sum + count, 0);
  // Runs by hand can be more than those of the timer.
  return { date: dateOfDay(day), ...checks, none: Math.max(0, RUNS_A_DAY - decided) };
}

function toOutage({ sinceMs, isSinceExact, endedAtMs, code, failing, counted }: Outage) {
  const start = toUnixSeconds(sinceMs);
  const end = endedAtMs === null ? null : toUnixSeconds(endedAtMs);
  return {
    start,
    exact: isSinceExact,
    end,
    seconds: end === null ? null : end - start,
    cause: code,
    failing,
    counted,
  };
}
