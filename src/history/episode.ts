import type { CheckClass, EndedSpell, ServiceHistory } from "../model/history.ts";
import { FRESH_MS, HOUR_MS } from "../model/time.ts";

/** A service that fails again this soon after it came back never really came back. */
const RELAPSE_MS = FRESH_MS;

/** So many runs without a fault end `partial`. Source: docs/verdicts.md, "Hysteresis". */
const CLEAN_RUNS = 3;

/** Clean spells shorter than this do not make a `partial` young again. */
const CLEAN_SPELL_MS: number = HOUR_MS;

/** What one run found of one service. */
export interface Finding {
  readonly atMs: number;
  readonly checkClass: CheckClass;
  /** Nothing failed in this run, and nothing needed a second try. */
  readonly isClean: boolean;
  /** An earlier run found it first, and it was not believed then. */
  readonly begun?: { readonly sinceMs: number; readonly isSinceExact: boolean };
}

/** The part of a service's history that says what it is in and when that began. */
export type Episode = Pick<
  ServiceHistory,
  "checkClass" | "sinceMs" | "isSinceExact" | "lastOutage" | "lastPartial" | "cleanRuns"
>;

/** Whether a critical endpoint fails: `failing` and `server-error` form one outage. */
export function isDown(checkClass: CheckClass): boolean {
  return checkClass === "failing" || checkClass === "server-error";
}

/**
 * The class of a service after a run, and when that began. An unchanged class keeps its beginning, also over a gap without
 * runs; a changed one begins with the run that found it first, inexactly when the change may lie anywhere in a gap longer
 * than 15 minutes, or when it is the first run at all. An outage within 15 minutes of the last one takes its beginning over, as a
 * `partial` does within an hour. `partial` ends after three clean runs. Source: docs/verdicts.md, "Since".
 */
export function continueEpisode(previous: ServiceHistory | undefined, found: Finding): Episode {
  if (previous === undefined) {
    return { ...beginningOf(found, false), lastOutage: null, lastPartial: null, cleanRuns: 0 };
  }
  const isGap = found.atMs - previous.checkedAtMs > FRESH_MS;
  const cleanRuns = isPartial(previous.checkClass) && found.isClean ? previous.cleanRuns + 1 : 0;
  if (isLingering(previous, found, isGap) && cleanRuns < CLEAN_RUNS) {
    return { ...pickEpisode(previous), cleanRuns };
  }
  const spells = {
    lastOutage: spellAfter(previous, found, isGap, "lastOutage", isDown, RELAPSE_MS),
    lastPartial: spellAfter(previous, found, isGap, "lastPartial", isPartial, CLEAN_SPELL_MS),
    cleanRuns: isPartial(found.checkClass) ? cleanRuns : 0,
  };
  if (isSameSpell(previous.checkClass, found.checkClass)) {
    const { sinceMs, isSinceExact } = previous;
    return { ...spells, checkClass: found.checkClass, sinceMs, isSinceExact };
  }
  return { ...spells, ...resumeOrBegin(found, !isGap, spells) };
}

function pickEpisode(previous: ServiceHistory): Episode {
  const { checkClass, sinceMs, isSinceExact, lastOutage, lastPartial, cleanRuns } = previous;
  return { checkClass, sinceMs, isSinceExact, lastOutage, lastPartial, cleanRuns };
}

function isPartial(checkClass: CheckClass): boolean {
  return checkClass === "partial";
}

/** The fault seems to be over, and a few clean runs have to show it. */
function isLingering(previous: ServiceHistory, found: Finding, isGap: boolean): boolean {
  const isOver = found.checkClass === "up" || found.checkClass === "slow";
  return isPartial(previous.checkClass) && isOver && !isGap;
}

function isSameSpell(one: CheckClass, other: CheckClass): boolean {
  return one === other || (isDown(one) && isDown(other));
}

function beginningOf(found: Finding, isSinceExact: boolean) {
  const { atMs, checkClass, begun } = found;
  return {
    checkClass,
    sinceMs: begun?.sinceMs ?? atMs,
    isSinceExact: begun?.isSinceExact ?? isSinceExact,
  };
}

function resumeOrBegin(
  found: Finding,
  isSinceExact: boolean,
  { lastOutage, lastPartial }: Pick<Episode, "lastOutage" | "lastPartial">,
) {
  const ended = isDown(found.checkClass)
    ? lastOutage
    : isPartial(found.checkClass)
      ? lastPartial
      : null;
  if (ended === null) return beginningOf(found, isSinceExact);
  const { sinceMs, isSinceExact: wasExact } = ended;
  return { checkClass: found.checkClass, sinceMs, isSinceExact: wasExact };
}

/**
 * The spell that a relapse could continue: the one that this run ends, or the one remembered already while it is recent. An
 * end somewhere inside a gap has no known time, so nothing continues it.
 */
function spellAfter(
  previous: ServiceHistory,
  found: Finding,
  isGap: boolean,
  name: "lastOutage" | "lastPartial",
  isOfKind: (checkClass: CheckClass) => boolean,
  recentMs: number,
): EndedSpell | null {
  if (isOfKind(previous.checkClass)) {
    if (isOfKind(found.checkClass) || isGap) return null;
    const { sinceMs, isSinceExact } = previous;
    return { sinceMs, isSinceExact, endedAtMs: found.atMs };
  }
  const last = previous[name];
  const beganMs = found.begun?.sinceMs ?? found.atMs;
  return last !== null && beganMs - last.endedAtMs <= recentMs ? last : null;
}
