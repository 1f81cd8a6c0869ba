import type { HeldFailure, HoldCause, RunMark } from "../../model/service/history.ts";
import { countEach, sumOf } from "../../model/lists.ts";
import { DAY_MS, FRESH_MS } from "../../model/time.ts";

/** How often a service begins to fail independently of others: a generous estimate, over four times a month. */
const FAILURES_PER_DAY = 0.15;
/** Below this probability chance is ruled out: at 288 runs a day, it comes up less than once a month. */
const MAX_CHANCE = 1e-4;
/** Two simultaneous failures are no evidence of a common cause. */
const MIN_TOGETHER = 3;

const MIN_GROUP = 3;
/** Less than all, because some members of a group can have another route. */
const MIN_GROUP_SHARE = 0.8;
/** Failures of unrelated services are accepted in this consecutive run. */
const RUNS_TO_ACCEPT = 3;

/** A service that begins to fail in this run, or whose failure is held since an earlier one. */
export interface Suspect {
  readonly slug: string;
  /** A critical endpoint fails; otherwise it is a `partial`. */
  readonly isDown: boolean;
  /** A fault of the runner's network path can explain every failure: none is an answer over verified TLS. */
  readonly canBePathFault: boolean;
  readonly isAbroad: boolean;
  /** Every attempt at the failing endpoints had a TCP connection, so there is a route to them. */
  readonly isConnected: boolean;
  /** Names of what it shares with others: networks, DNS zones, "abroad". */
  readonly groups: readonly string[];
  /** Undefined: it begins to fail in this run. */
  readonly held: HeldFailure | undefined;
  /** One endpoint fails while others of the service answer, and in a way that can pass within minutes. */
  readonly isLone: boolean;
  /** Other services have endpoints in the same networks, and all that did not fail before this run fail in it. */
  readonly isNetworkUnreachable: boolean;
}

/** The state of the runner's network in a run, and how many services could begin to fail in it. */
export interface Circumstances extends Omit<RunMark, "atMs"> {
  /** Services that did not fail before. */
  readonly healthyServices: number;
  /** Since the previous run. */
  readonly elapsedMs: number;
  /** Number of services that could begin to fail, by name of the group. */
  readonly groupSizes: ReadonlyMap<string, number>;
}

/** An accepted failure is published; `sharedCause` names the group that fails as a whole. */
export type CauseAttribution =
  | { readonly kind: "accepted"; readonly sharedCause: string | null }
  | { readonly kind: "held"; readonly cause: HoldCause; readonly failingTogether: number };

/**
 * Which new failures are accepted, by slug. Those that a fault of the runner's network can explain are held; so are more at once than
 * chance explains, for a run. Then a group that shares a network, zone or country is accepted, others one run later, or once too few
 * are left. A group that accepts connections has a route, so it is accepted at once. An endpoint that fails alone in its service is
 * held for a run, whatever it answers; else a service's own response is accepted. Source: docs/services/verdicts.md, "Held failures".
 */
export function attributeSuspects(
  suspects: readonly Suspect[],
  circumstances: Circumstances,
): ReadonlyMap<string, CauseAttribution> {
  const unproven = suspects.filter(({ canBePathFault }) => canBePathFault);
  const failingTogether = unproven.length;
  const isCommon = isBeyondChance(failingTogether, circumstances);
  const { groupSizes } = circumstances;
  const groups = failingGroups(unproven, groupSizes, ({ held }) => held !== undefined);
  const connected = failingGroups(unproven, groupSizes, ({ isConnected }) => isConnected);
  const attribute = (suspect: Suspect): CauseAttribution => {
    const sharedCause = groupOf(suspect, groups, connected);
    const isLone = suspect.isLone && suspect.held === undefined;
    const cause =
      causeOnPath(suspect, circumstances, isCommon, sharedCause !== null) ??
      (isLone ? "lone" : undefined);
    if (cause === undefined) return { kind: "accepted", sharedCause };
    return { kind: "held", cause, failingTogether };
  };
  return new Map(suspects.map((suspect) => [suspect.slug, attribute(suspect)]));
}

