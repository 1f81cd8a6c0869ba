import type { Connectivity } from "../../model/service/connectivity.ts";
import type { AnchorPhase } from "../../model/service/evidence.ts";
import { type AnchorRound, probeAnchors } from "../../probe/anchors.ts";
import { assessConnectivity, type Surroundings } from "../../probe/assess-connectivity.ts";
import type { Pool } from "../../probe/pool.ts";
import type { MeasureDependencies } from "./measurement.ts";

export type ConnectivityCheck = ReturnType<typeof createConnectivityCheck>;

/**
 * The runner's own connectivity during one run.
 *
 * @param stop ends every probe; the deadline of the run does not, because the last round comes after it.
 */
export function createConnectivityCheck(
  { catalogue, probe, emit }: Pick<MeasureDependencies, "catalogue" | "probe" | "emit">,
  pool: Pool,
  stop: AbortSignal,
) {
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
    /** Probes every anchor, assesses all rounds so far together, and logs the assessment. */
    probe: (phase: AnchorPhase, surroundings: () => Surroundings) =>
      probeRound(phase, () => assessConnectivity(rounds, surroundings())),
    /** Probes every anchor after the monitors, and assesses this round alone: the earlier rounds are minutes old. */
    probeAfterMonitors: () =>
      probeRound("monitors", (round) => assessConnectivity([round], { lagMs: 0, results: [] })),
    rounds: (): readonly AnchorRound[] => [...rounds],
  };
}
