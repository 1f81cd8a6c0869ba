import type { Connectivity } from "../../model/service/connectivity.ts";

/** The state of the runner's network path as sentences; undefined if it is fine. */
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
        `The runner's network path is lossy: some connections fail (${(100 * lostRatio).toFixed(1)} % of the attempts at anchors).`,
      ];
    case "abroad-cut":
      return [
        "The runner's path abroad is cut: it cannot reach half of the foreign networks or more.",
      ];
    case "half":
      return ["The runner reaches only a part of the domestic networks."];
    case "offline":
      return ["The runner is offline."];
  }
}
