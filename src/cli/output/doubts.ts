import type { HeldFailure, LeftOut, UnknownReason } from "../../model/service/history.ts";
import { formatUtc } from "./text.ts";

/** A held failure of a service, the cause that it shares with others, and endpoints that do not count, by URL. */
export interface Doubts {
  readonly held: HeldFailure | null;
  readonly sharedCause: string | null;
  readonly leftOut: Readonly<Record<string, LeftOut>>;
  /** Why nothing is known of it; null: it is known, or no run has looked. */
  readonly unknown: UnknownReason | null;
}

/** In plain English, for the operator. */
export const UNKNOWN_WORDS: Readonly<Record<UnknownReason, string>> = {
  refused:
    "it does not answer this machine, which has the address of a data centre. If it has another address, set `line`. A vantage in Moscow on a subscriber's line can tell more",
  "wall-only": "only walls against robots answer in place of its critical endpoints",
  "never-reached": "no critical endpoint has ever answered. Are its entries right?",
};

export function describeDoubts({ held, sharedCause, leftOut, unknown }: Doubts): readonly string[] {
  return [
    ...(unknown === null ? [] : [`Nothing is known of it: ${UNKNOWN_WORDS[unknown]}.`]),
    ...(held === null ? [] : describeHeld(held)),
    ...(sharedCause === null
      ? []
      : [`It is down or slow together with others that share a cause: ${nameOf(sharedCause)}.`]),
    ...Object.entries(leftOut).map(([url, why]) => `${url} does not count: ${LEFT_OUT[why]}`),
  ];
}

function describeHeld(held: HeldFailure): readonly string[] {
  const { checkClass, sinceMs, runs, cause, failingTogether } = held;
  const found = runs === 1 ? "one run has found it" : `${runs} runs in a row have found it`;
  const meanwhile =
    checkClass === "partial"
      ? "The other endpoints decide the verdict."
      : "The previous verdict stays, for 15 minutes without another check.";
  return [
    `A failure is held: "${checkClass}" since ${formatUtc(sinceMs)}, ${found}, and it is not published yet. ${meanwhile}`,
    HELD_WORDS[cause](failingTogether),
  ];
}

const HELD_WORDS: Readonly<Record<HeldFailure["cause"], (together: number) => string>> = {
  half: () =>
    "Why: the runner reaches only a part of the domestic networks. It is published when a run with the whole network finds it again.",
  "abroad-cut": () =>
    "Why: the runner's path abroad is cut, and this service is abroad. It is published when a run with that path finds it again.",
  lossy: () =>
    "Why: the runner's network path is lossy. An outage is published when the next run finds it again with all its confirmations.",
  congested: () =>
    "Why: the runner itself was slow. It is published when a run that was not slow finds it again.",
  lone: () =>
    "Why: one endpoint fails while the others of the service answer, which is over within minutes more often than not. It is published when the next run finds it again.",
  "common-cause": (together) =>
    `Why: ${together} services failed together, more than chance explains, so the likeliest cause is the runner's path to them. It is published when too few of them go on failing, when a whole group that shares a network, a zone or a country fails for a second run, or in the third run.`,
};

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  unproven: "it has never answered itself. Is its entry right?",
  chronic: "it is not critical and has failed for nearly seven days. Is its entry right?",
};

function nameOf(group: string): string {
  if (group === "abroad") return "their servers are abroad";
  return group.startsWith(".") ? `names that end in ${group}` : `the network ${group}`;
}
