import { METHOD_VERSION } from "../../model/service/method.ts";
import {
  UPTIME_WINDOWS,
  type UptimeCount,
  type UptimeWindow,
} from "../../model/monitor/monitor.ts";
import type { HistoryIndex } from "../../contract/history.ts";
import type { Document } from "../../model/service/snapshot.ts";
import { toUnixSeconds, dateOfDay } from "../../model/time.ts";
import { toJsonDocument } from "../../model/service/to-document.ts";

export const HISTORY_INDEX_KEY = "history/v1/index.json";

/** What the index of the histories is built from. */
export interface HistoryIndexInput {
  /** The full hour up to which checks are counted. */
  readonly hourMs: number;
  /** In the order of the catalogue. */
  readonly services: readonly {
    readonly slug: string;
    readonly uptimes: Readonly<Record<UptimeWindow, UptimeCount>>;
  }[];
  /** Runs that counted for monitors on each ended UTC day. */
  readonly monitorDays: readonly (readonly [day: number, runs: number])[];
}

/** The uptimes of all services. Changes with the hour. */
export function buildHistoryIndex({ hourMs, services, monitorDays }: HistoryIndexInput): Document {
  return toJsonDocument(HISTORY_INDEX_KEY, {
    method: METHOD_VERSION,
    until: toUnixSeconds(hourMs),
    services: services.map(({ slug, uptimes }) => ({
      slug,
      uptime: byWindow((window) => ratioOf(uptimes[window])),
      checks: byWindow((window) => uptimes[window].decided),
    })),
    monitorDays: monitorDays.map(([day, checks]) => ({ date: dateOfDay(day), checks })),
  } satisfies HistoryIndex);
}

function byWindow<T>(valueOf: (window: UptimeWindow) => T): Record<UptimeWindow, T> {
  // The keys are all windows.
  return Object.fromEntries(UPTIME_WINDOWS.map((window) => [window, valueOf(window)])) as Record<
    UptimeWindow,
    T
  >;
}

/** Cut off after five decimals, so that 1 means that no check failed; null: no check. */
function ratioOf({ decided, healthy }: UptimeCount): number | null {
  return decided === 0 ? null : Math.floor((healthy * 100_000) / decided) / 100_000;
}
