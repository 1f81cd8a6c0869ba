import type { Checks, MeasureDependencies, MonitorTarget } from "./measurement.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { CheckObserver } from "../../monitors/checks/check-target.ts";

/** There may be thousands of results a second. */
const PROGRESS_EVERY_MS = SECOND_MS;

/** Checks the monitors and logs the progress. Never rejects. */
export async function checkAll(
  { checkMonitors, emit, now }: Pick<MeasureDependencies, "checkMonitors" | "emit" | "now">,
  targets: readonly MonitorTarget[],
  signal: AbortSignal,
  leftMs: number,
): Promise<Checks> {
  if (targets.length === 0) return undefined;
  const startedMs = now();
  const total = targets.length;
  let loggedMs = startedMs;
  emit({ event: "monitors-started", monitors: total });
  const observer: CheckObserver = {
    onProgress: (done) => {
      if (done < total && now() - loggedMs < PROGRESS_EVERY_MS) return;
      loggedMs = now();
      emit({ event: "monitors-checked", done, total });
    },
    onWarning: (message) => emit({ event: "monitors-degraded", message }),
    onDone: (counts) => emit({ event: "engine-done", ...counts }),
  };
  const results = await checkMonitors(targets, signal, observer, leftMs);
  const durationMs = Math.round(now() - startedMs);
  emit({ event: "monitors-finished", ...countResults(results), durationMs });
  return results;
}

/** How many monitors have each kind of check result. */
export function countResults(
  results: ReadonlyMap<string, CheckResult>,
): Readonly<Record<CheckResult["kind"], number>> {
  const counts = { healthy: 0, failing: 0, refused: 0, skipped: 0 };
  for (const { kind } of results.values()) counts[kind] += 1;
  return counts;
}
