import * as z from "zod";
import { SCOPES } from "../../model/service/interference.ts";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import type { VerdictChange, VerdictLog } from "../../model/service/verdict-change.ts";
import { sortPairs } from "./sort-pairs.ts";

const instant = z.int().min(0);
const verdict = z.enum(VERDICT_CODES);
const flag = z.union([z.literal(0), z.literal(1)]);

const oldChange = z.tuple([z.string(), instant, verdict, verdict]);
const change = z.tuple([...oldChange.def.items, z.enum(SCOPES), flag, flag]);

/** The log of verdicts before changes had numbers: slug, time, verdict before, verdict since. */
export const OLD_VERDICTS_SCHEMA = z.strictObject({
  codes: z.array(z.tuple([z.string(), verdict]).readonly()).readonly(),
  changes: z.array(oldChange.readonly()).readonly(),
});

/**
 * The log of verdicts in the stored state. Numbers follow from the place, so that no stored log can have a gap. A change has its
 * scope, whether reports surged, and whether the verdict was live; those of old states have not.
 */
export const VERDICTS_SCHEMA = z
  .strictObject({
    ...OLD_VERDICTS_SCHEMA.shape,
    changes: z.array(z.union([change.readonly(), oldChange.readonly()])).readonly(),
    /** The number of the next change; null in old states, in which the first change has number 1. */
    next: z.int().min(1).nullable().default(null),
  })
  .refine(
    ({ next, changes }) => next === null || next > changes.length,
    "there are more changes than numbers",
  );

export type VerdictsWire = z.infer<typeof VERDICTS_SCHEMA>;

export function toVerdictsWire({ codes, changes, next }: VerdictLog): VerdictsWire {
  return {
    codes: sortPairs(codes),
    changes: changes.map(({ slug, atMs, before, code, scope, isSurge, live }) => {
      return [slug, atMs, before, code, scope, isSurge ? 1 : 0, live ? 1 : 0];
    }),
    next,
  };
}

/** The inverse of `toVerdictsWire`. */
export function fromVerdictsWire({ codes, changes, next }: VerdictsWire): VerdictLog {
  const nextSeq = next ?? changes.length + 1;
  const first = nextSeq - changes.length;
  return {
    codes: new Map(codes),
    changes: changes.map((one, place) => fromChange(one, first + place)),
    next: nextSeq,
  };
}

type ChangeWire = VerdictsWire["changes"][number];

/** An old change says nothing of reports, but `spike` means a surge, which is live. */
function fromChange(wire: ChangeWire, seq: number): VerdictChange {
  const [slug, atMs, before, code, scope = "unknown", surge, live] = wire;
  const isSpike = code === "spike";
  return {
    seq,
    slug,
    atMs,
    before,
    code,
    scope,
    isSurge: surge === undefined ? isSpike : surge === 1,
    live: live === undefined ? isSpike || code === "fail" : live === 1,
  };
}
