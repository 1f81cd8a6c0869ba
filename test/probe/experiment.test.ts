import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StepAnswer } from "../../src/model/service/interference.ts";
import { createGuard } from "../../src/probe/network/address-guard.ts";
import {
  areNeighbours,
  createExperiment,
  type Neighbour,
  toNeighbours,
} from "../../src/probe/experiment.ts";
import { concludeExperiment } from "../../src/services/interference/decide-scope.ts";
import { failed, traceOf } from "../model/samples.ts";
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

const [FOREIGN, LISTED] = ["www.example.com", "ya.ru"];
const NETWORK = "192.0.2.0/24";
const ALONE = { neighbours: [], networkOf: () => NETWORK };
const PAGE: Behaviour = { kind: "page" };
const SHORT = shortFor("tcpMs", "tlsMs", "firstByteMs");

function neighbourOf(host: string, address = "192.0.2.1", isLarge = false): Neighbour {
  const target = { url: `https://${host}/`, trust: "public" } as const;
  return { address, target, isLarge };
}

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** Probes a host with this behaviour, then makes the experiment while the neutral name has another one. */
async function experimentOn(blocked: Behaviour, neutral: Behaviour, listed = neutral) {
  harness.internet.set(FOREIGN, neutral);
  harness.internet.set(LISTED, listed);
  const outcome = failureOf(await harness.see(blocked));
  const isSilent = neutral.kind.endsWith("-silence");
  const limits = isSilent ? SHORT : LIMITS;
  const run = createExperiment({ ...harness.deps, limits });
  return await run(outcome, ALONE, NEVER);
}

/** One answer for each neutral name that was asked. */
const asked = (...answers: readonly StepAnswer[]) =>
  answers.map((answer, at) => ({
    kind: "neutral-name",
    name: [FOREIGN, LISTED][at] ?? "",
    answer,
  }));

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
    [
      "a reset of every name",
      { kind: "tls-reset" },
      { kind: "tls-reset" },
      asked("cut", "cut"),
      "none",
    ],
    [
      "silence for every name",
      { kind: "tls-reset" },
      { kind: "tls-silence" },
      asked("cut", "cut"),
      "none",
    ],
    [
      "noise instead of TLS",
      { kind: "tls-reset" },
      { kind: "tls-garbage" },
      asked("unclear", "unclear"),
      "unknown",
    ],
    [
      "a close of every name",
      { kind: "tls-close" },
      { kind: "tls-close" },
      asked("cut", "cut"),
      "none",
    ],
    [
      "a close of HTTP for every name",
      { kind: "http-close" },
      { kind: "http-close" },
      asked("cut", "cut"),
      "none",
    ],
    ["silence of HTTP for one name", { kind: "http-silence" }, PAGE, asked("answered"), "name"],
    [
      "silence of HTTP for every name",
      { kind: "http-silence" },
      { kind: "http-silence" },
      asked("cut", "cut"),
      "none",
    ],
    [
      "silence of HTTP, and another name that TLS refuses",
      { kind: "http-reset" },
      { kind: "tls-alert", alert: "unrecognized_name" },
      asked("unclear", "unclear"),
      "unknown",
    ],
    [
      "an alert after an alert is the same answer",
      { kind: "tls-alert", alert: "handshake_failure" },
      { kind: "tls-alert", alert: "unrecognized_name" },
      asked("cut", "cut"),
      "none",
    ],
    [
      "a handshake after an alert is more",
      { kind: "tls-alert", alert: "handshake_failure" },
      PAGE,
      asked("answered"),
      "name",
    ],
    [
      "the certificate of somebody else, and the same under another name",
      { kind: "page", certificate: "self-signed" },
      { kind: "page", certificate: "self-signed" },
      asked("cut", "cut"),
      "none",
    ],
    [
      "the certificate of somebody else for one name",
      { kind: "page", certificate: "self-signed" },
      PAGE,
      asked("answered"),
      "name",
    ],
  ])("%s", async ([, blocked, neutral, steps, cutBy]) => {
    const seen = await experimentOn(blocked, neutral);
    expect(seen).toEqual(steps);
    expect(concludeExperiment(seen)).toBe(cutBy);
  });

  test("is asked for the head of its page, and for nothing else", async () => {
    await experimentOn({ kind: "http-close" }, PAGE);
    expect(harness.internet.stats(FOREIGN).requests.at(-1)).toBe(
      `HEAD / HTTP/1.1\r\nHost: ${FOREIGN}\r\nConnection: close`,
    );
  });

  test("a name of every white list is asked where the first one is cut", async () => {
    const seen = await experimentOn({ kind: "tls-reset" }, { kind: "tls-reset" }, PAGE);
    expect(seen).toEqual(asked("cut", "answered"));
    expect(concludeExperiment(seen)).toBe("name");
  });

  test("a name of the same network is asked last", async () => {
    const host = harness.newHost(PAGE);
    for (const name of [FOREIGN, LISTED]) harness.internet.set(name, { kind: "tls-reset" });
    const outcome = failureOf(await harness.see({ kind: "tls-reset" }));
    const known = { ...ALONE, neighbours: [neighbourOf(host)] };
    const seen = await createExperiment(harness.deps)(outcome, known, NEVER);
    expect(seen).toEqual([
      ...asked("cut", "cut"),
      { kind: "neutral-name", name: host, answer: "answered" },
    ]);
  });

  test("a key that is not known cannot be compared", async () => {
    for (const name of [FOREIGN, LISTED]) harness.internet.set(name, PAGE);
    const outcome = failureOf(await harness.see({ kind: "page", certificate: "self-signed" }));
    const { certKey: _, ...trace } = outcome.trace;
    const run = createExperiment(harness.deps);
    const seen = await run({ ...outcome, trace }, ALONE, NEVER);
    expect(seen).toEqual(asked("unclear", "unclear"));
    expect(concludeExperiment(seen)).toBe("unknown");
  });

  test("is not asked without TLS, or without an address", async () => {
    const outcome = failureOf(await harness.see({ kind: "tls-reset" }));
    const run = createExperiment(harness.deps);
    const before = harness.internet.stats(FOREIGN).requests.length;
    const plain = { ...outcome.trace, url: outcome.trace.url.replace("https:", "http:") };
    expect(await run({ ...outcome, stage: "http", trace: plain }, ALONE, NEVER)).toEqual([]);
    const { address: _, ...trace } = outcome.trace;
    expect(await run({ ...outcome, trace }, ALONE, NEVER)).toEqual([]);
    expect(harness.internet.stats(FOREIGN).requests).toHaveLength(before);
  });

  test("a body that stalls has nothing to be compared with", async () => {
    const steps = await experimentOn({ kind: "body-stall", afterBytes: 16_000 }, PAGE);
    expect(steps).toEqual([]);
    expect(concludeExperiment(steps)).toBe("unknown");
  });

  test("a name without an address has nothing to be compared with", async () => {
    const outcome = failureOf(await harness.seeDns({ kind: "nxdomain" }));
    const run = createExperiment({ ...harness.deps, limits: SHORT });
    const neighbours = [neighbourOf("a.test", "127.0.0.1")];
    expect(await run(outcome, { ...ALONE, neighbours }, NEVER)).toEqual([]);
  });
});