/** Why the runner's network path may explain a failure. */
function causeOnPath(
  { canBePathFault, isDown, isAbroad, held, isNetworkUnreachable, isConnected }: Suspect,
  { connectivity, isCongested }: Circumstances,
  isCommon: boolean,
  isInGroup: boolean,
): HoldCause | undefined {
  if (!canBePathFault) return undefined;
  if (connectivity === "half" || connectivity === "offline") return "half";
  if (connectivity === "abroad-cut" && isAbroad) return "abroad-cut";
  const runs = (held?.runs ?? 0) + 1;
  // Packet loss does not explain a failure of every attempt in two runs.
  if (connectivity === "lossy" && (!isDown || runs === 1)) return "lossy";
  if (isCongested && !isDown) return "congested";
  // Fewer than MIN_TOGETHER do not rule out chance, but for a whole network a lost route is likelier than dead services.
  if (isNetworkUnreachable && !isConnected && runs === 1) return "common-cause";
  if (!isCommon) return undefined;
  return isInGroup || runs >= RUNS_TO_ACCEPT ? undefined : "common-cause";
}

/** Whether independent failures of single services do not explain the number of simultaneous failures. */
function isBeyondChance(together: number, { healthyServices, elapsedMs }: Circumstances): boolean {
  const days = Math.max(elapsedMs, FRESH_MS / 3) / DAY_MS;
  const expected = FAILURES_PER_DAY * healthyServices * days;
  return together >= MIN_TOGETHER && chanceOfAtLeast(together, expected) < MAX_CHANCE;
}

/** P(X ≥ n) for a Poisson variable. */
function chanceOfAtLeast(n: number, mean: number): number {
  let term = Math.exp(-mean);
  const terms = Array.from({ length: n + 30 }, (_, k) => (term *= k === 0 ? 1 : mean / k));
  const below = sumOf(terms.slice(0, n));
  // Near 1, the subtraction would leave only rounding errors; the first terms of the tail are exact enough.
  return below > 0.9 ? sumOf(terms.slice(n)) : 1 - below;
}

/** Names of the groups of which enough services fail that `counts` lets through, while little else fails; largest first. */
function failingGroups(
  suspects: readonly Suspect[],
  sizes: ReadonlyMap<string, number>,
  counts: (suspect: Suspect) => boolean,
): readonly string[] {
  const down = suspects.filter(({ isDown }) => isDown);
  const failing = countEach(down.filter(counts).flatMap(({ groups }) => groups));
  // If several networks fail in one run, the cause is the path that they share: a group is a cause only if little else fails.
  const failsAlone = (group: string): boolean => {
    const inside = down.filter(({ groups }) => groups.includes(group)).length;
    return down.length - inside <= 1 || inside >= MIN_GROUP_SHARE * down.length;
  };
  const isWhole = (group: string, count: number): boolean =>
    count >= MIN_GROUP && count >= MIN_GROUP_SHARE * (sizes.get(group) ?? 0);
  return [...failing]
    .filter(([group, count]) => isWhole(group, count) && failsAlone(group))
    .toSorted(([, one], [, other]) => other - one)
    .map(([group]) => group);
}

/** The group with which a suspect fails for a second run, or in which all accept connections as it does. */
function groupOf(
  { held, groups, isConnected }: Suspect,
  failing: readonly string[],
  connected: readonly string[],
): string | null {
  const isIn = (group: string): boolean => groups.includes(group);
  const early = isConnected ? connected.find(isIn) : undefined;
  return early ?? (held === undefined ? null : (failing.find(isIn) ?? null));
}

/** The critical endpoints of one service in one run, by URL. */
export interface Pace {
  readonly measured: readonly string[];
  readonly slow: readonly string[];
}

/** Two services can be slow by chance. */
const MIN_SERVICES = 3;

/**
 * The networks of which half of the measured endpoints, and three services or more, are slow at once: the cause is the network or the
 * way to it, so it is told once. Source: docs/services/verdicts.md, "Slow together".
 *
 * @param networks names of networks, by URL.
 */
export function findSlowNetworks(
  services: readonly Pace[],
  networks: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const endpoints = services.flatMap(({ measured, slow }, service) =>
    measured.map((url) => ({ network: networks.get(url), service, isSlow: slow.includes(url) })),
  );
  const isSlowTogether = (network: string): boolean => {
    const own = endpoints.filter((endpoint) => endpoint.network === network);
    const slow = own.filter(({ isSlow }) => isSlow);
    const slowServices = new Set(slow.map(({ service }) => service));
    return slowServices.size >= MIN_SERVICES && 2 * slow.length >= own.length;
  };
  return new Set([...new Set(networks.values())].filter(isSlowTogether));
}

/** The network that makes a service slow; null: one of its slow endpoints is elsewhere. */
export function slowNetworkOf(
  { slow }: Pace,
  networks: ReadonlyMap<string, string>,
  slowNetworks: ReadonlySet<string>,
): string | null {
  const own = slow.map((url) => networks.get(url) ?? "");
  return own.every((network) => slowNetworks.has(network)) ? (own[0] ?? null) : null;
}
