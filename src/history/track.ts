import { CHECK_CLASSES, type CheckClass, type Track } from "../model/history.ts";
import {
  type EndpointResult,
  isAuthenticatedServerError,
  isBlockEvidence,
  type Outcome,
} from "../model/outcome.ts";

/** Base64url, so that a track is printable, needs no escape in JSON and is one byte a run. */
const LEVELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const FASTEST_MS = 5;
const SLOWEST_MS = 20_000;
const TOP_LEVEL = LEVELS.length - 1;

/** The run did not look: the endpoint or service was not in the catalogue, or not selected. */
export const ABSENT = ".";
const SKIPPED = "?";
const FLAKY = "~";

/** What one run decided about one endpoint, without its response time. */
export type EndpointState = "healthy" | "failing" | "server-error" | "blocked" | "denied";

const STATE_OF: ReadonlyMap<string, EndpointState> = new Map<string, EndpointState>([
  ...[...LEVELS].map((level): [string, EndpointState] => [level, "healthy"]),
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

/** Shape of an endpoint's or anchor's track. */
export const TRACK_PATTERN: RegExp = /^[A-Za-z0-9_\-~!%#$?.]*$/;

/** Shape of a service's strip. */
export const STRIP_PATTERN: RegExp = /^[uspdef.]*$/;

/**
 * The character that stands for a response time: 64 levels, evenly spaced in logarithm from
 * 5 ms to 20 s, so neighbours differ by 14 % and a level is within 7 % of the time it stands for.
 * Times beyond the ends count as the ends.
 */
export function levelOf(ms: number): string {
  const share = Math.log(ms / FASTEST_MS) / Math.log(SLOWEST_MS / FASTEST_MS);
  const index = Math.round(share * TOP_LEVEL);
  return LEVELS.charAt(Math.min(TOP_LEVEL, Math.max(0, index)));
}

/** The response time in milliseconds that a character stands for; undefined when it stands for none. */
export function msOfLevel(char: string): number | undefined {
  const index = indexOfLevel(char);
  return index === undefined ? undefined : msOfIndex(index);
}

/** Place of a character in the scale of response times, 0–63; undefined when it stands for none. */
export function indexOfLevel(char: string): number | undefined {
  const index = LEVELS.indexOf(char);
  return index === -1 || char.length !== 1 ? undefined : index;
}

/** The response time in milliseconds at a place of the scale. */
export function msOfIndex(index: number): number {
  return FASTEST_MS * (SLOWEST_MS / FASTEST_MS) ** (index / TOP_LEVEL);
}

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

/** What a character decided; undefined when it decided nothing (skipped, absent). */
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
