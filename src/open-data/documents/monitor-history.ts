import { METHOD_VERSION } from "../../model/service/method.ts";
import type { FailureCode } from "../../model/probe-outcome.ts";
import type { MonitorHistory } from "../../contract/history.ts";
import type { Document } from "../../model/service/snapshot.ts";
import { toUnixSeconds, dateOfDay } from "../../model/time.ts";
import { toJsonDocument } from "../../model/service/to-document.ts";

/** What the history of a public monitor is built from. */
export interface MonitorHistoryInput {
  readonly id: string;
  /** Ended UTC days on which a check failed or was left out, the oldest first. */
  readonly days: readonly {
    readonly day: number;
    /** Runs that included it. */
    readonly checks: number;
    readonly failed: number;
    readonly skipped: number;
  }[];
  /** The oldest first; `endedAtMs` null: it lasts. */
  readonly failures: readonly {
    readonly sinceMs: number;
    readonly endedAtMs: number | null;
    readonly code: FailureCode | null;
  }[];
}

/** The key of the history of a monitor. */
export function monitorHistoryKey(id: string): string {
  return `history/v1/m/${id}.json`;
}

/**
 * The failures of a monitor, and the days that were not whole. That of a healthy monitor never changes, because there can be a hundred
 * thousand of them.
 */
export function buildMonitorHistory({ id, days, failures }: MonitorHistoryInput): Document {
  return toJsonDocument(monitorHistoryKey(id), {
    id,
    method: METHOD_VERSION,
    days: days.map(({ day, ...counts }) => ({ date: dateOfDay(day), ...counts })),
    failures: failures.map(({ sinceMs, endedAtMs, code }) => {
      const start = toUnixSeconds(sinceMs);
      const end = endedAtMs === null ? null : toUnixSeconds(endedAtMs);
      return { start, end, seconds: end === null ? null : end - start, cause: code };
    }),
  } satisfies MonitorHistory);
}
