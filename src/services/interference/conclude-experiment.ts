import type { CutBy, ExperimentStep } from "../../model/service/interference.ts";

/**
 * What an experiment shows. It claims nothing by itself: a balancer with one dead back end looks like a cut by name, and a server that
 * resets unknown names like a dead one.
 */
export function concludeExperiment(steps: readonly ExperimentStep[]): CutBy {
  return steps.map(concludeStep).find((cutBy) => cutBy !== "unknown") ?? "unknown";
}

function concludeStep(step: ExperimentStep): CutBy {
  if (step.kind === "neighbour") return step.isConnected ? "address" : "network";
  switch (step.answer) {
    case "answered":
      return "name";
    case "cut":
      return "none";
    case "unreachable":
    case "unclear":
      return "unknown";
  }
}
