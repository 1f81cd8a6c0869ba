import type { Monitor } from "../../model/monitor/monitor.ts";
import { defaultNameOf } from "../../model/monitor/monitor-schema.ts";
import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { fnv1a } from "../../model/fnv1a.ts";
import { hostOf } from "../ownership/fold-edits.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { chooseDisplaced, type Waiting } from "../ownership/sender.ts";

/** How many monitors there may be. Source: docs/monitors/owners.md, "Limits". */
export const OWNER_LIMITS = {
  /** Open challenges of one network; each lasts a day. */
  perNetwork: 10,
  /** Proved monitors of one registrable domain, and as many that wait. */
  perDomain: 20,
  perHost: 10,
  /** Of those of one host that wait, those of one network, and of one domain. */
  perNetworkAndHost: 3,
  perNetworkAndDomain: 6,
  /** Monitors that wait for their proof. */
  pendingInAll: 5_000,
};

export type OwnerLimits = typeof OWNER_LIMITS;

/** A power of two, at two bytes each. */
const NETWORK_COUNTS = 1 << 20;

/** The records that an intake knows, with the counts that its limits need. Empty at first. Its functions never throw. */
export function createOwnerIndex(limits: OwnerLimits = OWNER_LIMITS) {
  const records = new Map<string, Kept>();
  const get = (id: string): OwnedMonitor | undefined => {
    const kept = records.get(id);
    return kept === undefined ? undefined : unpackRecord(id, kept);
  };
  const counts = createCounts();
  /** Why this sender may not ask for a new key. */
  const refusalOfKey = (sender: string): OwnerProblem | undefined =>
    counts.openOf(sender) >= limits.perNetwork ? "limit-network" : undefined;
  const pools = createPools(limits, get, counts);
  return {
    get,
    set: (id: string, owned: OwnedMonitor | undefined): void => {
      const before = get(id);
      if (before !== undefined) counts.add(before, -1);
      if (owned !== undefined) counts.add(owned, 1);
      if (owned === undefined) records.delete(id);
      else records.set(id, packRecord(owned));
    },
    ids: () => records.keys(),
    size: () => records.size,
    pending: counts.pending,
    /** Why this sender may not add a monitor, or the one that gives way to it: of who has most waiting, so strangers cannot keep an owner out. */
    placeFor: (url: string, sender: string) => {
      const refused = refusalOfKey(sender);
      if (refused !== undefined) return { refusal: refused };
      const here = pools.settledAt(url);
      const refusal = pools.fullness(here);
      return refusal === undefined
        ? { displaced: pools.displacedAt(here, sender)?.id }
        : { refusal };
    },
    /** Why this sender may not move a monitor to this URL; undefined if it may. */
    refusalOfMove: (url: string, sender: string): OwnerProblem | undefined =>
      refusalOfKey(sender) ?? pools.fullness(pools.recordsAt(url)),
    refusalOfKey,
  };
}

/** A record in memory. One that waits for its first proof is a text: strangers can make thousands, and it takes a fifth. */
type Kept = OwnedMonitor | string;

/** Of a setting that is left out: a name that is the host, no other settings. */
const LEFT_OUT = "null";

/** The form in which a record is kept. Never throws. */
export function packRecord(owned: OwnedMonitor): Kept {
  const { monitor, revision, keyHash, createdAtMs, challenges, ...changed } = owned;
  const [challenge] = challenges;
  const isPlain =
    Object.keys(changed).length === 0 &&
    challenges.length === 1 &&
    challenge?.goal.kind === "first" &&
    challenge.sinceMs === createdAtMs;
  if (!isPlain || challenge === undefined) return owned;
  const { url, name, isPublic, id: _, ...settings } = monitor;
  // No part has a line break: those of names and texts are escaped. A joined text is one piece, unlike one of `JSON.stringify`.
  return [
    url,
    name === defaultNameOf(url) ? LEFT_OUT : JSON.stringify(name),
    isPublic,
    revision,
    keyHash,
    challenge.token,
    challenge.network,
    createdAtMs,
    Object.keys(settings).length === 0 ? LEFT_OUT : JSON.stringify(settings),
  ].join("\n");
}

/** The record that was kept under an id. */
export function unpackRecord(id: string, kept: Kept): OwnedMonitor {
  if (typeof kept !== "string") return kept;
  const [url = "", name = LEFT_OUT, isPublic, revision, keyHash = "", ...others] = kept.split("\n");
  const [token = "", network = "", since, settings = LEFT_OUT] = others;
  // `packRecord` has written both.
  const called = JSON.parse(name) as string | null;
  const more = JSON.parse(settings) as Partial<Monitor> | null;
  const sinceMs = Number(since);
  return {
    monitor: {
      id,
      url,
      name: called ?? defaultNameOf(url),
      isPublic: isPublic === "true",
      ...more,
    },
    revision: Number(revision),
    keyHash,
    createdAtMs: sinceMs,
    challenges: [{ token, goal: { kind: "first" }, sinceMs, network }],
  };
}

