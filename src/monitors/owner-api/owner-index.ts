import type { OwnedMonitor } from "../../model/owned-monitor.ts";
import type { OwnerProblem } from "../../model/owner-problems.ts";
import { fnv1a } from "../../model/fnv1a.ts";
import { hostOf } from "../ownership/fold-edits.ts";
import { type Kept, packRecord, unpackRecord } from "./packed-record.ts";
import { registrableDomainOf } from "../ownership/registrable-domain.ts";

/** How many monitors there may be. Source: docs/monitors/owners.md, "Limits". */
export interface OwnerLimits {
  /** Open challenges of one network; each lasts a day. */
  readonly perNetwork: number;
  /** Monitors of one registrable domain, proved or not. */
  readonly perDomain: number;
  readonly perHost: number;
  /** Monitors of one host that one network may have waiting, and of one domain: strangers must not keep its owner out. */
  readonly perNetworkAndHost: number;
  readonly perNetworkAndDomain: number;
  /** Monitors that wait for their proof. */
  readonly pendingInAll: number;
  /** Open requests for a new key of one monitor, and of them those of one network. */
  readonly keysPerMonitor: number;
  readonly keysPerNetwork: number;
}

export const OWNER_LIMITS: OwnerLimits = {
  perNetwork: 10,
  perDomain: 20,
  perHost: 10,
  perNetworkAndHost: 3,
  perNetworkAndDomain: 6,
  pendingInAll: 5_000,
  keysPerMonitor: 5,
  keysPerNetwork: 2,
};

/** The records that an intake knows, with the counts that its limits need. */
export interface OwnerIndex {
  readonly get: (id: string) => OwnedMonitor | undefined;
  readonly set: (id: string, owned: OwnedMonitor | undefined) => void;
  readonly ids: () => Iterable<string>;
  readonly size: () => number;
  readonly pending: () => number;
  /** Why this network may not add a monitor of this URL; undefined if it may. */
  readonly refusalOf: (url: string, network: string) => OwnerProblem | undefined;
  /** Why this network may not ask for a new key of a monitor. */
  readonly refusalOfKey: (owned: OwnedMonitor, network: string) => OwnerProblem | undefined;
}

/** A power of two, at two bytes each. */
const NETWORK_COUNTS = 1 << 20;

/** An empty index. Its functions never throw. */
export function createOwnerIndex(limits: OwnerLimits = OWNER_LIMITS): OwnerIndex {
  const records = new Map<string, Kept>();
  const get = (id: string): OwnedMonitor | undefined => {
    const kept = records.get(id);
    return kept === undefined ? undefined : unpackRecord(id, kept);
  };
  const counts = createCounts();
  const isNetworkFull = (network: string): boolean => counts.openOf(network) >= limits.perNetwork;
  return {
    get,
    set: (id, owned) => {
      const before = get(id);
      if (before !== undefined) counts.add(before, -1);
      if (owned !== undefined) counts.add(owned, 1);
      if (owned === undefined) records.delete(id);
      else records.set(id, packRecord(owned));
    },
    ids: () => records.keys(),
    size: () => records.size,
    pending: counts.pending,
    refusalOf: (url, network) => {
      if (isNetworkFull(network)) return "limit-network";
      const host = hostOf({ url });
      const domain = registrableDomainOf(host);
      const ofDomain = counts
        .idsOf(domain)
        .flatMap((id) => get(id) ?? [])
        .filter((owned) => domainOf(owned) === domain);
      const ofHost = ofDomain.filter(({ monitor }) => hostOf(monitor) === host);
      const isMine = ({ challenges }: OwnedMonitor): boolean =>
        challenges.some((one) => one.network === network);
      if (ofHost.length >= limits.perHost) return "limit-host";
      if (ofHost.filter(isMine).length >= limits.perNetworkAndHost) return "limit-host";
      if (ofDomain.length >= limits.perDomain) return "limit-domain";
      if (ofDomain.filter(isMine).length >= limits.perNetworkAndDomain) return "limit-domain";
      return counts.pending() >= limits.pendingInAll ? "limit-all" : undefined;
    },
    refusalOfKey: ({ challenges }, network) => {
      if (isNetworkFull(network)) return "limit-network";
      const keys = challenges.filter(({ goal }) => goal.kind === "key");
      const mine = keys.filter((one) => one.network === network);
      const isFull = keys.length >= limits.keysPerMonitor || mine.length >= limits.keysPerNetwork;
      return isFull ? "limit-keys" : undefined;
    },
  };
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
  let pending = 0;
  return {
    pending: () => pending,
    openOf: (network: string) => openByNetwork[networkAt(network)] ?? 0,
    idsOf,
    add: (owned: OwnedMonitor, step: 1 | -1): void => {
      if (owned.proof === undefined) pending += step;
      for (const { network } of owned.challenges) {
        const at = networkAt(network);
        openByNetwork[at] = (openByNetwork[at] ?? 0) + step;
      }
      const domain = domainOf(owned);
      const { id } = owned.monitor;
      const others = idsOf(domain).filter((other) => other !== id);
      const ids = step === 1 ? [...others, id] : others;
      const [first] = ids;
      const key = fnv1a(domain) | 0;
      if (first === undefined) idsByDomain.delete(key);
      else idsByDomain.set(key, ids.length === 1 ? first : ids);
    },
  };
}

function domainOf({ monitor }: OwnedMonitor): string {
  return registrableDomainOf(hostOf(monitor));
}
