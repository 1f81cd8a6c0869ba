import * as z from "zod";
import { VERDICT_CODES, type VerdictCode } from "../../contract/codes/verdict.ts";
import { count, flag, instant, orNull, packedRow, type Stored } from "../stored-parts.ts";
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

/**
 * The verdicts, and how they changed. `none` is not recorded: a pause of the runner is no change. Changes have no gaps: the first one
 * has the number `next - changes.length`.
 */
export interface VerdictLog {
  /** The last verdict of each service of the catalogue, by slug. */
  readonly codes: ReadonlyMap<string, VerdictCode>;
  /** The oldest first, of services that left the catalogue too. */
  readonly changes: readonly VerdictChange[];
  /** The number of the next change. */
  readonly next: number;
}

export const NO_VERDICTS: VerdictLog = { codes: new Map(), changes: [], next: 1 };

/** The time in which the verdict of a service was `live`. */
export const INCIDENT = packedRow({
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

/** The fields of every `Incidents`, before the first verdict that was live. */
export const NO_INCIDENTS = {
  /** At most one of a service, in the order in which they began. */
  open: [] as readonly Incident[],
  /** The last ones, in the order in which they ended. */
  past: [] as readonly Incident[],
  /** When the verdict or the liveness of any service changed last; null: never since there is this list. */
  changedAtMs: null as number | null,
};

/** Incidents, for the documents in the format of Statuspage. */
export type Incidents = Readonly<typeof NO_INCIDENTS>;