interface Neighbours {
  readonly ofDomain: readonly OwnedMonitor[];
  readonly ofHost: readonly OwnedMonitor[];
}

function createPools(
  limits: OwnerLimits,
  get: (id: string) => OwnedMonitor | undefined,
  counts: ReturnType<typeof createCounts>,
) {
  const findAt = (url: string, toHosts: (owned: OwnedMonitor) => readonly string[]): Neighbours => {
    const host = hostOf({ url });
    const domain = registrableDomainOf(host);
    const ofDomain = counts
      .idsOf(domain)
      .flatMap((id) => get(id) ?? [])
      .filter((owned) => toHosts(owned).some((one) => registrableDomainOf(one) === domain));
    return { ofDomain, ofHost: ofDomain.filter((owned) => toHosts(owned).includes(host)) };
  };
  return {
    /** With those that may move there. */
    recordsAt: (url: string) => findAt(url, hostsOf),
    /** Without them: they have shown nothing there yet. */
    settledAt: (url: string) => findAt(url, ({ monitor }) => [hostOf(monitor)]),
    fullness: ({ ofDomain, ofHost }: Neighbours): OwnerProblem | undefined => {
      if (ofHost.filter(isProved).length >= limits.perHost) return "limit-host";
      return ofDomain.filter(isProved).length >= limits.perDomain ? "limit-domain" : undefined;
    },
    displacedAt: ({ ofDomain, ofHost }: Neighbours, sender: string): Displaceable | undefined => {
      const pools = [
        [ofHost, limits.perHost, limits.perNetworkAndHost],
        [ofDomain, limits.perDomain, limits.perNetworkAndDomain],
      ] as const;
      for (const [records, most, mostMine] of pools) {
        const waiting = records.filter((one) => !isProved(one)).map(toDisplaceable);
        const mine = waiting.filter((one) => one.sender === sender);
        if (mine.length >= mostMine) return chooseDisplaced(mine);
        if (waiting.length >= most) return chooseDisplaced(waiting);
      }
      return counts.pending() >= limits.pendingInAll
        ? chooseDisplaced(counts.waiting())
        : undefined;
    },
  };
}

interface Displaceable extends Waiting {
  readonly id: string;
}

function toDisplaceable({ monitor, challenges, createdAtMs }: OwnedMonitor): Displaceable {
  return { id: monitor.id, sender: challenges[0]?.network ?? "", sinceMs: createdAtMs };
}

function isProved({ proof }: OwnedMonitor): boolean {
  return proof !== undefined;
}

/** That of a monitor, and that of the address that it may move to. */
function hostsOf({ monitor, challenges }: OwnedMonitor): readonly string[] {
  const moves = challenges.flatMap(({ goal }) => (goal.kind === "url" ? [goal] : []));
  return [monitor, ...moves].map(hostOf);
}

/** What the limits count, kept up to date with each record, because a request must not pass over all of them. */
function createCounts() {
  /** By hash, so that the names need not be kept; most domains have one monitor. */
  const idsByDomain = new Map<number, string | readonly string[]>();
  /** By hash: two networks share a count once in a million, and are refused too early only if both are busy. */
  const openByNetwork = new Uint16Array(NETWORK_COUNTS);
  const networkAt = (network: string): number => fnv1a(network) & (NETWORK_COUNTS - 1);
  const idsOf = (domain: string): readonly string[] => {
    const ids = idsByDomain.get(fnv1a(domain) | 0) ?? [];
    return typeof ids === "string" ? [ids] : ids;
  };
  /** Monitors that wait for their first proof. */
  const waiting = new Map<string, Displaceable>();
  const addTo = (domain: string, id: string, step: 1 | -1): void => {
    const others = idsOf(domain).filter((other) => other !== id);
    const ids = step === 1 ? [...others, id] : others;
    const [first] = ids;
    const key = fnv1a(domain) | 0;
    if (first === undefined) idsByDomain.delete(key);
    else idsByDomain.set(key, ids.length === 1 ? first : ids);
  };
  return {
    pending: () => waiting.size,
    waiting: () => [...waiting.values()],
    openOf: (network: string) => openByNetwork[networkAt(network)] ?? 0,
    idsOf,
    add: (owned: OwnedMonitor, step: 1 | -1): void => {
      const { id } = owned.monitor;
      if (step === 1 && !isProved(owned)) waiting.set(id, toDisplaceable(owned));
      else waiting.delete(id);
      for (const { network } of owned.challenges) {
        const at = networkAt(network);
        openByNetwork[at] = (openByNetwork[at] ?? 0) + step;
      }
      for (const domain of new Set(hostsOf(owned).map(registrableDomainOf)))
        addTo(domain, id, step);
    },
  };
}
