import type { ConnectivityState } from "../model/connectivity.ts";
import type { HeldFailure, HoldCause } from "../model/history.ts";
import { DAY_MS, FRESH_MS } from "../model/time.ts";

/** How often a service begins to fail by itself: on generous terms, four times a month. */
const FAILURES_PER_DAY = 0.15;
/** So seldom that a month of runs does not come to it: then chance is no explanation. */
const LEAST_CHANCE = 1e-4;
/** Two services that fail together say nothing yet. */
const LEAST_TOGETHER = 3;

/** So many services make a group whose members share their fate, */
const LEAST_GROUP = 3;
/** when so large a part of it fails: a few that do not may have another way. */
const WHOLE_SHARE = 0.8;
/** Unrelated services that fail in so many runs, one after the other, are believed. */
const RUNS_TO_BELIEVE = 3;

/** A service that begins to fail in this run, or began in the last and is not believed yet. */
export interface Suspect {
  readonly slug: string;
  /** A critical endpoint fails; else it is a `partial`. */
  readonly isDown: boolean;
  /** Every failure of it can be the way's: no answer of its own came over verified TLS. */
  readonly isOfPath: boolean;
  readonly isAbroad: boolean;
  /** Every try at what fails of it ended on a connection that stood, so the way to it is there. */
  readonly isConnected: boolean;
  /** Names of what it shares with others: networks, zones of names, "abroad". */
  readonly groups: readonly string[];
  /** Undefined: it begins to fail in this run. */
  readonly held: HeldFailure | undefined;
  /** Other services have endpoints in the networks of those that fail here, and all that answered until now have fallen silent. */
  readonly isNetworkGone: boolean;
}

/** What a run knows of its own way, and of how many services could begin to fail in it. */
export interface Circumstances {
  readonly connectivity: ConnectivityState;
  readonly isCongested: boolean;
  /** Services that did not fail before. */
  readonly healthyServices: number;
  /** Since the run before, milliseconds. */
  readonly elapsedMs: number;
  /** How many services that could begin to fail are in each group, by its name. */
  readonly groupSizes: ReadonlyMap<string, number>;
}

/** What is made of a suspect: it is believed, with what it shares with the others that fail, or held. */
export type Judgement =
  | { readonly kind: "believed"; readonly sharedCause: string | null }
  | { readonly kind: "held"; readonly cause: HoldCause; readonly failingTogether: number };

/**
 * Which of the failures that begin are believed. While the runner's own way is in trouble that can explain them they are not. When more
 * services begin to fail at once than chance explains, the likeliest cause is the way to them: they are held for a run; after that a
 * group of them that shares a network, a zone or a country is believed, others after one run more, or when too few are left for a common
 * cause. A whole group that accepts connections, while few others fail, is believed at once: no route to it is gone. Answers that are the
 * service's own are always believed. Source: docs/verdicts.md, "Held failures".
 */
export function judgeSuspects(
  suspects: readonly Suspect[],
  circumstances: Circumstances,
): ReadonlyMap<string, Judgement> {
  const doubtful = suspects.filter(({ isOfPath }) => isOfPath);
  const together = doubtful.filter(({ isDown }) => isDown).length;
  const isCommon = isBeyondChance(together, circumstances);
  const { groupSizes } = circumstances;
  const groups = wholeGroups(doubtful, groupSizes, ({ held }) => held !== undefined);
  const reached = wholeGroups(doubtful, groupSizes, ({ isConnected }) => isConnected);
  return new Map(
    suspects.map((suspect) => {
      const sharedCause = groupOf(suspect, groups, reached);
      const cause = suspect.isOfPath
        ? causeToHold(suspect, circumstances, isCommon, sharedCause !== null)
        : undefined;
      return [
        suspect.slug,
        cause === undefined
          ? { kind: "believed", sharedCause }
          : { kind: "held", cause, failingTogether: together },
      ];
    }),
  );
}

function causeToHold(
  { isDown, isAbroad, held, isNetworkGone, isConnected }: Suspect,
  { connectivity, isCongested }: Circumstances,
  isCommon: boolean,
  isInGroup: boolean,
): HoldCause | undefined {
  if (connectivity === "half" || connectivity === "offline") return "half";
  if (connectivity === "abroad-cut" && isAbroad) return "abroad-cut";
  const runs = (held?.runs ?? 0) + 1;
  // What fails in each try of two runs is more than the loss of packets.
  if (connectivity === "lossy" && (!isDown || runs === 1)) return "lossy";
  if (isCongested && !isDown) return "congested";
  // Two of a network are too few for chance to be ruled out, but all of a network are likely to be out of reach rather than dead.
  if (isNetworkGone && !isConnected && runs === 1) return "common-cause";
  if (!isCommon) return undefined;
  return isInGroup || runs >= RUNS_TO_BELIEVE ? undefined : "common-cause";
}

/** Whether so many failures at once are more than chance explains, when each service fails by itself. */
function isBeyondChance(together: number, { healthyServices, elapsedMs }: Circumstances): boolean {
  const days = Math.max(elapsedMs, FRESH_MS / 3) / DAY_MS;
  const expected = FAILURES_PER_DAY * healthyServices * days;
  return together >= LEAST_TOGETHER && chanceOfAtLeast(together, expected) < LEAST_CHANCE;
}

/** P(X ≥ n) for a Poisson variable. */
function chanceOfAtLeast(n: number, mean: number): number {
  let term = Math.exp(-mean);
  let below = 0;
  for (let k = 0; k < n; k += 1) {
    below += term;
    term *= mean / (k + 1);
  }
  // Far out the subtraction leaves rounding errors alone; the first terms of the rest are exact enough.
  let rest = 0;
  for (let k = n; k < n + 30; k += 1) {
    rest += term;
    term *= mean / (k + 1);
  }
  return below > 0.9 ? rest : 1 - below;
}

/** The groups that fail whole, as far as those of their services are asked that count, and by themselves; largest first. */
function wholeGroups(
  suspects: readonly Suspect[],
  sizes: ReadonlyMap<string, number>,
  counts: (suspect: Suspect) => boolean,
): readonly string[] {
  const down = suspects.filter(({ isDown }) => isDown);
  const failing = new Map<string, number>();
  for (const suspect of down.filter(counts)) {
    for (const group of suspect.groups) failing.set(group, (failing.get(group) ?? 0) + 1);
  }
  return [...failing]
    .filter(([group, count]) => {
      const isWhole = count >= LEAST_GROUP && count >= WHOLE_SHARE * (sizes.get(group) ?? 0);
      return isWhole && isByItself(group, down);
    })
    .toSorted(([, one], [, other]) => other - one)
    .map(([group]) => group);
}

/** Several networks that fall silent in one run share the way to them: a group is its own cause only where little fails beside it. */
function isByItself(group: string, down: readonly Suspect[]): boolean {
  const inside = down.filter(({ groups }) => groups.includes(group)).length;
  return down.length - inside <= 1 || inside >= WHOLE_SHARE * down.length;
}

/** What a suspect shares with others that have failed for as long, or that accept connections as it does. */
function groupOf(
  { held, groups, isConnected }: Suspect,
  whole: readonly string[],
  reached: readonly string[],
): string | null {
  const isIn = (group: string): boolean => groups.includes(group);
  const early = isConnected ? reached.find(isIn) : undefined;
  return early ?? (held === undefined ? null : (whole.find(isIn) ?? null));
}
