import { SYMPTOMS } from "../../src/model/service/choices.ts";
import type { Catalogue, Service } from "../../src/model/service/catalogue.ts";
import {
  CHECK_CLASSES,
  type DayCounts,
  type Outage,
  type RunMark,
  type ServiceHistory,
} from "../../src/model/service/history.ts";
import type { FailureCode } from "../../src/model/failures.ts";
import { NO_RECENT_REPORTS } from "../../src/model/service/recent-reports.ts";
import {
  WEEK_MS,
  type HourRow,
  type MinuteRow,
  NO_SURGE,
  type ServiceReports,
  type SymptomRow,
} from "../../src/model/service/reports.ts";
import { indexOfLevel, LEVEL_CHARS, levelOf } from "../../src/model/response-level.ts";
import type { State } from "../../src/model/state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toUtcDay } from "../../src/model/time.ts";
import { isDown } from "../../src/services/history/episodes.ts";
import { ABSENT, charOfClass, classOfChar } from "../../src/services/history/sample-codes.ts";

/*
 * The past of the demo. Its few runs leave the charts empty, so this puts ninety days behind them: a run every five minutes in the last
 * seven, in which services answer as they do now, and short outages of some services.
 */

const EVERY_MS = 5 * MINUTE_MS;
const WINDOW_MS = 7 * DAY_MS;
const DAYS = 90;
const RUNS_OF_DAY = 288;
const CAUSES: readonly FailureCode[] = ["tls-reset", "tcp-timeout", "dns-servfail", "body-stall"];

/** The same state with a past. */
export function imaginePast(state: State, catalogue: Catalogue, nowMs: number): State {
  const { history, reports } = state;
  const known = new Map(history.runs.map((run, at) => [run.atMs, at]));
  const runs = marksUntil(history.runs, nowMs);
  const endpoints = new Map(history.endpoints);
  const services = new Map(history.services);
  const ledger = new Map(reports.ledger.services);
  catalogue.services.forEach((service, place) => {
    const record = services.get(service.slug);
    if (record === undefined) return;
    const outages = pastOutages(record, place, nowMs);
    const past = { runs, known, outages, record };
    for (const { url } of service.endpoints)
      endpoints.set(url, fillTrack(history.endpoints.get(url) ?? "", past));
    const strip = fillStrip(past);
    services.set(service.slug, {
      ...record,
      sinceMs: outages.at(-1)?.endedAtMs ?? record.sinceMs,
      strip,
      days: fillDays(strip, runs, place, nowMs),
      outages: [...oldOutages(place, nowMs), ...outages, ...record.outages],
    });
    ledger.set(service.slug, fillReports(ledger.get(service.slug), service, place, nowMs));
  });
  for (const [key, track] of history.endpoints) {
    if (endpoints.get(key)?.length === runs.length) continue;
    endpoints.set(key, runs.map(({ atMs }) => track[known.get(atMs) ?? 0] ?? ABSENT).join(""));
  }
  return {
    ...state,
    history: { ...history, runs, endpoints, services },
    reports: { ...reports, ledger: { ...reports.ledger, services: ledger } },
  };
}

/** Those of the demo, and one every five minutes in between. */
function marksUntil(runs: readonly RunMark[], nowMs: number): readonly RunMark[] {
  const marks = new Map<number, RunMark>();
  for (let atMs = nowMs - WINDOW_MS + EVERY_MS; atMs < nowMs; atMs += EVERY_MS)
    marks.set(atMs, { atMs, isCongested: false, connectivity: "fine" });
  for (const run of runs) {
    // Only one in each five minutes.
    for (const atMs of marks.keys())
      if (Math.abs(atMs - run.atMs) < EVERY_MS / 2) marks.delete(atMs);
    marks.set(run.atMs, run);
  }
  return [...marks.values()].toSorted((one, other) => one.atMs - other.atMs);
}

interface Past {
  readonly runs: readonly RunMark[];
  /** Places of the demo's own runs in its strings. */
  readonly known: ReadonlyMap<number, number>;
  readonly outages: readonly Outage[];
  readonly record: ServiceHistory;
}

function pastOutages(record: ServiceHistory, place: number, nowMs: number): readonly Outage[] {
  return record.checkClass === "up" ? outagesOf(place, nowMs) : [];
}

/** Every fourth service that works now had two outages in the last days. */
export function outagesOf(place: number, nowMs: number): readonly Outage[] {
  if (place % 4 !== 1) return [];
  const outage = (agoMs: number, minutes: number): Outage => {
    const sinceMs = nowMs - agoMs;
    return {
      sinceMs,
      isSinceExact: true,
      endedAtMs: sinceMs + minutes * MINUTE_MS,
      code: CAUSES[place % CAUSES.length] ?? null,
      failing: 1 + (place % 2),
      counted: 3,
    };
  };
  return [
    outage((50 + place) * HOUR_MS, 30 + place),
    outage((4 + (place % 15)) * HOUR_MS, 10 + (place % 5) * 10),
  ];
}

/** Days before the last seven. */
function oldDays(nowMs: number): readonly number[] {
  const first = toUtcDay(nowMs) - DAYS + 1;
  return Array.from({ length: toUtcDay(nowMs - WINDOW_MS) + 1 - first }, (_, at) => first + at);
}

