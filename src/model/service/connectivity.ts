import * as z from "zod";
import { listOf, type Stored } from "../stored-parts.ts";

/**
 * The states of the runner's own network connection in one run, as measured by the anchors. `offline`: the run is not valid.
 * `half`: a part of the domestic networks is unreachable. `abroad-cut`: foreign networks are. `lossy`: some connections fail.
 * Source: docs/probe/measurement.md, "Connectivity".
 */
export const CONNECTIVITY_STATES = ["fine", "lossy", "abroad-cut", "half", "offline"] as const;
export type ConnectivityState = (typeof CONNECTIVITY_STATES)[number];

/** The runner's own network connection in one run. */
export const CONNECTIVITY = z.strictObject({
  state: z.enum(CONNECTIVITY_STATES),
  /** URLs of the anchors that did not answer in at least one round. */
  unreachable: listOf(z.string()),
  /** Share of lost attempts at anchors, 0–1. */
  lostRatio: z.number().min(0).max(1),
  /** Top-level domains (`ru`) without a resolvable name although the runner is online. */
  failingZones: listOf(z.string()),
});

export type Connectivity = Stored<typeof CONNECTIVITY>;

export const FINE: Connectivity = {
  state: "fine",
  unreachable: [],
  lostRatio: 0,
  failingZones: [],
};
