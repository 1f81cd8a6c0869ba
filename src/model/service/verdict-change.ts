import type { PastOutages } from "./accuracy.ts";
import type { Scope } from "./interference.ts";
import type { UnusualOperators } from "./reports.ts";
import { DAY_MS } from "../time.ts";
import type { VerdictCode } from "../../contract/codes/verdict.ts";

/** A change of a verdict; `CHANGES` in src/contract/history.ts describes the other fields. */
export interface VerdictChange {
  /** Its number, from 1: each change of an installation has the next one. */
  readonly seq: number;
  readonly slug: string;
  readonly atMs: number;
  readonly before: VerdictCode;
  readonly code: VerdictCode;
  readonly scope: Scope;
  readonly isSurge: boolean;
  readonly live: boolean;
  readonly networks?: number | undefined;
  /** How long earlier outages had lasted. Absent: too few were known, or the verdict does not fail. */
  readonly past?: PastOutages | undefined;
  readonly operators?: UnusualOperators | undefined;
}

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
export interface Incident {
  readonly slug: string;
  /**
   * From when on the service had which verdict: at least one, the oldest first. The first is its beginning, and of one that is over the last is its end: `none` if its service left the
   * catalogue.
   */
  readonly steps: readonly { readonly atMs: number; readonly code: VerdictCode }[];
}

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
