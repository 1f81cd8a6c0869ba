import type { ConnectivityState } from "../../src/model/service/connectivity.ts";
import type { HeldFailure, HoldCause } from "../../src/model/service/history.ts";
import type { EndpointResult } from "../../src/model/probe-outcome.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import type { Verdict } from "../../src/contract/codes/verdict.ts";
import {
  type FalseOutage,
  type Detection,
  ONE_DETECTION_MS,
  type OutageFigures,
} from "./outage-score.ts";
import type { RunData } from "./runner.ts";
import type { Site, Subject } from "./sites.ts";

/** Publishes up to this long before a false outage may explain it. */
const BEFORE_MS: number = 15 * MINUTE_MS;

/** A publish of a service with a failed attempt, a held failure or an offline runner. */
interface Note {
  readonly atMs: number;
  readonly runMs: number;
  readonly connectivity: ConnectivityState;
  /** Since this run or an earlier one. */
  readonly held: HeldFailure | undefined;
  /** For each endpoint with a failed attempt: `critical` or `minor`, then the result of each attempt. */
  readonly tries: readonly (readonly string[])[];
  readonly verdict: Verdict;
}

/** Why an outage was missed, or reported later than after one detection. */
export type Reason =
  /** The floor does no better. */
  | "between the probes"
  /** The run that would have found it was not valid. */
  | "offline"
  /** A probe during the outage was answered. */
  | "a try was answered"
  | "reported late"
  | `held: ${HoldCause}`;

/** An outage that was false, missed or late. */
export interface Incident {
  readonly kind: "false" | "missed" | "late";
  readonly slug: string;
  /** Of the true outage; for a false one, when it was reported. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly delayMs: number | undefined;
  /** For a false one: the noise. */
  readonly why: string;
  readonly notes: readonly Note[];
}

export interface Published {
  readonly atMs: number;
  readonly runMs: number;
  readonly verdict: Verdict;
  readonly seen: RunData;
}

export interface Incidents {
  readonly publish: (subject: Subject, published: Published) => void;
  readonly finish: (ours: OutageFigures, floor: OutageFigures) => readonly Incident[];
}

/** Records publishes of services in trouble, to explain why an outage was false, missed or late. */
export function createIncidents(subjects: readonly Subject[]): Incidents {
  const notes = subjects.map((): Note[] => []);
  const slugOf = (subject: number): string => subjects[subject]?.service.slug ?? "";
  const notesIn = (subject: number, fromMs: number, toMs: number): readonly Note[] =>
    notes[subject]?.filter(({ atMs }) => fromMs <= atMs && atMs <= toMs) ?? [];

  function publish(
    { index, service, sites }: Subject,
    { atMs, runMs, verdict, seen }: Published,
  ): void {
    const { history, connectivity, results } = seen;
    const held = history.held.get(service.slug);
    const tries = sites.flatMap((site) => triesOf(site, results.get(site.url)));
    const isOffline = connectivity.state === "offline";
    if (held === undefined && tries.length === 0 && !isOffline) return;
    notes[index]?.push({ atMs, runMs, connectivity: connectivity.state, held, tries, verdict });
  }

  function falseIncident({ subject, atMs, cause }: FalseOutage): Incident {
    const times = { fromMs: atMs, toMs: atMs, delayMs: undefined };
    const seen = notesIn(subject, atMs - BEFORE_MS, atMs);
    return { kind: "false", slug: slugOf(subject), ...times, why: cause, notes: seen };
  }

  function finish(ours: OutageFigures, floor: OutageFigures): readonly Incident[] {
    const least = new Map(floor.detections.map(({ outage, delayMs }) => [outage, delayMs]));
    const trueOnes = ours.detections.flatMap((detection: Detection): readonly Incident[] => {
      const { subject, outage, delayMs } = detection;
      if (isInTime(delayMs)) return [];
      const { fromMs, toMs } = outage;
      const untilMs = delayMs === undefined ? toMs + ONE_DETECTION_MS : fromMs + delayMs;
      const seen = notesIn(subject, fromMs, untilMs);
      const why = isInTime(least.get(outage)) ? reasonOf(seen) : "between the probes";
      const kind = delayMs === undefined ? "missed" : "late";
      return [{ kind, slug: slugOf(subject), fromMs, toMs, delayMs, why, notes: seen }];
    });
    return [...ours.falseOnes.map(falseIncident), ...trueOnes];
  }

  return { publish, finish };
}

function isInTime(delayMs: number | undefined): boolean {
  return delayMs !== undefined && delayMs <= ONE_DETECTION_MS;
}

function triesOf(
  { isCritical }: Site,
  result: EndpointResult | undefined,
): readonly (readonly string[])[] {
  const tries = result?.attempts.map((one) => (one.kind === "failed" ? one.code : one.kind)) ?? [];
  const isWell = result === undefined || result.attempts.every(({ kind }) => kind !== "failed");
  return isWell ? [] : [[isCritical ? "critical" : "minor", ...tries]];
}

function reasonOf(notes: readonly Note[]): Reason {
  const held = notes.find((note) => note.held !== undefined)?.held;
  if (held !== undefined) return `held: ${held.cause}`;
  if (notes.some(({ connectivity }) => connectivity === "offline")) return "offline";
  const isAnswered = notes.some(({ tries }) => tries.some((one) => one.at(-1) === "ok"));
  return isAnswered ? "a try was answered" : "reported late";
}

/** Missed and late outages by reason, the most frequent first. */
export function countReasons(
  incidents: readonly Incident[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { kind, why } of incidents.filter((one) => one.kind !== "false")) {
    const name = `${kind}, ${why}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** Each incident with the recorded publishes of its service, as text. */
export function listIncidents(incidents: readonly Incident[]): string {
  return incidents.map(describeIncident).join("\n");
}

function describeIncident({ kind, slug, fromMs, toMs, delayMs, why, notes }: Incident): string {
  const delay = delayMs === undefined ? "" : `, reported after ${seconds(delayMs)}`;
  const length = kind === "false" ? "" : ` for ${seconds(toMs - fromMs)}`;
  return [
    `${kind} (${why}): ${slug}, ${timeOf(fromMs)}${length}${delay}`,
    ...notes.map(describeNote),
  ].join("\n");
}

function describeNote({ atMs, runMs, connectivity, held, tries, verdict }: Note): string {
  const isNow = held?.lastAtMs === runMs;
  const words = [
    `  run ${timeOf(runMs)}, published ${timeOf(atMs)}: ${verdict.code}, way ${connectivity}`,
    ...(held === undefined || !isNow
      ? []
      : [`held (${held.cause}, run ${held.runs}, ${held.failingTogether} together)`]),
    ...tries.map((one) => one.join(" ")),
  ];
  return words.join("; ");
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(5, 19);
}

function seconds(ms: number): string {
  return `${Math.round(ms / SECOND_MS)} s`;
}
