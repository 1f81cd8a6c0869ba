import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  type RunMark,
  type Track,
} from "../model/history.ts";
import { indexOfLevel, msOfIndex } from "../model/response-level.ts";
import { HOUR_MS, MINUTE_MS, toUtcDay } from "../model/time.ts";
import { classOfChar } from "./track.ts";

const HALF_HOURS = 48;
const DAYS = 90;
const HOURS = 24;

const HALF_HOUR_MS: number = 30 * MINUTE_MS;

/** A class has to be seen in so many runs of a day to be that day's: one run of 288 is in the strip of 24 hours, not here. */
const RUNS_OF_A_DAY = 2;

/** The worst class of a stretch of time; null: no check. */
export type WorstClass = CheckClass | null;

/** The worst check class in each of 48 half hours of the clock, the one of `nowMs` last. `strip` is aligned with `runs`. */
export function halfHoursOf(
  strip: Track,
  runs: readonly RunMark[],
  nowMs: number,
): readonly WorstClass[] {
  const first = Math.floor(nowMs / HALF_HOUR_MS) - HALF_HOURS + 1;
  const ranks = Array.from({ length: HALF_HOURS }, () => -1);
  // The newest runs are last, and only a seventh of them is of interest.
  for (let index = strip.length - 1; index >= 0; index -= 1) {
    const place = Math.floor((runs[index]?.atMs ?? 0) / HALF_HOUR_MS) - first;
    if (place < 0) break;
    const checkClass = classOfChar(strip.charAt(index));
    // A clock that was set back can leave a run in the future.
    const cell = Math.min(place, HALF_HOURS - 1);
    if (checkClass !== undefined) ranks[cell] = Math.max(ranks[cell] ?? -1, rankOf(checkClass));
  }
  return ranks.map((rank) => CHECK_CLASSES[rank] ?? null);
}

/** The worst check class in each of 90 UTC days that lasted for two runs of it, the day of `nowMs` last. */
export function daysOf(days: readonly DayCounts[], nowMs: number): readonly WorstClass[] {
  const first = toUtcDay(nowMs) - DAYS + 1;
  const cells: WorstClass[] = Array.from({ length: DAYS }, () => null);
  for (const { day, counts } of days) {
    const place = day - first;
    if (place >= 0 && place < DAYS) cells[place] = worstOf(counts);
  }
  return cells;
}

/**
 * Median response time of an endpoint in each of the 24 hours of the clock before that of `nowMs`, whole milliseconds; null where no
 * run measured any. Congested runs, which measure the runner, are left out.
 */
export function responseHoursOf(
  track: Track,
  runs: readonly RunMark[],
  nowMs: number,
): readonly (number | null)[] {
  const first = Math.floor(nowMs / HOUR_MS) - HOURS;
  const levels: number[][] = Array.from({ length: HOURS }, () => []);
  for (let index = track.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    const hour = Math.floor((run?.atMs ?? 0) / HOUR_MS) - first;
    if (hour < 0) break;
    const level = indexOfLevel(track.charAt(index));
    if (level !== undefined && run?.isCongested === false) levels[hour]?.push(level);
  }
  return levels.map((ofHour) => {
    const middle = ofHour.toSorted((a, b) => a - b)[Math.floor(ofHour.length / 2)];
    return middle === undefined ? null : Math.round(msOfIndex(middle));
  });
}

function rankOf(checkClass: CheckClass): number {
  return CHECK_CLASSES.indexOf(checkClass);
}

function worstOf(counts: readonly number[]): WorstClass {
  const lasting = counts.findLastIndex((count) => count >= RUNS_OF_A_DAY);
  // A day with one run, or with one of each class.
  const rank = lasting === -1 ? counts.findIndex((count) => count > 0) : lasting;
  return CHECK_CLASSES[rank] ?? null;
}
