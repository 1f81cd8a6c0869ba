import * as z from "zod";
import type { OwnersState } from "../../model/owned-monitor.ts";
import { FOLDED_SCHEMA, fromFoldedWire, misfitOfFolded, toFoldedWire } from "./folded-ids.ts";
import { OWNED_MONITOR } from "./owned-monitor.ts";
import { sortPairs } from "./sort-pairs.ts";

const count = z.int().min(0);

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
