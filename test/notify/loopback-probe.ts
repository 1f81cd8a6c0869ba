import type { ProbeDependencies } from "../../src/probe/probe.ts";
import { buildProbeDependencies } from "../../src/probe/probe-config.ts";

/** Reaches receivers on the loopback, at any port. */
export const LOOPBACK_PROBE: ProbeDependencies = {
  ...buildProbeDependencies({
    allowPrivate: ["127.0.0.1/32"],
    allowedPorts: [],
    ownAddresses: [],
    connectTo: [],
    roots: { everywhere: [], national: [] },
    fingerprints: [],
  }),
  refusalOfUrl: () => undefined,
};
