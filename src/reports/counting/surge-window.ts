import { type RecentReports, recentBetween } from "../../model/service/recent-reports.ts";
import { type ReportLedger, SURGE_SLOT_MS } from "../../model/service/reports.ts";

/** Slots in the window of an evaluation: 15 minutes. */
export const WINDOW_SLOTS = 3;

/** A network that reports more services than this in one window is ignored. Source: docs/reports/counting.md, Fair counting. */
const MAX_SERVICES = 5;

/** Accepted reports of a service in the 15 minutes before the slot. */
export function windowOf(recent: RecentReports, slot: number): RecentReports {
  return recentBetween(recent, (slot - WINDOW_SLOTS) * SURGE_SLOT_MS, slot * SURGE_SLOT_MS);
}

/** Networks that reported more than five services in the 15 minutes before the slot. */
export function findIgnoredNetworks(
  services: ReportLedger["services"],
  slot: number,
): ReadonlySet<number> {
  const reported = new Map<number, number>();
  for (const { recent } of services.values()) {
    for (const network of new Set(windowOf(recent, slot).networks)) {
      reported.set(network, (reported.get(network) ?? 0) + 1);
    }
  }
  return new Set(
    [...reported].filter(([, times]) => times > MAX_SERVICES).map(([network]) => network),
  );
}

/** The networks that reported a service in a window. */
export interface WindowNetworks {
  /** Distinct networks that are not ignored. */
  readonly count: number;
  /** Distinct networks that are ignored. */
  readonly ignored: number;
  readonly blocks: number;
  /** Networks in the largest block. */
  readonly largestBlock: number;
}

/** Counts the networks and blocks that reported one service in the 15 minutes before the slot. */
export function countNetworks(
  recent: RecentReports,
  slot: number,
  ignoredNetworks: ReadonlySet<number>,
): WindowNetworks {
  const { networks, blocks } = windowOf(recent, slot);
  const blockOf = new Map<number, number>();
  for (let place = 0; place < networks.length; place += 1) {
    blockOf.set(networks[place] ?? 0, blocks[place] ?? 0);
  }
  const sizes = new Map<number, number>();
  for (const [network, block] of blockOf) {
    if (!ignoredNetworks.has(network)) sizes.set(block, (sizes.get(block) ?? 0) + 1);
  }
  const members = [...sizes.values()];
  const count = members.reduce((sum, size) => sum + size, 0);
  return {
    count,
    ignored: blockOf.size - count,
    blocks: sizes.size,
    largestBlock: members.reduce((most, size) => Math.max(most, size), 0),
  };
}
