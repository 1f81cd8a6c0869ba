import {
  CHECK_CLASSES,
  type CheckClass,
  type LastState,
  type SampleString,
} from "../../model/service/history.ts";
import { isAuthenticatedServerError, isBlockEvidence } from "../../model/outcome-rules.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import { sumOf } from "../../model/lists.ts";
import { LEVEL_CHARS, levelOf } from "../../model/response-level.ts";

/** The run did not probe the endpoint or service: it was not in the catalogue, or not selected. */
export const ABSENT = ".";
const SKIPPED = "?";
export const FLAKY = "~";
/** A wall against robots answered in its place: healthy, without a response time of its own, and no proof. */
export const WALL = "@";
/** It did not answer, which may be its owner's refusal of data centres: decides nothing. */
export const REFUSED = "*";
/** It answered after attempts that its owner may have refused: healthy and steady, without a response time. */
export const LET_IN = "+";
/** Most places in Moscow found it healthy, and this runner did not. */
const HEALTHY_ELSEWHERE = "=";
/**
 * It failed, and the failure is held: it decides nothing, so the next run confirms the failure in full, as after a healthy one.
 * Source: docs/services/verdicts.md, "Held failures".
 */
export const HELD = "^";
/** It failed alone in its service, and the failure is held until the next run asks once more. */
export const HELD_ALONE = "&";

/** What one run decided about one endpoint, without its response time. */
export type EndpointState = "healthy" | "failing" | "server-error" | "blocked" | "denied";

const STATE_OF: ReadonlyMap<string, EndpointState> = new Map<string, EndpointState>([
  ...[...LEVEL_CHARS, FLAKY, WALL, LET_IN, HEALTHY_ELSEWHERE].map(
    (char) => [char, "healthy"] as const,
  ),
  ["!", "failing"],
  ["%", "server-error"],
  ["#", "blocked"],
  ["$", "denied"],
]);

const CLASS_CHARS: Readonly<Record<CheckClass, string>> = {
  up: "u",
  slow: "s",
  partial: "p",
  "provider-denied": "d",
  "server-error": "e",
  failing: "f",
};

const CLASS_OF: ReadonlyMap<string, CheckClass> = new Map(
  CHECK_CLASSES.map((checkClass) => [CLASS_CHARS[checkClass], checkClass]),
);

/** Appends the character of a run and aligns the samples with the runs. `char` undefined: the run says nothing. */
export type ExtendSamples = (
  samples: SampleString | undefined,
  char: string | undefined,
) => SampleString;

