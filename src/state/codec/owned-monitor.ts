import * as z from "zod";
import {
  OWNED_MONITOR,
  OWNER_EDIT,
  type OwnerEdit,
  type OwnerShard,
} from "../../model/monitor/owned-monitor.ts";
import { sortPairs } from "../../model/stored-maps.ts";
import { codecOf, count, listOf } from "../../model/stored-parts.ts";
import { storedAs, type StoredKind } from "./stored.ts";

/** Edits of one object: with the longest texts they stay below a megabyte. */
export const MAX_EDITS_PER_OBJECT = 200;

/** Owned monitors, in the order of their ids. */
export const OWNER_SHARD: StoredKind<OwnerShard> = storedAs(
  {
    name: "the list of owned monitors",
    format: "status-snapshot/owners",
    remedy: "restore it from a copy",
  },
  z.strictObject({
    sequence: count,
    owned: codecOf(
      listOf(OWNED_MONITOR),
      (owned): OwnerShard["owned"] => new Map(owned.map((one) => [one.monitor.id, one])),
      (owned) => sortPairs(owned).map(([, one]) => one),
    ),
  }),
);

export const OWNER_EDITS: StoredKind<readonly OwnerEdit[]> = storedAs(
  {
    name: "the inbox of edits",
    format: "status-snapshot/owner-edits",
    isPlain: true,
  },
  codecOf(
    z.strictObject({ edits: z.array(OWNER_EDIT).max(MAX_EDITS_PER_OBJECT).readonly() }),
    ({ edits }): readonly OwnerEdit[] => edits,
    (edits) => ({ edits }),
  ),
);
