import type { Connectivity, ConnectivityState } from "./connectivity.ts";
import type { EndpointResult, Outcome } from "./outcome.ts";

/** What the checks alone say of a service. */
export const CHECK_CLASSES = [
  "up",
  "slow",
  "partial",
  "provider-denied",
  "server-error",
  "failing",
] as const;
export type CheckClass = (typeof CHECK_CLASSES)[number];

/** One valid run. */
export interface RunMark {
  readonly atMs: number;
  /** The runner or its uplink was slow itself, so that response times of this run mean nothing. */
  readonly isCongested: boolean;
  /** Never `offline`: such a run is not valid. */
  readonly connectivity: ConnectivityState;
}

/** What one valid run has to tell the history. */
export interface RunRecord extends Omit<RunMark, "connectivity"> {
  readonly connectivity: Connectivity;
  /** By endpoint URL. May cover a part of the catalogue only (`--only`). */
  readonly results: ReadonlyMap<string, EndpointResult>;
  /** By anchor URL. */
  readonly anchors: ReadonlyMap<string, Outcome>;
  /** The network of an endpoint, by its URL, where an address of it is known. */
  readonly networks: ReadonlyMap<string, string>;
}

/**
 * One character per run of `History.runs`, oldest first, same length. See `history/track.ts` for the alphabet.
 */
export type Track = string;

/** A spell of outage or of `partial` that ended a short while ago; kept so that a relapse can take its beginning over. */
export interface EndedSpell {
  readonly sinceMs: number;
  readonly isSinceExact: boolean;
  readonly endedAtMs: number;
}

/** Why a new failure is not believed yet. Source: docs/verdicts.md, "Held failures". */
export const HOLD_CAUSES = ["half", "abroad-cut", "lossy", "congested", "common-cause"] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/** A failure that the last runs found and that is not believed yet: what was published before it stays. */
export interface HeldFailure {
  readonly cause: HoldCause;
  /** The class that it would be. */
  readonly checkClass: CheckClass;
  /** The first run that found it. */
  readonly sinceMs: number;
  readonly isSinceExact: boolean;
  /** The last run that found it. */
  readonly lastAtMs: number;
  /** How many runs have found it, one after the other. */
  readonly runs: number;
  /** How many services began to fail in the last of them, this one included. */
  readonly failingTogether: number;
}

/** Runs of one UTC day in which a service was in each check class. */
export interface DayCounts {
  /** Whole UTC days since the Unix epoch. */
  readonly day: number;
  /** In the order of `CHECK_CLASSES`. */
  readonly counts: readonly number[];
}

export interface ServiceHistory {
  readonly checkClass: CheckClass;
  /** Start of the current check class; `failing` and `server-error` are one outage with one start. */
  readonly sinceMs: number;
  /** False when the class began somewhere inside a gap without runs, or before the first run. */
  readonly isSinceExact: boolean;
  /** Whether a check of this outage held confirmed evidence of blocking on a critical endpoint. */
  readonly isBlocked: boolean;
  /** Last valid run that decided about a critical endpoint of this service. */
  readonly checkedAtMs: number;
  readonly lastOutage: EndedSpell | null;
  readonly lastPartial: EndedSpell | null;
  /** How many runs in a row found nothing wrong while the class is `partial` still. */
  readonly cleanRuns: number;
  /** What the services that failed together with this one share; null: nothing is known, or it failed by itself. */
  readonly sharedCause: string | null;
  /** Check class per run, one character each, aligned with `History.runs`. */
  readonly strip: Track;
  /** At most 90, oldest first. */
  readonly days: readonly DayCounts[];
}

/** Everything remembered between runs. Folding a run in is pure. */
export interface History {
  /** Time of the last valid run; of the first attempt while there was none; null before anything was tried. */
  readonly updatedAtMs: number | null;
  /** Valid runs of the last seven days, oldest first. */
  readonly runs: readonly RunMark[];
  /** Per endpoint, by URL; anchors as `anchor:` + URL. */
  readonly endpoints: ReadonlyMap<string, Track>;
  /** URLs of endpoints that were healthy once, as long as the catalogue names them. */
  readonly proven: ReadonlySet<string>;
  readonly services: ReadonlyMap<string, ServiceHistory>;
  /** By slug. */
  readonly held: ReadonlyMap<string, HeldFailure>;
}

export const EMPTY_HISTORY: History = {
  updatedAtMs: null,
  runs: [],
  endpoints: new Map(),
  proven: new Set(),
  services: new Map(),
  held: new Map(),
};
