import { openWhenAsked } from "../probe/browser/open-browser.ts";
import { createExperiment } from "../probe/experiment.ts";
import { withAddress } from "../probe/network/connect-to.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/probe-config.ts";
import { createProbe } from "../probe/probe.ts";
import type { AnswerDependencies } from "./answer-ask.ts";

/** What a place probes with. */
export type PlaceProbes = Pick<AnswerDependencies, "probe" | "probeAt" | "experiment" | "browser">;

/**
 * The probes for the next answer. A line at home gets another address every day, and its own ones are neither connected to nor signed,
 * so they are looked up for each answer; otherwise the probes stay, with what they have learnt.
 */
export function createPlaceProbes(
  config: ProbeConfig,
  findOwnAddresses: () => readonly string[],
): () => PlaceProbes {
  const build = (ownAddresses: readonly string[]) => {
    return { ownAddresses, probes: buildPlaceProbes({ ...config, ownAddresses }) };
  };
  let built = build(config.ownAddresses);
  return () => {
    const found = findOwnAddresses();
    if (found.join() !== built.ownAddresses.join()) built = build(found);
    return built.probes;
  };
}

function buildPlaceProbes(config: ProbeConfig): PlaceProbes {
  const dependencies = buildProbeDependencies(config);
  return {
    probe: createProbe(dependencies),
    experiment: createExperiment(dependencies),
    browser: { ask: openWhenAsked(), connectTo: dependencies.connectTo },
    probeAt: (endpoint, address, signal) => {
      // The ask is only as trustworthy as its store, so its addresses have to pass the guard like those of a resolver.
      if (dependencies.addressRules.refusalOf(address) !== undefined) return undefined;
      const connectTo = withAddress(dependencies.connectTo, new URL(endpoint.url), address);
      return createProbe({ ...dependencies, connectTo })(endpoint, 0, signal);
    },
  };
}
