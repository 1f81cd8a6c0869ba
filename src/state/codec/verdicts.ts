import * as z from "zod";
import type { Incident, VerdictLog } from "../../model/service/verdict-change.ts";
import { SCOPES } from "../../model/service/interference.ts";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { codecOf, instant, mapOf } from "./parts.ts";

const verdict = z.enum(VERDICT_CODES);
const flag = codecOf(
  z.literal([0, 1]),
  (bit): boolean => bit === 1,
  (is) => (is ? 1 : 0),
);

/** Slug, time, verdict before and since, scope, whether reports surged, whether the verdict was live. */
const change = z
  .tuple([z.string(), instant, verdict, verdict, z.enum(SCOPES), flag, flag])
  .readonly();

/** The log of verdicts. Numbers follow from the place, so that no stored log can have a gap. */
export const VERDICTS = codecOf(
  z.strictObject({
    codes: mapOf(verdict),
    changes: z.array(change).readonly(),
    /** The number of the next change. */
    next: z.int().min(1),
  }),
  ({ codes, changes, next }): VerdictLog => ({
    codes,
    changes: changes.map(([slug, atMs, before, code, scope, isSurge, live], place) => {
      return { seq: next - changes.length + place, slug, atMs, before, code, scope, isSurge, live };
    }),
    next,
  }),
  ({ codes, changes, next }) => ({
    codes,
    changes: changes.map(
      ({ slug, atMs, before, code, scope, isSurge, live }) =>
        [slug, atMs, before, code, scope, isSurge, live] as const,
    ),
    next,
  }),
  ({ next, changes }) =>
    next > changes.length ? undefined : "there are more changes than numbers",
);

/** Slug, and the steps: time, verdict. */
const incident = codecOf(
  z
    .tuple([
      z.string(),
      z
        .array(z.tuple([instant, verdict]).readonly())
        .min(1)
        .readonly(),
    ])
    .readonly(),
  ([slug, steps]): Incident => ({ slug, steps: steps.map(([atMs, code]) => ({ atMs, code })) }),
  ({ slug, steps }) => [slug, steps.map(({ atMs, code }) => [atMs, code] as const)] as const,
);

export const INCIDENTS = z.strictObject({
  open: z.array(incident).readonly(),
  past: z.array(incident).readonly(),
  changedAtMs: instant.nullable(),
});