/** Samples of an endpoint or anchor. Response levels: src/model/response-level.ts. */
export const SAMPLES_PATTERN: RegExp = /^[A-Za-z0-9_\-~!%#$?.^=@*+&]*$/;

/** Check classes of a service. */
export const STRIP_PATTERN: RegExp = /^[uspdef.]*$/;

/**
 * The character for the result of one endpoint. Only a healthy answer at the first attempt keeps its response
 * time: one after failures would distort the baseline. Block evidence in any attempt marks a failing endpoint,
 * because filters vary their method from one connection to the next.
 */
export function encodeResult(result: EndpointResult): string {
  const { outcome, outvotedBy } = result;
  if (outvotedBy !== undefined) return outvotedBy === "healthy" ? HEALTHY_ELSEWHERE : "!";
  switch (outcome.kind) {
    case "ok":
      if (outcome.trace.wall !== undefined) return WALL;
      return encodeHealthy(result, outcome.trace.timings.totalMs);
    case "denied":
      return "$";
    case "skipped":
      return SKIPPED;
    case "failed":
      if (result.mayBeRefused === true) return REFUSED;
      if (isAuthenticatedServerError(outcome)) return "%";
      return isEvidenced(result) ? "#" : "!";
  }
}

/** Whether any attempt at an endpoint met evidence of blocking. */
export function isEvidenced({ outcome, attempts }: EndpointResult): boolean {
  return [outcome, ...attempts].some(isBlockEvidence);
}

/** Attempts that were refused took nothing from the one that was let in, so if that was slow its time is kept. */
function encodeHealthy({ isFlaky, mayBeRefused }: EndpointResult, totalMs: number): string {
  if (!isFlaky) return levelOf(totalMs);
  if (mayBeRefused !== true) return FLAKY;
  return totalMs > SLOW_MS ? levelOf(totalMs) : LET_IN;
}

/** An answer faster than this is never slow. Source: docs/probe/measurement.md, "Slow". */
export const SLOW_MS = 4_000;

const CLASS_OF_STATE: Readonly<Record<EndpointState, CheckClass>> = {
  healthy: "up",
  denied: "provider-denied",
  failing: "failing",
  blocked: "failing",
  "server-error": "server-error",
};

/** What a run found of an endpoint, in the classes of services; undefined: nothing. */
export function classOfSample(char: string): CheckClass | undefined {
  const state = stateOf(char);
  return state && CLASS_OF_STATE[state];
}

/** Undefined: the character decides nothing (skipped, absent, refused, held). */
export function stateOf(char: string): EndpointState | undefined {
  return STATE_OF.get(char);
}

/** What the runs decided that decided anything. */
export function decidedStates(samples: SampleString): readonly EndpointState[] {
  return [...samples].flatMap((char) => stateOf(char) ?? []);
}

/** The last runs in a row that found it failing. */
export function failingRuns(samples: SampleString): number {
  const decided = decidedStates(samples);
  return decided.length - 1 - decided.findLastIndex((state) => !isFailingState(state));
}

/** In how many of the runs that decided it a wall answered in place of an endpoint. */
export function countWalls(samples: SampleString) {
  const counts = countChars(samples);
  return { walled: counts.get(WALL) ?? 0, decided: sumWhere(counts, isDecided) };
}

/** Whether any run has decided about the endpoint. */
export function isAnyDecided(samples: SampleString): boolean {
  return [...countChars(samples).keys()].some(isDecided);
}

/** Whether a character stands for a decision. */
export function isDecided(char: string): boolean {
  return stateOf(char) !== undefined;
}

const LATE: ReadonlySet<string> = new Set([REFUSED, LET_IN, FLAKY]);
const NOT_FIRST: ReadonlySet<string> = new Set([...LATE, HEALTHY_ELSEWHERE]);

/**
 * How many runs got an answer at the first attempt, and how many later or never. Failing runs are in neither count, because an outage says
 * nothing about whom the owner lets in.
 */
export function countFirstAnswers(samples: SampleString) {
  const counts = countChars(samples);
  const late = sumWhere(counts, (char) => LATE.has(char));
  return { first: sumWhere(counts, (char) => standsForAnswer(char) && !NOT_FIRST.has(char)), late };
}

/** Characters of samples are ASCII. */
const CODES = 128;

/**
 * How often each character occurs in the runs from index `start` up to `end`, without those that do not count. By their codes, because
 * each run of the program looks through thousands of runs of each endpoint.
 */
export function countChars(
  samples: SampleString,
  start = 0,
  end: number = samples.length,
  counts: (index: number) => boolean = () => true,
): ReadonlyMap<string, number> {
  const byCode = new Uint32Array(CODES);
  for (let index = start; index < end; index += 1) {
    const code = samples.charCodeAt(index);
    if (counts(index)) byCode[code] = (byCode[code] ?? 0) + 1;
  }
  const found = new Map<string, number>();
  for (const [code, count] of byCode.entries())
    if (count > 0) found.set(String.fromCharCode(code), count);
  return found;
}

/** How many characters are as asked. */
function sumWhere(counts: ReadonlyMap<string, number>, isAsked: (char: string) => boolean): number {
  return sumOf([...counts].map(([char, count]) => (isAsked(char) ? count : 0)));
}

/** Whether a character stands for an answer: a denial is one, a failure with an answer is not. */
export function standsForAnswer(char: string): boolean {
  const state = stateOf(char);
  return state !== undefined && !isFailingState(state);
}

/** A denial is not a failure: the service answers. */
export function isFailingState(state: EndpointState): boolean {
  return state === "failing" || state === "server-error" || state === "blocked";
}

/**
 * The state of an endpoint in the last run that decided it: a change from this state is what gets confirmed. A denial counts as healthy,
 * because it is an answer. An endpoint that was only ever silent is known to fail.
 */
export function lastState(samples: SampleString): LastState {
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const char = samples.charAt(index);
    const state = stateOf(char);
    if (state !== undefined) return isFailingState(state) ? "failing" : "healthy";
    if (char === HELD_ALONE) return "suspect";
  }
  return samples.includes(REFUSED) ? "failing" : "unknown";
}

export function charOfClass(checkClass: CheckClass): string {
  return CLASS_CHARS[checkClass];
}

/** Undefined: the run did not check the service. */
export function classOfChar(char: string): CheckClass | undefined {
  return CLASS_OF.get(char);
}

/** Key of an anchor in `History.endpoints`. */
export function anchorKey(url: string): string {
  return `anchor:${url}`;
}
