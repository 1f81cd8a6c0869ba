import { EventEmitter, once } from "node:events";
import type { EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import type { Emit } from "../../model/run-event.ts";
import type { Probe } from "../../probe/probe.ts";

/** The first pass of a run: each endpoint is probed once. Confirmations come after it. */
export interface FirstPass {
  /** Passes events on to the log, and reads from them which endpoints were probed. */
  readonly emit: Emit;
  /** Passes probes on, and notes their outcomes. */
  readonly probe: Probe;
  readonly isOver: Promise<unknown>;
  /** Final results so far, by URL. Endpoints that are to be confirmed have none yet. */
  readonly results: ReadonlyMap<string, EndpointResult>;
  /** The last outcome so far, by URL. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** Follows the first pass over so many endpoints. */
export function trackFirstPass(
  endpoints: number,
  { emit, probe }: { readonly emit: Emit; readonly probe: Probe },
): FirstPass {
  const results = new Map<string, EndpointResult>();
  const outcomes = new Map<string, Outcome>();
  const probed = new Set<string>();
  const emitter = new EventEmitter();
  return {
    isOver: endpoints === 0 ? Promise.resolve() : once(emitter, "over"),
    emit: (event) => {
      emit(event);
      if (event.event !== "endpoint-measured" && event.event !== "confirming") return;
      if (event.event === "endpoint-measured") results.set(event.url, event.result);
      probed.add(event.url);
      if (probed.size === endpoints) emitter.emit("over");
    },
    probe: async (target, attempt, signal) => {
      const outcome = await probe(target, attempt, signal);
      outcomes.set(target.url, outcome);
      return outcome;
    },
    results,
    outcomes,
  };
}
