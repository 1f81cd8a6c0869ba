import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExperimentStep } from "../../src/model/service/interference.ts";
import { createGuard } from "../../src/probe/network/address-guard.ts";
import { areNeighbours, createExperiment } from "../../src/probe/experiment.ts";
import { concludeExperiment } from "../../src/services/interference/decide-scope.ts";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import {
  failureOf,
  type Harness,
  LIMITS,
  NEVER,
  openHarness,
  rulesOf,
  shortFor,
} from "./harness.ts";

const NEUTRAL = "www.example.com";
const PAGE: Behaviour = { kind: "page" };
const SHORT = shortFor("tcpMs", "tlsMs", "firstByteMs");

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** Probes a host with this behaviour, then makes the experiment while the neutral name has another one. */
async function experimentOn(blocked: Behaviour, neutral: Behaviour) {
  harness.internet.set(NEUTRAL, neutral);
  const outcome = failureOf(await harness.see(blocked));
  const isSilent = neutral.kind.endsWith("-silence");
  const limits = isSilent ? SHORT : LIMITS;
  const run = createExperiment({ ...harness.deps, limits });
  return await run(outcome, { neighbours: [] }, NEVER);
}

const asked = (answer: Extract<ExperimentStep, { kind: "neutral-name" }>["answer"]) => [
  { kind: "neutral-name", answer },
];

describe.sequential("the same address under a neutral name", () => {
  test.for<[string, Behaviour, Behaviour, ReturnType<typeof asked>, string]>([
    ["a reset of one name", { kind: "tls-reset" }, PAGE, asked("answered"), "name"],
    ["silence for one name", { kind: "tls-silence" }, PAGE, asked("answered"), "name"],
    [
      "a name that the server does not know",
      { kind: "tls-reset" },
      { kind: "tls-alert", alert: "unrecognized_name" },
      asked("answered"),
      "name",
    ],
    ["a reset of every name", { kind: "tls-reset" }, { kind: "tls-reset" }, asked("cut"), "none"],
    [
      "silence for every name",
      { kind: "tls-reset" },
      { kind: "tls-silence" },
      asked("cut"),
      "none",
    ],
    [
      "noise instead of TLS",
      { kind: "tls-reset" },
      { kind: "tls-garbage" },
      asked("unclear"),
      "unknown",
    ],
    ["silence of HTTP for one name", { kind: "http-silence" }, PAGE, asked("answered"), "name"],
    [
      "silence of HTTP for every name",
      { kind: "http-silence" },
      { kind: "http-silence" },
      asked("cut"),
      "none",
    ],
    [
      "silence of HTTP, and another name that TLS refuses",
      { kind: "http-reset" },
      { kind: "tls-alert", alert: "unrecognized_name" },
      asked("unclear"),
      "unknown",
    ],
  ])("%s", async ([, blocked, neutral, steps, cutBy]) => {
    const seen = await experimentOn(blocked, neutral);
    expect(seen).toEqual(steps);
    expect(concludeExperiment(seen)).toBe(cutBy);
  });

  test("a body that stalls has nothing to be compared with", async () => {
    const steps = await experimentOn({ kind: "body-stall", afterBytes: 16_000 }, PAGE);
    expect(steps).toEqual([]);
    expect(concludeExperiment(steps)).toBe("unknown");
  });

  test("a name without an address has nothing to be compared with", async () => {
    const outcome = failureOf(await harness.seeDns({ kind: "nxdomain" }));
    const run = createExperiment({ ...harness.deps, limits: SHORT });
    expect(await run(outcome, { neighbours: ["127.0.0.1"] }, NEVER)).toEqual([]);
  });
});