describe("an address that the name had earlier or elsewhere", () => {
  const SEEN = "198.51.100.7";

  /** The name cannot be resolved, and this behaviour is at the address. */
  async function seenWith(behaviour: Behaviour, neutral: Behaviour = behaviour) {
    const outcome = failureOf(await harness.seeDns({ kind: "nxdomain" }));
    const host = new URL(outcome.trace.url).hostname;
    harness.internet.set(host, behaviour);
    const connectTo = rulesOf([`${SEEN}:443:127.0.0.1:${harness.internet.tlsPort}`]);
    for (const name of [FOREIGN, LISTED]) harness.internet.set(name, neutral);
    const limits = behaviour.kind === "tls-silence" ? SHORT : LIMITS;
    const known = { ...ALONE, neighbours: [neighbourOf("a.test")], seen: SEEN };
    return createExperiment({ ...harness.deps, connectTo, limits })(outcome, known, NEVER);
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
    expect(steps[0]).toEqual({ kind: "seen-address", address: SEEN, answer });
    expect(steps.slice(1)).toEqual(answer === "cut" ? asked("cut", "cut") : []);
    expect(concludeExperiment(steps)).toBe(cutBy);
  });

  test("cuts the name there too, and no other: one filter with two hands", async () => {
    const steps = await seenWith({ kind: "tls-reset" }, PAGE);
    expect(steps.map((step) => "answer" in step && step.answer)).toEqual(["cut", "answered"]);
    expect(concludeExperiment(steps)).toBe("name");
  });

  test("is not asked after a redirect", async () => {
    const outcome = failureOf(await harness.seeDns({ kind: "nxdomain" }));
    const connectTo = rulesOf([`${SEEN}:443:127.0.0.1:${harness.internet.tlsPort}`]);
    const run = createExperiment({ ...harness.deps, connectTo });
    const known = { ...ALONE, seen: SEEN };
    const redirected = { ...outcome, trace: { ...outcome.trace, redirects: 1 } };
    expect(await run(redirected, known, NEVER)).toEqual([]);
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
          ...harness.deps.addressRules,
          refusalOf: (address) => {
            connections.push(address);
            return createGuard([])(address);
          },
        },
        limits: SHORT,
      });
      expect(await run(outcome, { ...ALONE, seen }, NEVER)).toEqual([]);
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
    const known = neighbours.map((address) => neighbourOf("a.test", address));
    return await run(failed, { ...ALONE, neighbours: known }, NEVER);
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

  test("says nothing if the run ended before or meanwhile", async () => {
    const failure = failureOf(failed("tcp-timeout"));
    const trace = { ...failure.trace, url: "https://b.test/", address: "127.0.0.9" };
    const { blackholePort } = harness.internet;
    const run = createExperiment({
      ...harness.deps,
      connectTo: rulesOf([`:443::${blackholePort}`]),
    });
    const known = { ...ALONE, neighbours: [neighbourOf("a.test", "127.0.0.1")] };
    for (const signal of [AbortSignal.abort("deadline"), AbortSignal.timeout(50)])
      expect(await run({ ...failure, trace }, known, signal)).toEqual([]);
  });

  test("is the first of several", async () => {
    const steps = await neighbourOn(harness.internet.refusedPort, ["127.0.0.2", "127.0.0.1"]);
    expect(steps).toEqual([{ kind: "neighbour", address: "127.0.0.2", isConnected: true }]);
  });

  test("is not asked if none is in the same network", async () => {
    expect(await neighbourOn(harness.internet.tlsPort, ["192.0.2.1", "127.0.0.9"])).toEqual([]);
  });
});

