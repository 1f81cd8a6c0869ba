import * as z from "zod";
import { NO_OWNER_CHANGES, type OwnerChanges } from "../../model/monitor/owner-channel.ts";
import type { OwnersState } from "../../model/monitor/owned-monitor.ts";
import { FOLDED_SCHEMA, fromFoldedWire, misfitOfFolded, toFoldedWire } from "./folded-ids.ts";
import { OWNED_MONITOR } from "./owned-monitor.ts";
import { sortPairs } from "./sort-pairs.ts";

const count = z.int().min(0);

const change = { seq: z.int().min(1), id: z.string(), atMs: count };

const CHANGES: z.ZodType<OwnerChanges> = z
  .strictObject({
    next: z.int().min(1),
    recent: z
      .array(
        z.discriminatedUnion("kind", [
          z.strictObject({
            ...change,
            kind: z.literal("condition"),
            before: z.enum(["healthy", "failing", "refused", "unknown"]),
            sinceMs: count,
            after: z.enum(["healthy", "failing"]),
            code: z.exactOptional(z.string()),
          }),
          z.strictObject({ ...change, kind: z.literal("added"), channelId: z.string() }),
        ]),
      )
      .readonly(),
  })
  .refine(
    ({ next, recent }) => recent.every(({ seq }, at) => seq === next - recent.length + at),
    "the changes are not numbered without gaps",
  );

/** The owners in the stored state. */
export const OWNERS_SCHEMA = z
  .strictObject({
    sequence: count,
    pending: z
      .strictObject({
        sequence: count,
        changes: z.array(z.tuple([z.string(), OWNED_MONITOR.nullable()]).readonly()).readonly(),
      })
      .nullable(),
    shards: z.array(count).readonly(),
    folded: FOLDED_SCHEMA,
    blockedHosts: z.array(z.string()).readonly(),
    // Added within the layout; a state without it has none.
    changes: CHANGES.default(NO_OWNER_CHANGES),
  })
  .refine(({ folded }) => misfitOfFolded(folded) === undefined, "folded edits are not ranges");

export type OwnersWire = z.infer<typeof OWNERS_SCHEMA>;

/** What a state without owners has. */
export const NO_OWNERS_WIRE: OwnersWire = {
  sequence: 0,
  pending: null,
  shards: [],
  folded: [],
  blockedHosts: [],
  changes: NO_OWNER_CHANGES,
};

export function toOwnersWire({ pending, folded, ...others }: OwnersState): OwnersWire {
  return {
    ...others,
    folded: toFoldedWire(folded),
    pending: pending && { ...pending, changes: sortPairs(pending.changes) },
  };
}

/** The inverse of `toOwnersWire`. */
export function fromOwnersWire({ pending, folded, ...others }: OwnersWire): OwnersState {
  return {
    ...others,
    folded: fromFoldedWire(folded),
    pending: pending && { ...pending, changes: new Map(pending.changes) },
  };
}