describe("an address that the name had earlier or elsewhere", () => {
  const SEEN = "198.51.100.7";

  /** The name cannot be resolved, and this behaviour is at the address. */
  async function seenWith(behaviour: Behaviour, seen = SEEN) {
    const outcome = failureOf(await harness.seeDns({ kind: "nxdomain" }));
    const host = new URL(outcome.trace.url).hostname;
    harness.internet.set(host, behaviour);
    const connectTo = rulesOf([`${SEEN}:443:127.0.0.1:${harness.internet.tlsPort}`]);
    const limits = behaviour.kind === "tls-silence" ? SHORT : LIMITS;
    return createExperiment({ ...harness.deps, connectTo, limits })(
      outcome,
      { neighbours: [], seen },
      NEVER,
    );
  }

  test.each<[string, Behaviour, string, string]>([
    ["answers with its certificate", PAGE, "answered", "name"],
    ["resets the name", { kind: "tls-reset" }, "cut", "none"],
    ["is silent", { kind: "tls-silence" }, "cut", "none"],
    [
      "belongs to somebody else now",
      { kind: "page", certificate: "wrong-host" },
      "unclear",
      "unknown",
    ],
    ["sends an alert", { kind: "tls-alert", alert: "unrecognized_name" }, "unclear", "unknown"],
  ])("%s", async (_, behaviour, answer, cutBy) => {
    const steps = await seenWith(behaviour);
    expect(steps).toEqual([{ kind: "seen-address", address: SEEN, answer }]);
    expect(concludeExperiment(steps)).toBe(cutBy);
  });

  test.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"])(
    "is not connected to if it is %s, whatever a vantage says",
    async (seen) => {
      const connections: string[] = [];
      const outcome = failureOf(await harness.seeDns({ kind: "nxdomain" }));
      const run = createExperiment({
        ...harness.deps,
        connectTo: rulesOf([]),
        addressRules: {
          refusalOf: (address) => {
            connections.push(address);
            return createGuard([])(address);
          },
        },
        limits: SHORT,
      });
      expect(await run(outcome, { neighbours: [], seen }, NEVER)).toEqual([]);
      expect(connections).toEqual([seen]);
    },
  );
});

describe("a neighbour of an address that accepts no connection", () => {
  /** What the neighbour 127.0.0.1 does on this port. */
  async function neighbourOn(port: number, neighbours = ["192.0.2.1", "127.0.0.1"]) {
    const outcome = failureOf(await harness.see({ kind: "tcp-blackhole" }));
    const failed = { ...outcome, trace: { ...outcome.trace, address: "127.0.0.9" } };
    const limits = port === harness.internet.blackholePort ? SHORT : LIMITS;
    const run = createExperiment({
      ...harness.deps,
      connectTo: rulesOf([`:443::${port}`]),
      limits,
    });
    return await run(failed, { neighbours }, NEVER);
  }

  test.each([
    ["answers", "tlsPort", true, "address"],
    ["refuses, so the network lets connections through", "refusedPort", true, "address"],
    ["is silent too", "blackholePort", false, "network"],
  ] as const)("%s", async (_, port, isConnected, cutBy) => {
    const steps = await neighbourOn(harness.internet[port]);
    expect(steps).toEqual([{ kind: "neighbour", address: "127.0.0.1", isConnected }]);
    expect(concludeExperiment(steps)).toBe(cutBy);
  });

  test("is not asked if none is in the same network", async () => {
    expect(await neighbourOn(harness.internet.tlsPort, ["192.0.2.1", "127.0.0.9"])).toEqual([]);
  });
});

test.each([
  ["192.0.2.1", "192.0.2.200", true],
  ["192.0.2.1", "192.0.3.1", false],
  ["192.0.2.1", "192.0.2.1", false],
  ["2001:db8:1::1", "2001:db8:1:ffff::1", true],
  ["2001:db8:1::1", "2001:db8:2::1", false],
  ["192.0.2.1", "2001:db8:1::1", false],
  ["192.0.2.1", "nothing", false],
])("%s and %s are neighbours: %s", (one, other, are) => {
  expect(areNeighbours(one, other)).toBe(are);
});
