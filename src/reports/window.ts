import { type Recent, recentBetween } from "../model/recent.ts";
import { type ReportLedger, SURGE_SLOT_MS } from "../model/reports.ts";

/** Slots in the window that an evaluation looks at: 15 minutes. */
export const WINDOW_SLOTS = 3;

/** A network that reports more services than this in one window weighs nothing. Source: docs/reports.md, Fair counting. */
const MAX_SERVICES = 5;

/** Accepted reports of a service in the 15 minutes before the slot. */
export function windowOf(recent: Recent, slot: number): Recent {
  return recentBetween(recent, (slot - WINDOW_SLOTS) * SURGE_SLOT_MS, slot * SURGE_SLOT_MS);
}

/** Networks that reported more than five services in the 15 minutes before the slot. */
export function findHopping(services: ReportLedger["services"], slot: number): ReadonlySet<number> {
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

/** Who reported a service in a window. */
export interface Crowd {
  /** Distinct networks that weigh. */
  readonly count: number;
  /** Distinct networks that weigh nothing. */
  readonly ignored: number;
  readonly blocks: number;
  /** Networks in the block that has most of them. */
  readonly largestBlock: number;
}

/** The networks and blocks behind the reports of one service in the 15 minutes before the slot. */
export function lookAtCrowd(recent: Recent, slot: number, hopping: ReadonlySet<number>): Crowd {
  const { networks, blocks } = windowOf(recent, slot);
  const blockOf = new Map<number, number>();
  for (let place = 0; place < networks.length; place += 1) {
    blockOf.set(networks[place] ?? 0, blocks[place] ?? 0);
  }
  const sizes = new Map<number, number>();
  for (const [network, block] of blockOf) {
    if (!hopping.has(network)) sizes.set(block, (sizes.get(block) ?? 0) + 1);
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
