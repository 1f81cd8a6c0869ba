import type { History } from "../model/history.ts";
import type { Baseline } from "../probe/confirm-change.ts";
import { responseStats, slowThresholdMs } from "../services/history/response-baseline.ts";
import { lastState } from "../services/history/sample-codes.ts";

/** What a probe is compared with, by URL. Each is computed once, because a seven-day median takes thousands of steps. */
export function createBaselines(history: History): (url: string) => Baseline {
  const cache = new Map<string, Baseline>();
  return (url) => {
    const baseline = cache.get(url) ?? baselineOf(history, url);
    cache.set(url, baseline);
    return baseline;
  };
}

function baselineOf(history: History, url: string): Baseline {
  const track = history.endpoints.get(url) ?? "";
  const { medianMs, sampleCount } = responseStats(track, history.runs);
  return { lastState: lastState(track), slowMs: slowThresholdMs(medianMs, sampleCount) };
}
