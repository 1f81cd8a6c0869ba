import type { Connectivity } from "../model/connectivity.ts";

/** The state of the runner's own way in plain English, as whole sentences; undefined where there is nothing to tell. */
export function describeConnectivity(connectivity: Connectivity): string | undefined {
  const { failingZones, unreachable } = connectivity;
  const sentences = [
    ...describeState(connectivity),
    ...failingZones.map(
      (zone) => `No name of .${zone} can be looked up, though the runner is online.`,
    ),
    ...(unreachable.length === 0
      ? []
      : [`Anchors that did not answer: ${unreachable.join(", ")}.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function describeState({ state, lostRatio }: Connectivity): readonly string[] {
  switch (state) {
    case "fine":
      return [];
    case "lossy":
      return [
        `The runner's way is lossy: connections fail here and there (${(100 * lostRatio).toFixed(1)} % of the tries at anchors).`,
      ];
    case "abroad-cut":
      return [
        "The runner's way abroad is cut: half of the foreign networks or more are out of its reach.",
      ];
    case "half":
      return ["The runner reaches only a part of the domestic networks."];
    case "offline":
      return ["The runner is offline."];
  }
}
