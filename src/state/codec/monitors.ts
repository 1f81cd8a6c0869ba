import * as z from "zod";
import { MONITOR_WARNINGS } from "../../model/monitor/monitor.ts";
import type { MonitorChange } from "../../model/monitor/uptime.ts";
import { codecOf, count, failureCode, instant } from "./parts.ts";

const responseMs = z.number().min(0);

const change = z.union([
  z.tuple([z.string(), z.enum(["healthy", "skipped", "gone"])]).readonly(),
  /** With a response time to be stored, milliseconds. */
  z.tuple([z.string(), z.literal("healthy"), responseMs]).readonly(),
  /** The same, or null, and a warning for the owner. */
  z
    .tuple([z.string(), z.literal("healthy"), responseMs.nullable(), z.enum(MONITOR_WARNINGS)])
    .readonly(),
  z.tuple([z.string(), z.enum(["failing", "refused"]), failureCode]).readonly(),
]);

/** Runs that counted for monitors, and changes that the shards may not have yet. */
export const MONITORS = z.strictObject({
  clock: z.strictObject({
    runs: count,
    lastSlot: z.int().min(-1),
    days: z.array(z.tuple([count, count]).readonly()).readonly(),
    recentSlots: z.array(count).readonly(),
  }),
  sequence: count,
  pending: z
    .strictObject({
      sequence: count,
      run: count,
      slot: z.int().min(-1),
      atMs: instant,
      changes: codecOf(
        z.array(change).readonly(),
        (stored): ReadonlyMap<string, MonitorChange> => new Map(stored.map(unpackChange)),
        (changes) => [...changes].map(packChange),
      ),
    })
    .nullable(),
  shards: z.array(count).readonly(),
});

type StoredChange = z.infer<typeof change>;

function packChange([id, change]: readonly [string, MonitorChange]): StoredChange {
  if ("code" in change) return [id, change.kind, change.code];
  if (change.kind !== "healthy") return [id, change.kind];
  const { kind, totalMs, warning } = change;
  if (warning !== undefined) return [id, kind, totalMs ?? null, warning];
  return totalMs === undefined ? [id, kind] : [id, kind, totalMs];
}

function unpackChange(stored: StoredChange): [string, MonitorChange] {
  if (stored.length === 2) return [stored[0], { kind: stored[1] }];
  if (stored[1] !== "healthy") return [stored[0], { kind: stored[1], code: stored[2] }];
  const [id, kind, totalMs, warning] = stored;
  return [
    id,
    {
      kind,
      ...(totalMs === null ? {} : { totalMs }),
      ...(warning === undefined ? {} : { warning }),
    },
  ];
}
