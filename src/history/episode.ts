import type { CheckClass, EndedEpisode, ServiceHistory } from "../model/history.ts";
import { FRESH_MS } from "../model/time.ts";

/** A service that fails again this soon after it came back never really came back. */
const RELAPSE_MS = FRESH_MS;

/** What one run found of one service. */
export interface Finding {
  readonly atMs: number;
  readonly checkClass: CheckClass;
}

/** The part of a service's history that says when things began. */
export type Episode = Pick<
  ServiceHistory,
  "checkClass" | "sinceMs" | "isSinceExact" | "downSinceMs" | "lastEpisode"
>;

/** Whether no critical endpoint is healthy: `failing` and `server-error` form one down episode. */
export function isDown(checkClass: CheckClass): boolean {
  return checkClass === "failing" || checkClass === "server-error";
}

/**
 * When the class that a run found began. An unchanged class keeps its beginning, also over a gap without
 * runs; a changed one begins with the run, inexactly when the change may lie anywhere in a gap longer
 * than 15 minutes, or when it is the first run at all. A relapse within 15 minutes of leaving a down class
 * takes the old beginning over. Source: docs/verdicts.md, "Since".
 */
export function continueEpisode(previous: ServiceHistory | undefined, found: Finding): Episode {
  if (previous === undefined) return beginEpisode(found, false, null);
  const isGap = found.atMs - previous.checkedAtMs > FRESH_MS;
  const lastEpisode = endedEpisode(previous, found, isGap);
  if (previous.checkClass === found.checkClass) {
    const { checkClass, sinceMs, isSinceExact, downSinceMs } = previous;
    return { checkClass, sinceMs, isSinceExact, downSinceMs, lastEpisode };
  }
  const begun = beginEpisode(found, !isGap, lastEpisode);
  if (!isDown(found.checkClass)) return begun;
  if (isDown(previous.checkClass)) return { ...begun, downSinceMs: previous.downSinceMs };
  return lastEpisode === null ? begun : relapse(begun, lastEpisode);
}

function beginEpisode(
  found: Finding,
  isSinceExact: boolean,
  lastEpisode: EndedEpisode | null,
): Episode {
  const { atMs, checkClass } = found;
  const downSinceMs = isDown(checkClass) ? atMs : null;
  return { checkClass, sinceMs: atMs, isSinceExact, downSinceMs, lastEpisode };
}

/** The episode is continued; its class keeps its own beginning only if it is the class that ended. */
function relapse(begun: Episode, ended: EndedEpisode): Episode {
  const resumed = { ...begun, downSinceMs: ended.downSinceMs, lastEpisode: null };
  if (ended.checkClass !== begun.checkClass) return resumed;
  return { ...resumed, sinceMs: ended.sinceMs, isSinceExact: ended.isSinceExact };
}

/**
 * The episode that a relapse at a later run could continue: the one that this run ends, or the one already
 * remembered while it is recent. An end somewhere inside a gap has no known time, so nothing continues it.
 */
function endedEpisode(
  previous: ServiceHistory,
  found: Finding,
  isGap: boolean,
): EndedEpisode | null {
  const { checkClass, sinceMs, isSinceExact, downSinceMs, lastEpisode } = previous;
  if (downSinceMs !== null) {
    if (isDown(found.checkClass) || isGap) return null;
    return { checkClass, sinceMs, isSinceExact, downSinceMs, endedAtMs: found.atMs };
  }
  const isRecent = lastEpisode !== null && found.atMs - lastEpisode.endedAtMs <= RELAPSE_MS;
  return isRecent ? lastEpisode : null;
}
