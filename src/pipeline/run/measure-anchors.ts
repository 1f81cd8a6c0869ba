import type { Connectivity } from "../../model/service/connectivity.ts";
import type { AnchorPhase } from "../../model/service/evidence.ts";
import { type AnchorRound, probeAnchors } from "../../probe/anchors.ts";
import { assessConnectivity, type Surroundings } from "../../probe/assess-connectivity.ts";
import type { Pool } from "../../probe/pool.ts";
import type { MeasureDependencies } from "./measurement.ts";

/** The runner's own connectivity during one run. */
export interface ConnectivityCheck {
  /** Probes every anchor, assesses all rounds so far together, and logs the assessment. */
  readonly probe: (phase: AnchorPhase, surroundings: () => Surroundings) => Promise<Connectivity>;
  /** Probes every anchor after the monitors, and assesses this round alone: the earlier rounds are minutes old. */
  readonly probeAfterMonitors: () => Promise<Connectivity>;
  readonly rounds: () => readonly AnchorRound[];
}

/** @param stop ends every probe; the deadline of the run does not, because the last round comes after it. */
export function createConnectivityCheck(
  { catalogue, probe, emit }: Pick<MeasureDependencies, "catalogue" | "probe" | "emit">,
  pool: Pool,
  stop: AbortSignal,
): ConnectivityCheck {
  const rounds: AnchorRound[] = [];
  const probeRound = async (
    phase: AnchorPhase,
    assess: (round: AnchorRound) => Connectivity,
  ): Promise<Connectivity> => {
    const round = await probeAnchors(phase, catalogue.anchors, { probe, pool }, stop);
    rounds.push(round);
    const connectivity = assess(round);
    emit({ event: "anchors-probed", phase, connectivity });
    return connectivity;
  };
  return {
    probe: (phase, surroundings) =>
      probeRound(phase, () => assessConnectivity(rounds, surroundings())),
    probeAfterMonitors: () =>
      probeRound("monitors", (round) => assessConnectivity([round], { lagMs: 0, results: [] })),
    rounds: () => [...rounds],
  };
}
