import type { Connectivity } from "../../model/service/connectivity.ts";
import type { Congestion } from "../../model/service/history.ts";
import { textsOf } from "./text.ts";

/** The state of the runner's network path as sentences; undefined if it is fine. */
export function describeConnectivity(connectivity: Connectivity): string | undefined {
  const { failingZones, unreachable } = connectivity;
  const sentences = textsOf(
    describeState(connectivity),
    ...failingZones.map(
      (zone) => `No name of .${zone} can be looked up, though the runner is online.`,
    ),
    unreachable.length > 0 && `Anchors that did not answer: ${unreachable.join(", ")}.`,
  );
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function describeState({ state, lostRatio }: Connectivity): string | undefined {
  switch (state) {
    case "fine":
      return undefined;
    case "lossy":
      return `The runner's network path is lossy: some connections fail (${(100 * lostRatio).toFixed(1)} % of the attempts at anchors).`;
    case "abroad-cut":
      return "The runner's path abroad is cut: it cannot reach half of the foreign networks or more.";
    case "half":
      return "The runner reaches only a part of the domestic networks.";
    case "offline":
      return "The runner is offline.";
  }
}

/** From this share on, doctor warns the operator: `partial` by retries and `slow` are then rarely published. */
const OFTEN = 0.1;

export function isOftenCongested({ congested, of }: Congestion): boolean {
  return congested >= OFTEN * of && congested > 0;
}

export function describeCongestion({ congested, of }: Congestion): string {
  return `This machine was itself slow in ${congested} of ${of} runs of the last day. In those runs, retries and slow answers say nothing. Give it more processors or less work.`;
}