describe("a body that ended early", () => {
  /** The steps after a stall, with a neighbour that behaves so. */
  async function compareWith(neighbour: Behaviour, isLarge = true) {
    const outcome = failureOf(await harness.see({ kind: "body-stall", afterBytes: 16_000 }));
    const host = harness.newHost(neighbour);
    const limits = neighbour.kind === "body-stall" ? shortFor("stallMs") : LIMITS;
    const known = { ...ALONE, neighbours: [neighbourOf(host, "192.0.2.1", isLarge)] };
    const steps = await createExperiment({ ...harness.deps, limits })(outcome, known, NEVER);
    return steps.map((step) => ("answer" in step ? `${step.kind} ${step.answer}` : step.kind));
  }

  test.each<[string, Behaviour, string]>([
    ["a whole answer", PAGE, "answered"],
    ["another one that stalls", { kind: "body-stall", afterBytes: 16_000 }, "cut"],
    ["a short answer", { kind: "page", bodyBytes: 1_000 }, "unclear"],
    ["an error", { kind: "page", status: 503 }, "unclear"],
  ])("is compared with %s of the same network", async (_, neighbour, answer) => {
    expect(await compareWith(neighbour)).toEqual([`large-neighbour ${answer}`]);
  });

  test("is compared with another name of the same network, over TLS alone", async () => {
    const outcome = failureOf(await harness.see({ kind: "body-stall", afterBytes: 16_000 }));
    const host = harness.newHost(PAGE);
    const [own, plain, other] = [
      neighbourOf(new URL(outcome.trace.url).hostname, "192.0.2.1", true),
      {
        ...neighbourOf(host, "192.0.2.2", true),
        target: { url: `http://${host}/`, trust: "public" },
      },
      neighbourOf(host, "198.51.100.1", true),
    ] as const;
    const networkOf = (address: string): string => (address.startsWith("198.") ? "other" : NETWORK);
    const ask = async (...neighbours: readonly Neighbour[]) =>
      await createExperiment(harness.deps)(outcome, { neighbours, networkOf }, NEVER);
    expect(await ask(own, plain, other)).toEqual([]);
    const known = [host, "later.test"].map((name) => neighbourOf(name, "192.0.2.3", true));
    expect(await ask(own, plain, other, ...known)).toEqual([
      { kind: "large-neighbour", name: host, answer: "answered" },
    ]);
  });

  test("is not compared once the run has ended", async () => {
    const outcome = failureOf(await harness.see({ kind: "body-stall", afterBytes: 16_000 }));
    const known = { ...ALONE, neighbours: [neighbourOf(harness.newHost(PAGE), "192.0.2.1", true)] };
    const run = createExperiment(harness.deps);
    expect(await run(outcome, known, AbortSignal.abort("deadline"))).toEqual([]);
  });

  test("is not compared with an answer that was never large", async () => {
    expect(await compareWith(PAGE, false)).toEqual([]);
  });
});

describe("a neighbour of other endpoints", () => {
  const target = { url: "https://a.test/", trust: "public" } as const;
  const neighbours = (kind: "ok" | "denied", bodyBytes: number, address?: string) => {
    const seen = { ...traceOf(1), bodyBytes };
    return toNeighbours(target, {
      kind,
      trace: address === undefined ? seen : { ...seen, address },
    });
  };

  test("is an endpoint that answered at a known address, large from 64 KiB on", () => {
    const address = "192.0.2.1";
    expect(neighbours("ok", 65_536, address)).toEqual([{ address, target, isLarge: true }]);
    expect(neighbours("denied", 65_535, address)).toEqual([{ address, target, isLarge: false }]);
    expect(neighbours("ok", 65_536)).toEqual([]);
  });

  test("is not an endpoint that failed, was skipped, or is new", () => {
    const address = "192.0.2.1";
    for (const outcome of [
      failed("tls-reset", { address }),
      { kind: "skipped", reason: "deadline" } as const,
      undefined,
    ])
      expect(toNeighbours(target, outcome)).toEqual([]);
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
  ["nothing", "192.0.2.1", false],
  ["192.0.2.1", "::ffff:192.0.2.2", false],
])("%s and %s are neighbours: %s", (one, other, are) => {
  expect(areNeighbours(one, other)).toBe(are);
});
