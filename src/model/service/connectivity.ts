/**
 * The states of the runner's own network connection in one run, as measured by the anchors. `offline`: the run is not valid.
 * `half`: a part of the domestic networks is unreachable. `abroad-cut`: foreign networks are. `lossy`: some connections fail.
 * Source: docs/probe/measurement.md, "Connectivity".
 */
export const CONNECTIVITY_STATES = ["fine", "lossy", "abroad-cut", "half", "offline"] as const;
export type ConnectivityState = (typeof CONNECTIVITY_STATES)[number];

/** The runner's own network connection in one run. */
export interface Connectivity {
  readonly state: ConnectivityState;
  /** URLs of the anchors that did not answer in at least one round. */
  readonly unreachable: readonly string[];
  /** Share of lost attempts at anchors, 0–1. */
  readonly lostRatio: number;
  /** Top-level domains (`ru`) without a resolvable name although the runner is online. */
  readonly failingZones: readonly string[];
}

export const FINE: Connectivity = {
  state: "fine",
  unreachable: [],
  lostRatio: 0,
  failingZones: [],
};
