import * as z from "zod";
import type { Connectivity, ConnectivityState } from "./connectivity.ts";
import type { EndpointResult, Outcome } from "../probe-outcome.ts";
import { count, failureCode, instant, listOf, packedRow, type Stored } from "../stored-parts.ts";

/** The state of a service by its checks alone, the mildest first. */
export const CHECK_CLASSES = [
  "up",
  "slow",
  "partial",
  "provider-denied",
  "server-error",
  "failing",
] as const;
export type CheckClass = (typeof CHECK_CLASSES)[number];

const checkClass = z.enum(CHECK_CLASSES);

/** One valid run. */
export interface RunMark {
  readonly atMs: number;
  /** The runner or its uplink was slow, so response times of this run do not count. */
  readonly isCongested: boolean;
  /** Never `offline`: such a run is not valid. */
  readonly connectivity: ConnectivityState;
}

/** The input of one valid run to the history. */
export interface RunRecord extends Omit<RunMark, "connectivity"> {
  readonly connectivity: Connectivity;
  /** By endpoint URL. May cover only a part of the catalogue (`--only`). */
  readonly results: ReadonlyMap<string, EndpointResult>;
  readonly anchors: ReadonlyMap<string, Outcome>;
  /** The network of an endpoint, by its URL, if one of its addresses is known. */
  readonly networks: ReadonlyMap<string, string>;
}

/** One character per run of `History.runs`, oldest first, same length. Alphabet: src/services/history/sample-codes.ts. */
export type SampleString = string;

const spell = { sinceMs: instant, isSinceExact: z.boolean() };

const endedSpell = z.strictObject({ ...spell, endedAtMs: instant });

/** An outage or `partial` that ended recently; kept so that a relapse can continue it. */
export type EndedSpell = Stored<typeof endedSpell>;

const outage = z.strictObject({
  ...spell,
  /** The first run that found it over, or after a gap the last one that found it; null: it lasts. */
  endedAtMs: instant.nullable(),
  /** What most failing endpoints had in the run that had the most of them; null: no endpoint was probed since it began. */
  code: failureCode.nullable(),
  /** Endpoints that failed in that run. */
  failing: count,
  /** Endpoints that counted in that run. */
  counted: count,
});

/** One of the last outages of a service, for its list. */
export type Outage = Stored<typeof outage>;

/** Why a new failure is held. Source: docs/services/verdicts.md, "Held failures". */
export const HOLD_CAUSES = [
  "half",
  "abroad-cut",
  "lossy",
  "congested",
  "common-cause",
  "lone",
] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

export const HELD_FAILURE = z.strictObject({
  cause: z.enum(HOLD_CAUSES),
  checkClass,
  /** `sinceMs`: the first run that found it. */
  ...spell,
  /** The last run that found it. */
  lastAtMs: instant,
  /** Number of consecutive runs that found it. */
  runs: count,
  /** Number of services that began to fail in the last of them, this one included. */
  failingTogether: count,
});

/** A failure that the last runs found and that is not accepted yet: the earlier verdict stays published. */
export type HeldFailure = Stored<typeof HELD_FAILURE>;

const dayCounts = z.strictObject({
  /** Whole UTC days since the Unix epoch. */
  day: count,
  /** In the order of `CHECK_CLASSES`. */
  counts: z.array(count).length(CHECK_CLASSES.length).readonly(),
});

/** Number of runs of one UTC day by check class. */
export type DayCounts = Stored<typeof dayCounts>;

/** Months of a service that are kept, the present one included. Source: docs/open-data.md, "History". */
export const MAX_MONTHS = 24;

/** Half hours of the last day of a service or an endpoint, the present one included. */
export const HALF_HOURS = 48;

const monthCounts = packedRow({
  /** As of `toUtcMonth`. */
  month: count,
  checks: count,
  /** Those in which a critical endpoint failed. */
  down: count,
});

/** Checks of one UTC month. */
export type MonthCounts = Stored<typeof monthCounts>;

const claim = z.strictObject({ url: z.string(), sinceMs: instant });

/** An endpoint whose failure is claimed to be blocking. */
export type BlockingClaim = Stored<typeof claim>;

export const SERVICE_HISTORY = z.strictObject({
  checkClass,
  /**
   * `sinceMs`: start of the current check class; `failing` and `server-error` are one outage with one start. `isSinceExact`, if false:
   * the class began inside a gap without runs, or before the first run.
   */
  ...spell,
  /** Whether a check of this outage had confirmed evidence of blocking on a critical endpoint. */
  isBlocked: z.boolean(),
  /** Endpoints whose failure in this outage is claimed to be blocking, by the experiment and by controls abroad. */
  claims: listOf(claim),
  /** Last valid run that decided about a critical endpoint of this service. */
  checkedAtMs: instant,
  lastOutage: endedSpell.nullable(),
  lastPartial: endedSpell.nullable(),
  /** What the services that are down or slow together with this one share; null: unknown, or it is alone. */
  sharedCause: z.string().nullable(),
  /** The last ones, oldest first. */
  outages: listOf(outage),
  /** Check class per run, one character each, aligned with `History.runs`: a `SampleString`. */
  strip: z.string(),
  /** At most 91, oldest first. */
  days: listOf(dayCounts),
  /** Of the days before these, oldest first; absent: there are none. */
  months: z.exactOptional(listOf(monthCounts)),
});

export type ServiceHistory = Stored<typeof SERVICE_HISTORY>;

/** Why nothing is known of a service that runs probe, as src/contract/evidence.ts says. `never-reached`: its entry is probably wrong. */
export const UNKNOWN_REASONS = ["refused", "wall-only", "never-reached"] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** Why an endpoint does not count for its service. Source: docs/services/verdicts.md, "Endpoints that do not count". */
export type LeftOut = "unproven" | "chronic";

/** An endpoint in the last run that decided about it. `suspect`: it failed alone in its service, which the next run has to find again. */
export type LastState = "healthy" | "failing" | "suspect" | "unknown";

/** Runs of the last day in which the runner was slow itself, of all of them. */
export interface Congestion {
  readonly congested: number;
  readonly of: number;
}

/** The fields of every `History`, before the first run. */
export const EMPTY_HISTORY = {
  /** Time of the last valid run; before there is one, of the first attempt; null before that. */
  updatedAtMs: null as number | null,
  /** Valid runs of the last seven days, oldest first. */
  runs: [] as readonly RunMark[],
  /** Per endpoint, by URL; anchors as `anchor:` + URL. */
  endpoints: new Map() as ReadonlyMap<string, SampleString>,
  /** URLs of endpoints that were healthy at least once, as long as the catalogue has them. */
  proven: new Set() as ReadonlySet<string>,
  services: new Map() as ReadonlyMap<string, ServiceHistory>,
  /** By slug. */
  held: new Map() as ReadonlyMap<string, HeldFailure>,
};

/** The results that are kept between runs. */
export type History = Readonly<typeof EMPTY_HISTORY>;
