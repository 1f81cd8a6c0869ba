import * as z from "zod";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { mapOf } from "../stored-maps.ts";
import {
  codecOf,
  count,
  flag,
  instant,
  listOf,
  orNull,
  packedRow,
  type Stored,
} from "../stored-parts.ts";
import { DAY_MS } from "../time.ts";
import { PAST_OUTAGES } from "./accuracy.ts";
import { SCOPES } from "./interference.ts";
import { UNUSUAL_OPERATORS } from "./reports.ts";

const verdict = z.enum(VERDICT_CODES);

/** A change of a verdict; `CHANGES` in src/contract/history.ts describes the other fields. */
export const VERDICT_CHANGE = packedRow({
  slug: z.string(),
  atMs: instant,
  before: verdict,
  code: verdict,
  scope: z.enum(SCOPES),
  isSurge: flag,
  live: flag,
  networks: orNull(count),
  /** How long earlier outages had lasted. Absent: too few were known, or the verdict does not fail. */
  past: orNull(PAST_OUTAGES),
  operators: UNUSUAL_OPERATORS.optional(),
});

/** With its number, from 1: each change of an installation has the next one. */
export type VerdictChange = Stored<typeof VERDICT_CHANGE> & { readonly seq: number };

/** What is told with a change, and stays as it was told. */
export type ToldWith = Pick<VerdictChange, "past" | "operators">;

/** Feeds and `changes/v1.json` have the changes of so long. Source: docs/open-data.md, "Changes". */
export const PUBLIC_CHANGES_MS: number = 30 * DAY_MS;

/** Numbers are not stored: they follow from the place. */
export const VERDICT_LOG = codecOf(
  z.strictObject({
    /** The last verdict of each service of the catalogue, by slug. */
    codes: mapOf(verdict),
    /** The oldest first, of services that left the catalogue too. */
    changes: listOf(VERDICT_CHANGE),
    /** The number of the next change. */
    next: z.int().min(1),
  }),
  ({ changes, ...log }) => {
    const first = log.next - changes.length;
    const numbered: readonly VerdictChange[] = changes.map((one, place) => {
      return { seq: first + place, ...one };
    });
    return { ...log, changes: numbered };
  },
  (log) => log,
  ({ next, changes }) =>
    next > changes.length ? undefined : "there are more changes than numbers",
);

/**
 * The verdicts, and how they changed. `none` is not recorded: a pause of the runner does not change a verdict. Changes have no gaps: the
 * first one has the number `next - changes.length`.
 */
export type VerdictLog = Stored<typeof VERDICT_LOG>;

export const NO_VERDICTS: VerdictLog = { codes: new Map(), changes: [], next: 1 };

/** The time in which the verdict of a service was `live`. */
const INCIDENT = packedRow({
  slug: z.string(),
  /**
   * From when on the service had which verdict, the oldest first. The first is its beginning, and of one that is over the last is its end:
   * `none` if its service left the catalogue.
   */
  steps: z
    .array(packedRow({ atMs: instant, code: verdict }))
    .min(1)
    .readonly(),
});

export type Incident = Stored<typeof INCIDENT>;

export const INCIDENTS = z.strictObject({
  /** At most one of a service, in the order in which they began. */
  open: listOf(INCIDENT),
  /** The last ones, in the order in which they ended. */
  past: listOf(INCIDENT),
  /** When the verdict or the liveness of any service changed last; null: never since there is this list. */
  changedAtMs: instant.nullable(),
});

/** Incidents, for the documents in the format of Statuspage. */
export type Incidents = Stored<typeof INCIDENTS>;

export const NO_INCIDENTS: Incidents = { open: [], past: [], changedAtMs: null };
