import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  HALF_HOURS,
  type RunMark,
  type SampleString,
  type ServiceHistory,
  type History,
} from "../../model/service/history.ts";
import {
  byWindow,
  type UptimeCount,
  type UptimeWindow,
  WINDOW_DAYS,
} from "../../model/monitor/monitor.ts";
import { sumOf } from "../../model/lists.ts";
import { indexOfLevel, msOfIndex } from "../../model/response-level.ts";
import { DAY_MS, HISTORY_DAYS, HOUR_MS, MINUTE_MS, toUtcDay } from "../../model/time.ts";
import { isDown } from "./episodes.ts";
import { downIn } from "./months.ts";
import { classOfChar } from "./sample-codes.ts";

const HOURS = 24;

const HALF_HOUR_MS: number = 30 * MINUTE_MS;

/** A day shows a class only if it occurred in this many runs: a single one of 288 shows in the 24-hour chart only. */
const MIN_RUNS_OF_DAY = 2;

/** Of the runs of a day: less than this share is a short outage, which is not shown like a whole day of it. */
const SHORT_OUTAGE_SHARE = 1 / 20;

/** The worst class of an interval; null: no check. */
export type WorstClass = CheckClass | null;

/**
 * The worst check class in each of 48 clock half hours, that of `nowMs` last.
 *
 * @param strip aligned with `runs`: of a service, or with `classOfSample` of an endpoint.
 */
export function halfHoursOf(
  strip: SampleString,
  runs: readonly RunMark[],
  nowMs: number,
  classOf: (char: string) => CheckClass | undefined = classOfChar,
): readonly WorstClass[] {
  const first = Math.floor(nowMs / HALF_HOUR_MS) - HALF_HOURS + 1;
  const ranks = Array.from({ length: HALF_HOURS }, () => -1);
  // From the newest run: only a seventh of the window matters.
  for (let index = strip.length - 1; index >= 0; index -= 1) {
    const place = Math.floor((runs[index]?.atMs ?? 0) / HALF_HOUR_MS) - first;
    if (place < 0) break;
    const checkClass = classOf(strip.charAt(index));
    // After the clock was set back, runs can be in the future.
    const cell = Math.min(place, HALF_HOURS - 1);
    if (checkClass !== undefined)
      ranks[cell] = Math.max(ranks[cell] ?? -1, CHECK_CLASSES.indexOf(checkClass));
  }
  return ranks.map((rank) => CHECK_CLASSES[rank] ?? null);
}

/**
 * The worst check class of at least two runs in each of 90 UTC days, the day of `nowMs` last; `minor` if it is an outage that less
 * than a twentieth of the runs saw.
 */
export function daysOf(
  days: readonly DayCounts[],
  nowMs: number,
): readonly (WorstClass | "minor")[] {
  const first = toUtcDay(nowMs) - HISTORY_DAYS + 1;
  const cells: (WorstClass | "minor")[] = Array.from({ length: HISTORY_DAYS }, () => null);
  for (const { day, counts } of days) {
    const place = day - first;
    if (place < 0 || place >= HISTORY_DAYS) continue;
    const worst = worstOf(counts);
    const isShort = downIn(counts) < sumOf(counts) * SHORT_OUTAGE_SHARE;
    cells[place] = worst !== null && isDown(worst) && isShort ? "minor" : worst;
  }
  return cells;
}

/** Uptime of a service in each window: the share of runs in which no critical endpoint failed. Windows of whole UTC days, but 24 h. */
export function uptimesOfService(
  { strip, days }: Pick<ServiceHistory, "strip" | "days">,
  runs: readonly RunMark[],
  nowMs: number,
): Readonly<Record<UptimeWindow, UptimeCount>> {
  const ofDays = (length: number): UptimeCount => {
    const counts = days.filter(({ day }) => day > toUtcDay(nowMs) - length);
    const decided = sumOf(counts.flatMap((each) => each.counts));
    return { decided, healthy: decided - sumOf(counts.map((each) => downIn(each.counts))) };
  };
  return byWindow((window) =>
    window === "24h" ? ofLastDay(strip, runs, nowMs) : ofDays(WINDOW_DAYS[window]),
  );
}

function ofLastDay(strip: SampleString, runs: readonly RunMark[], nowMs: number): UptimeCount {
  const first = runs.findLastIndex(({ atMs }) => nowMs - atMs >= DAY_MS) + 1;
  const classes = Array.from(strip.slice(first), classOfChar);
  const decided = classes.filter((one) => one !== undefined);
  return { decided: decided.length, healthy: decided.filter((one) => !isDown(one)).length };
}

/**
 * Median response time of an endpoint in each of the 24 clock hours before that of `nowMs`, whole milliseconds; null: no sample.
 * Congested runs do not count, because they measure the runner.
 */
export function responseHoursOf(
  samples: SampleString,
  runs: readonly RunMark[],
  nowMs: number,
): readonly (number | null)[] {
  const first = Math.floor(nowMs / HOUR_MS) - HOURS;
  const levels: number[][] = Array.from({ length: HOURS }, () => []);
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    const hour = Math.floor((run?.atMs ?? 0) / HOUR_MS) - first;
    if (hour < 0) break;
    const level = indexOfLevel(samples.charAt(index));
    if (level !== undefined && run?.isCongested === false) levels[hour]?.push(level);
  }
  return levels.map((ofHour) => {
    const middle = ofHour.toSorted((a, b) => a - b)[Math.floor(ofHour.length / 2)];
    return middle === undefined ? null : Math.round(msOfIndex(middle));
  });
}

function worstOf(counts: readonly number[]): WorstClass {
  const lasting = counts.findLastIndex((count) => count >= MIN_RUNS_OF_DAY);
  // If no class had two runs, the mildest one counts.
  const rank = lasting === -1 ? counts.findIndex((count) => count > 0) : lasting;
  return CHECK_CLASSES[rank] ?? null;
}

/** The beginning of the clock hour of a time. */
export function startOfHour(nowMs: number): number {
  return nowMs - (nowMs % HOUR_MS);
}

/**
 * The uptimes of `uptimesOf` without the runs since the beginning of the hour, so that they change only with the hour. An hour never
 * spans two UTC days.
 */
export function hourlyUptimesOf(
  record: Pick<ServiceHistory, "strip" | "days"> | undefined,
  runs: History["runs"],
  nowMs: number,
): Readonly<Record<UptimeWindow, UptimeCount>> {
  const hourMs = startOfHour(nowMs);
  const { strip, days } = record ?? { strip: "", days: [] };
  const first = runs.findLastIndex(({ atMs }) => atMs < hourMs) + 1;
  const later = Array.from(strip.slice(first), classOfChar);
  const laterOf = (rank: number) => later.filter((one) => one === CHECK_CLASSES[rank]).length;
  const today = toUtcDay(hourMs);
  const earlier = {
    strip: strip.slice(0, first),
    days: days.map(({ day, counts }) => {
      return { day, counts: day === today ? counts.map((n, rank) => n - laterOf(rank)) : counts };
    }),
  };
  return uptimesOfService(earlier, runs.slice(0, first), hourMs);
}
