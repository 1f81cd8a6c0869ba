import type { OwnedMonitor } from "../../model/owned-monitor.ts";
import type { OwnerProblem } from "../../model/owner-problems.ts";
import { hostOf } from "../ownership/fold-edits.ts";
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

/** An empty index. Its functions never throw. */
export function createOwnerIndex(limits: OwnerLimits = OWNER_LIMITS): OwnerIndex {
  const records = new Map<string, OwnedMonitor>();
  const counts = createCounts();
  const isNetworkFull = (network: string): boolean => counts.openOf(network) >= limits.perNetwork;
  return {
    get: (id) => records.get(id),
    set: (id, owned) => {
      const before = records.get(id);
      if (before !== undefined) counts.add(before, -1);
      if (owned !== undefined) counts.add(owned, 1);
      if (owned === undefined) records.delete(id);
      else records.set(id, owned);
    },
    ids: () => records.keys(),
    size: () => records.size,
    pending: counts.pending,
    refusalOf: (url, network) => {
      if (isNetworkFull(network)) return "limit-network";
      const host = hostOf({ url });
      const ids = counts.idsOf(registrableDomainOf(host));
      const ofDomain = ids.flatMap((id) => records.get(id) ?? []);
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
  const idsByDomain = new Map<string, readonly string[]>();
  const openByNetwork = new Map<string, number>();
  let pending = 0;
  return {
    pending: () => pending,
    openOf: (network: string) => openByNetwork.get(network) ?? 0,
    idsOf: (domain: string) => idsByDomain.get(domain) ?? [],
    add: (owned: OwnedMonitor, step: 1 | -1): void => {
      if (owned.proof === undefined) pending += step;
      for (const { network } of owned.challenges) {
        const open = (openByNetwork.get(network) ?? 0) + step;
        if (open === 0) openByNetwork.delete(network);
        else openByNetwork.set(network, open);
      }
      const domain = domainOf(owned);
      const { id } = owned.monitor;
      const others = (idsByDomain.get(domain) ?? []).filter((other) => other !== id);
      const ids = step === 1 ? [...others, id] : others;
      if (ids.length === 0) idsByDomain.delete(domain);
      else idsByDomain.set(domain, ids);
    },
  };
}

function domainOf({ monitor }: OwnedMonitor): string {
  return registrableDomainOf(hostOf(monitor));
}
