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
}

/**
 * One character per run of `History.runs`, oldest first, same length. See `history/track.ts` for the alphabet.
 */
export type Track = string;

/** An episode that ended a short while ago; kept so that a relapse can take its beginning over. */
export interface EndedEpisode {
  readonly checkClass: CheckClass;
  readonly sinceMs: number;
  readonly isSinceExact: boolean;
  readonly downSinceMs: number;
  readonly endedAtMs: number;
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
  /** Start of the current check class. */
  readonly sinceMs: number;
  /** False when the class began somewhere inside a gap without runs, or before the first run. */
  readonly isSinceExact: boolean;
  /** Start of the episode in which no critical endpoint was healthy (`failing` or `server-error`); null outside one. */
  readonly downSinceMs: number | null;
  /** Whether the last check held confirmed evidence of blocking on a critical endpoint. */
  readonly isBlocked: boolean;
  /** Last valid run that decided about a critical endpoint of this service. */
  readonly checkedAtMs: number;
  readonly lastEpisode: EndedEpisode | null;
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
  readonly services: ReadonlyMap<string, ServiceHistory>;
}

export const EMPTY_HISTORY: History = {
  updatedAtMs: null,
  runs: [],
  endpoints: new Map(),
  services: new Map(),
};
