import type { ConnectivityState } from "../../src/model/connectivity.ts";
import type { HeldFailure, HoldCause } from "../../src/model/history.ts";
import type { EndpointResult } from "../../src/model/outcome.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import {
  type FalseOutage,
  type Fate,
  ONE_DETECTION_MS,
  type OutageFigures,
} from "./outage-judge.ts";
import type { Seen } from "./runner.ts";
import type { Site, Subject } from "./sites.ts";

/** What was seen this long before a false outage may explain it. */
const BEFORE_MS: number = 15 * MINUTE_MS;

/** A publish of a service that failed in some try, was held, or was told down. */
interface Note {
  readonly atMs: number;
  readonly runMs: number;
  readonly connectivity: ConnectivityState;
  /** Since this run or one before. */
  readonly held: HeldFailure | undefined;
  /** Of each endpoint that failed in a try: what it is, and what came of each of its tries. */
  readonly tries: readonly (readonly string[])[];
  readonly verdict: Verdict;
}

/** Why an outage was missed, or told later than after one detection. */
export type Reason =
  /** The truth, asked at our probes, does no better. */
  | "between the probes"
  /** The run that would have found it, or the publish of it, was not valid. */
  | "offline"
  /** A probe in the middle of it was answered. */
  | "a try was answered"
  | "told late"
  | `held: ${HoldCause}`;

/** An outage that was false, missed or late. */
export interface Incident {
  readonly kind: "false" | "missed" | "late";
  readonly slug: string;
  /** Of the true outage; of a false one, when it was told. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly delayMs: number | undefined;
  /** Of a false one: the noise. */
  readonly why: string;
  readonly notes: readonly Note[];
}

export interface Published {
  readonly atMs: number;
  readonly runMs: number;
  readonly verdict: Verdict;
  readonly seen: Seen;
}

export interface Incidents {
  readonly publish: (subject: Subject, published: Published) => void;
  readonly finish: (ours: OutageFigures, floor: OutageFigures) => readonly Incident[];
}

/** Remembers what runs knew of services in trouble, to tell afterwards why an outage was false, missed or late. */
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
    const least = new Map(floor.fates.map(({ outage, delayMs }) => [outage, delayMs]));
    const trueOnes = ours.fates.flatMap((fate: Fate): readonly Incident[] => {
      const { subject, outage, delayMs } = fate;
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
  return isAnswered ? "a try was answered" : "told late";
}

/** How many there are of each kind and reason, the most frequent first. */
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

/** Each with what every publish knew of the service, as text. */
export function listIncidents(incidents: readonly Incident[]): string {
  return incidents.map(tellIncident).join("\n");
}

function tellIncident({ kind, slug, fromMs, toMs, delayMs, why, notes }: Incident): string {
  const told = delayMs === undefined ? "" : `, told after ${seconds(delayMs)}`;
  const length = kind === "false" ? "" : ` for ${seconds(toMs - fromMs)}`;
  return [
    `${kind} (${why}): ${slug}, ${timeOf(fromMs)}${length}${told}`,
    ...notes.map(tellNote),
  ].join("\n");
}

function tellNote({ atMs, runMs, connectivity, held, tries, verdict }: Note): string {
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
