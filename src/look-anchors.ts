import type { Catalogue } from "./model/catalogue.ts";
import type { Connectivity } from "./model/connectivity.ts";
import type { Emit } from "./model/event.ts";
import type { AnchorPhase } from "./model/evidence.ts";
import { type AnchorRound, probeAnchors } from "./probe/anchors.ts";
import { assessConnectivity, type Surroundings } from "./probe/connectivity.ts";
import type { Pool } from "./probe/pool.ts";
import type { Probe } from "./probe/probe.ts";

/** What trying the anchors touches. */
export interface WayDependencies {
  readonly catalogue: Catalogue;
  readonly probe: Probe;
  readonly emit: Emit;
}

/** The runner's own way to the world in one run. */
export interface Way {
  /** Tries every anchor; gives what all rounds so far say together, and tells it. */
  readonly look: (phase: AnchorPhase, surroundings: () => Surroundings) => Promise<Connectivity>;
  /**
   * Tries every anchor for something that took minutes longer than the services: what is long past says nothing of it, so this
   * round is judged by itself.
   */
  readonly lookAgain: () => Promise<Connectivity>;
  readonly rounds: () => readonly AnchorRound[];
}

/** @param stop ends every try; the deadline of the run does not, for the last round comes after it. */
export function openWay(
  { catalogue, probe, emit }: WayDependencies,
  pool: Pool,
  stop: AbortSignal,
): Way {
  const rounds: AnchorRound[] = [];
  const tryAll = async (phase: AnchorPhase): Promise<AnchorRound> => {
    const round = await probeAnchors(phase, catalogue.anchors, { probe, pool }, stop);
    rounds.push(round);
    return round;
  };
  const tell = (phase: AnchorPhase, connectivity: Connectivity): Connectivity => {
    emit({ event: "anchors-probed", phase, connectivity });
    return connectivity;
  };
  return {
    look: async (phase, surroundings) => {
      await tryAll(phase);
      return tell(phase, assessConnectivity(rounds, surroundings()));
    },
    lookAgain: async () => {
      const round = await tryAll("monitors");
      return tell("monitors", assessConnectivity([round], { lagMs: 0, results: [] }));
    },
    rounds: () => [...rounds],
  };
}
