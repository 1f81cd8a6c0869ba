import { type RecentRow, type ReportLedger, SURGE_SLOT_MS } from "../model/reports.ts";
import { rowsBetween } from "./rows.ts";

/** Slots in the window that an evaluation looks at: 15 minutes. */
export const WINDOW_SLOTS = 3;

/** A network that reports more services than this in one window weighs nothing. Source: docs/reports.md, Fair counting. */
const MAX_SERVICES = 5;

/** Accepted reports of a service in the 15 minutes before the slot. */
export function windowOf(recent: readonly RecentRow[], slot: number): readonly RecentRow[] {
  return rowsBetween(recent, (slot - WINDOW_SLOTS) * SURGE_SLOT_MS, slot * SURGE_SLOT_MS);
}

/** Networks that reported more than five services in the 15 minutes before the slot. */
export function findHopping(services: ReportLedger["services"], slot: number): ReadonlySet<string> {
  const reported = new Map<string, number>();
  for (const { recent } of services.values()) {
    for (const network of new Set(windowOf(recent, slot).map((row) => row[1]))) {
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
export function lookAtCrowd(
  recent: readonly RecentRow[],
  slot: number,
  hopping: ReadonlySet<string>,
): Crowd {
  const blockOf = new Map(windowOf(recent, slot).map(([, network, block]) => [network, block]));
  const sizes = new Map<string, number>();
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
