/**
 * The states of the runner's own way to the world, as its anchors show it in one run. `offline`: nothing can be told of anybody, and the run
 * is not valid. `half`: a part of the domestic networks is out of reach. `abroad-cut`: the way abroad is. `lossy`: connections
 * fail here and there. Source: docs/measurement.md, "The state of the way".
 */
export const CONNECTIVITY_STATES = ["fine", "lossy", "abroad-cut", "half", "offline"] as const;
export type ConnectivityState = (typeof CONNECTIVITY_STATES)[number];

/** What one run knows of the runner's own way to the world. */
export interface Connectivity {
  readonly state: ConnectivityState;
  /** URLs of the anchors that did not answer at least once in some round. */
  readonly unreachable: readonly string[];
  /** Share of the tries at anchors that were lost, 0–1. */
  readonly lostRatio: number;
  /** Top-level domains of which no name could be looked up although the way is there: `ru`. */
  readonly failingZones: readonly string[];
}

/** Every anchor answered. */
export const FINE: Connectivity = {
  state: "fine",
  unreachable: [],
  lostRatio: 0,
  failingZones: [],
};
