import { CHECK_CLASSES, type CheckClass, type Track } from "../model/history.ts";
import {
  type EndpointResult,
  isAuthenticatedServerError,
  isBlockEvidence,
  type Outcome,
} from "../model/outcome.ts";
import { LEVEL_CHARS, levelOf } from "../model/response-level.ts";

/** The run did not look: the endpoint or service was not in the catalogue, or not selected. */
export const ABSENT = ".";
const SKIPPED = "?";
const FLAKY = "~";
/** It failed, and that is not believed yet. */
export const HELD = "^";

/** What one run decided about one endpoint, without its response time. */
export type EndpointState = "healthy" | "failing" | "server-error" | "blocked" | "denied";

const STATE_OF: ReadonlyMap<string, EndpointState> = new Map<string, EndpointState>([
  ...LEVEL_CHARS.map((level): [string, EndpointState] => [level, "healthy"]),
  [FLAKY, "healthy"],
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

/** A track with the character of a run, aligned with its runs. Undefined: the run says nothing of it. */
export type ExtendTrack = (track: Track | undefined, char: string | undefined) => Track;

/** Shape of an endpoint's or anchor's track: the levels of response times are base64url, see src/model/response-level.ts. */
export const TRACK_PATTERN: RegExp = /^[A-Za-z0-9_\-~!%#$?.^]*$/;

/** Shape of a service's strip. */
export const STRIP_PATTERN: RegExp = /^[uspdef.]*$/;

/**
 * The character for what one run concluded about one endpoint. Only a healthy answer at the first try
 * keeps its response time: one that came after failures would spoil the baseline. Block evidence in any
 * attempt marks a failing endpoint, because filters mix their means from one connection to the next.
 */
export function encodeResult(result: EndpointResult): string {
  const { outcome } = result;
  switch (outcome.kind) {
    case "ok":
      return result.isFlaky ? FLAKY : levelOf(outcome.trace.timings.totalMs);
    case "denied":
      return "$";
    case "skipped":
      return SKIPPED;
    case "failed":
      if (isAuthenticatedServerError(outcome)) return "%";
      return [outcome, ...result.attempts].some(isBlockEvidence) ? "#" : "!";
  }
}

/** The character for one probe of an anchor. */
export function encodeAnchor(outcome: Outcome): string {
  return encodeResult({ outcome, isFlaky: false, attempts: [outcome] });
}

/** What a character decided; undefined when it decided nothing (skipped, absent, held). */
export function stateOf(char: string): EndpointState | undefined {
  return STATE_OF.get(char);
}

/** Whether a character stands for a healthy result that needed more than one try. */
export function isFlakyChar(char: string): boolean {
  return char === FLAKY;
}

/** Whether a state counts as failing. A denial does not: the service answers. */
export function isFailingState(state: EndpointState): boolean {
  return state === "failing" || state === "server-error" || state === "blocked";
}

/**
 * What the last run that decided anything says of an endpoint: the state against which the confirmation
 * of a change is measured. A denial counts as healthy, since it is an answer.
 */
export function lastState(track: Track): "healthy" | "failing" | "unknown" {
  for (let index = track.length - 1; index >= 0; index -= 1) {
    const state = stateOf(track.charAt(index));
    if (state !== undefined) return isFailingState(state) ? "failing" : "healthy";
  }
  return "unknown";
}

/** The character of a check class in a service's strip. */
export function charOfClass(checkClass: CheckClass): string {
  return CLASS_CHARS[checkClass];
}

/** The check class of a character of a strip; undefined for a run that did not check the service. */
export function classOfChar(char: string): CheckClass | undefined {
  return CLASS_OF.get(char);
}

/** Key of an anchor in `History.endpoints`. */
export function anchorKey(url: string): string {
  return `anchor:${url}`;
}
