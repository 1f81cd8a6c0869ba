import type {
  CheckClass,
  EndedSpell,
  ServiceHistory,
  Outage,
} from "../../model/service/history.ts";
import { FRESH_MS, HOUR_MS } from "../../model/time.ts";
import { countEach } from "../../model/lists.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";

/** A failure this soon after a recovery continues the outage. */
const RELAPSE_MS = FRESH_MS;

/** A `partial` this soon after the last one continues it. */
const PARTIAL_RELAPSE_MS: number = HOUR_MS;

/** What one run found about one service. */
export interface EpisodeInput {
  readonly atMs: number;
  readonly checkClass: CheckClass;
  /** No endpoint failed or needed a retry in this run. */
  readonly isClean: boolean;
  /** The beginning, if the failure was held since an earlier run. */
  readonly begun?: { readonly sinceMs: number; readonly isSinceExact: boolean } | undefined;
}

/** The current check class of a service and its beginning, with what a relapse needs. */
export type Episode = Pick<
  ServiceHistory,
  "checkClass" | "sinceMs" | "isSinceExact" | "lastOutage" | "lastPartial"
>;

/** Whether a critical endpoint fails: `failing` and `server-error` form one outage. */
export function isDown(checkClass: CheckClass): boolean {
  return checkClass === "failing" || checkClass === "server-error";
}

/**
 * The class of a service after a run, and its beginning. An unchanged class keeps its beginning, even across a gap without
 * runs; a changed one begins with the run that found it first, which is inexact after a gap longer than 15 minutes and for the
 * first run of all. An outage within 15 minutes of the last one keeps its beginning, as does a `partial` within an hour.
 * `partial` ends with a clean run. Source: docs/services/verdicts.md, "Since".
 */
export function continueEpisode(
  previous: ServiceHistory | undefined,
  found: EpisodeInput,
): Episode {
  if (previous === undefined) {
    return { ...beginningOf(found, false), lastOutage: null, lastPartial: null };
  }
  const isGap = found.atMs - previous.checkedAtMs > FRESH_MS;
  if (isLingering(previous, found, isGap)) {
    const { checkClass, sinceMs, isSinceExact, lastOutage, lastPartial } = previous;
    return { checkClass, sinceMs, isSinceExact, lastOutage, lastPartial };
  }
  const { checkClass } = found;
  const spells = {
    lastOutage: spellAfter(previous, found, isGap, "lastOutage", isDown, RELAPSE_MS),
    lastPartial: spellAfter(previous, found, isGap, "lastPartial", isPartial, PARTIAL_RELAPSE_MS),
  };
  if (previous.checkClass === checkClass || (isDown(previous.checkClass) && isDown(checkClass))) {
    const { sinceMs, isSinceExact } = previous;
    return { ...spells, checkClass, sinceMs, isSinceExact };
  }
  const ofPartial = isPartial(checkClass) ? spells.lastPartial : null;
  const resumed = isDown(checkClass) ? spells.lastOutage : ofPartial;
  return { ...spells, ...beginningOf({ ...found, begun: resumed ?? found.begun }, !isGap) };
}

function isPartial(checkClass: CheckClass): boolean {
  return checkClass === "partial";
}

/** A `partial` seems to be over, which only a clean run confirms. Source: docs/services/verdicts.md, "Hysteresis". */
function isLingering(previous: ServiceHistory, found: EpisodeInput, isGap: boolean): boolean {
  const isOver = found.checkClass === "up" || found.checkClass === "slow";
  return isPartial(previous.checkClass) && isOver && !isGap && !found.isClean;
}

function beginningOf(found: EpisodeInput, isSinceExact: boolean) {
  const { atMs, checkClass, begun } = found;
  return {
    checkClass,
    sinceMs: begun?.sinceMs ?? atMs,
    isSinceExact: begun?.isSinceExact ?? isSinceExact,
  };
}

/**
 * The spell that a relapse could continue: the one that this run ends, or the remembered one while it is recent. A spell that
 * ended inside a gap has no known end, so no relapse continues it.
 */
function spellAfter(
  previous: ServiceHistory,
  found: EpisodeInput,
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
  const codes = failing.flatMap(({ outcome }) => (outcome.kind === "failed" ? [outcome.code] : []));
  const counts = countEach(codes);
  const most = Math.max(...counts.values());
  const [code = null] = [...counts].find(([, count]) => count === most) ?? [];
  return { code, failing: codes.length };
}