/** On every 41st day a service failed for some minutes. */
function failedOn(day: number, place: number): number {
  return (day + place * 7) % 41 === 0 ? 4 + ((day + place) % 5) * 9 : 0;
}

/** The outages of those days, at noon in Moscow. */
function oldOutages(place: number, nowMs: number): readonly Outage[] {
  return oldDays(nowMs).flatMap((day) => {
    const failed = failedOn(day, place);
    if (failed === 0) return [];
    const sinceMs = day * DAY_MS + 9 * HOUR_MS;
    const code = CAUSES[(day + place) % CAUSES.length] ?? null;
    const endedAtMs = sinceMs + failed * EVERY_MS;
    return [{ sinceMs, isSinceExact: true, endedAtMs, code, failing: 2, counted: 3 }];
  });
}

function isOut({ outages, record }: Past, atMs: number): boolean {
  if (isDown(record.checkClass) && atMs >= record.sinceMs) return true;
  return outages.some(({ sinceMs, endedAtMs }) => atMs >= sinceMs && atMs < (endedAtMs ?? atMs));
}

function fillStrip(past: Past): string {
  const { runs, known, record } = past;
  const char = ({ atMs }: RunMark): string => {
    const place = known.get(atMs);
    if (place !== undefined) return record.strip.charAt(place);
    if (atMs > record.checkedAtMs) return ABSENT;
    return isOut(past, atMs)
      ? charOfClass(isDown(record.checkClass) ? record.checkClass : "failing")
      : charOfClass("up");
  };
  return runs.map(char).join("");
}

/** An endpoint answers as quickly as it did in the demo's runs, give or take a level. */
function fillTrack(track: string, past: Past): string {
  const { runs, known, record } = past;
  const usual = [...track].map(indexOfLevel).find((level) => level !== undefined);
  const base = usual ?? indexOfLevel(levelOf(150)) ?? 0;
  const char = ({ atMs }: RunMark, at: number): string => {
    const place = known.get(atMs);
    if (place !== undefined) return track.charAt(place);
    if (atMs > record.checkedAtMs) return ABSENT;
    if (isOut(past, atMs)) return isDown(record.checkClass) ? (track.at(-1) ?? "!") : "!";
    return LEVEL_CHARS[Math.max(0, base - (at % 7 === 3 ? 1 : 0))] ?? "A";
  };
  return runs.map(char).join("");
}

function fillDays(
  strip: string,
  runs: readonly RunMark[],
  place: number,
  nowMs: number,
): readonly DayCounts[] {
  const first = toUtcDay(nowMs - WINDOW_MS) + 1;
  const days = new Map<number, number[]>();
  for (const day of oldDays(nowMs)) {
    const failed = failedOn(day, place);
    days.set(
      day,
      CHECK_CLASSES.map((each) =>
        each === "up" ? RUNS_OF_DAY - failed : each === "failing" ? failed : 0,
      ),
    );
  }
  runs.forEach(({ atMs }, at) => {
    const checkClass = classOfChar(strip.charAt(at));
    const day = toUtcDay(atMs);
    if (checkClass === undefined || day < first) return;
    const counts = days.get(day) ?? CHECK_CLASSES.map(() => 0);
    const rank = CHECK_CLASSES.indexOf(checkClass);
    counts[rank] = (counts[rank] ?? 0) + 1;
    days.set(day, counts);
  });
  return [...days].map(([day, counts]) => ({ day, counts }));
}

/** Four weeks of reports: more by day than by night, so that there is something usual. */
/** Reports of each operator, by its number, in weeks without surges. */
export const USUAL_OPERATORS: readonly number[] = [20, 18, 12, 16, 12, 14, 8];

function fillReports(
  before: ServiceReports | undefined,
  { slug }: Service,
  place: number,
  nowMs: number,
): ServiceReports {
  const hour = Math.floor(nowMs / HOUR_MS);
  const countAt = (each: number): number =>
    Math.round(
      (1 + (place % 3)) * (1 + Math.sin(((each % 24) / 24) * 2 * Math.PI + 4) ** 2) +
        ((each * slug.length) % 3),
    ) - 1;
  const past = (length: number) => Array.from({ length }, (_, at) => hour - length + at);
  const hours = past(28 * 24).map((each): HourRow => [each, countAt(each), 0]);
  const firstAtMs = nowMs - 28 * DAY_MS;
  const weeks = [[Math.floor(nowMs / WEEK_MS), USUAL_OPERATORS]] as const;
  if (before !== undefined)
    return { ...before, firstAtMs, hours, operators: { ...before.operators, weeks } };
  const day = past(23).filter((each) => countAt(each) > 0);
  return {
    firstAtMs,
    hours,
    minutes: day.map((each): MinuteRow => [each * 60 + 17, countAt(each), countAt(each)]),
    symptoms: day.map((each): SymptomRow => [
      each,
      SYMPTOMS.map((_, symptom) => ((each + symptom) % 3 === 0 ? 1 : 0)),
    ]),
    operators: { hours: [], weeks },
    recent: NO_RECENT_REPORTS,
    surge: NO_SURGE,
  };
}
