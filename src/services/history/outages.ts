import type { Outage } from "../../model/service/history.ts";
import type { EndpointResult, FailureCode } from "../../model/probe-outcome.ts";
import { FRESH_MS } from "../../model/time.ts";
import { type Episode, isDown } from "./episodes.ts";

/** Length of the list of a service. */
export const MAX_OUTAGES = 10;

/** What a run found about a service that is part of an outage. */
export interface OutageRun {
  readonly atMs: number;
  /** Last valid run before it that decided about the service. */
  readonly checkedAtMs: number | undefined;
  readonly failing: readonly EndpointResult[];
  /** Endpoints that count. */
  readonly counted: number;
}

/**
 * The last outages of a service after a run. A relapse continues the outage whose beginning the episode has. Of an outage that
 * ended in a gap without runs the end is the last run that saw it, so its length is the least that it can have been.
 */
export function foldOutages(
  outages: readonly Outage[],
  episode: Pick<Episode, "checkClass" | "sinceMs" | "isSinceExact">,
  run: OutageRun,
): readonly Outage[] {
  const last = outages.at(-1);
  if (!isDown(episode.checkClass)) {
    if (last === undefined || last.endedAtMs !== null) return outages;
    return [...outages.slice(0, -1), { ...last, endedAtMs: endOf(run) }];
  }
  const { sinceMs, isSinceExact } = episode;
  const seen = { ...causeOf(run.failing), counted: run.counted };
  if (last?.sinceMs !== sinceMs) {
    return [...outages, { sinceMs, isSinceExact, endedAtMs: null, ...seen }].slice(-MAX_OUTAGES);
  }
  const worst = seen.failing > last.failing ? seen : {};
  return [...outages.slice(0, -1), { ...last, endedAtMs: null, ...worst }];
}

function endOf({ atMs, checkedAtMs }: OutageRun): number {
  return checkedAtMs === undefined || atMs - checkedAtMs <= FRESH_MS ? atMs : checkedAtMs;
}

/** The most frequent failure; of equally frequent ones the first. */
function causeOf(failing: readonly EndpointResult[]): Pick<Outage, "code" | "failing"> {
  const counts = new Map<FailureCode, number>();
  for (const { outcome } of failing) {
    if (outcome.kind === "failed") counts.set(outcome.code, (counts.get(outcome.code) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const [code = null] = [...counts].find(([, count]) => count === most) ?? [];
  return { code, failing: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}
