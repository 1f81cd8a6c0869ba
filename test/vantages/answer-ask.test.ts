import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Anchor } from "../../src/model/service/catalogue.ts";
import type { Ask } from "../../src/model/service/vantage.ts";
import { withAddress } from "../../src/probe/network/connect-to.ts";
import { createPool } from "../../src/probe/pool.ts";
import type { BrowserOpinion } from "../../src/probe/browser/browser-opinion.ts";
import { createExperiment } from "../../src/probe/experiment.ts";
import { createProbe } from "../../src/probe/probe.ts";
import { answerAsk, mayPutAgain } from "../../src/vantages/answer-ask.ts";
import { digestUrls } from "../../src/vantages/exchange.ts";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import { T0 } from "../model/samples.ts";
import { type Harness, NEVER, openHarness, rulesOf } from "../probe/harness.ts";

const PAGE = { kind: "page" } as const satisfies Behaviour;
const HOST = "service.example";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const anchorOf = (host: string): Anchor => {
  return { url: `https://${host}/`, scope: "domestic", network: host };
};
const LISTED = ["l1.example", "l2.example", "l3.example"].map(anchorOf);
const UNLISTED = ["u1.example", "u2.example"].map(anchorOf);

interface Given {
  readonly service?: Behaviour;
  readonly listed?: Behaviour;
  readonly unlisted?: Behaviour;
  readonly hasUnlisted?: boolean;
  /** What the runner's own address leads to; undefined: the guard refuses it. */
  readonly atAddress?: "tlsPort" | "refusedPort" | "resetPort";
  readonly address?: string | null;
  readonly isExperimenter?: boolean;
  readonly opinion?: BrowserOpinion;
}

/** The answer of a vantage whose hosts behave so. */
async function answer(given: Given) {
  const { internet, deps } = harness;
  const { service = PAGE, listed = PAGE, unlisted = PAGE, address = null } = given;
  const hosts = [...LISTED, ...UNLISTED].map(({ url }) => new URL(url).hostname);
  internet.set(HOST, service);
  for (const { url } of LISTED) internet.set(new URL(url).hostname, listed);
  for (const { url } of UNLISTED) internet.set(new URL(url).hostname, unlisted);
  const connectTo = rulesOf(internet.connectToLines([HOST, ...hosts]));
  const dependencies = { ...deps, connectTo };
  const ask: Ask = {
    id: "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11",
    after: null,
    experimenters: given.isExperimenter === true ? ["fra"] : [],
    browsers: [`https://${HOST}/`],
    atMs: T0,
    endpoints: [{ url: `https://${HOST}/`, trust: "public" }],
    failing: new Map([[`https://${HOST}/`, address]]),
  };
  return answerAsk(ask, {
    vantageId: "fra",
    probe: createProbe(dependencies),
    probeAt: (endpoint, _address, signal) => {
      if (given.atAddress === undefined) return undefined;
      // Another address of this machine would need another server, so the port stands for it.
      const other = withAddress(
        rulesOf([`${HOST}:443::${internet[given.atAddress]}`]),
        new URL(endpoint.url),
        "127.0.0.1",
      );
      return createProbe({ ...dependencies, connectTo: other })(endpoint, 0, signal);
    },
    experiment: createExperiment(dependencies),
    browser: { ask: async () => given.opinion, connectTo },
    networkOf: () => "192.0.2.0/24",
    pool: createPool({ concurrency: 8, perHost: 2 }),
    anchors: LISTED,
    unlisted: given.hasUnlisted === false ? [] : UNLISTED,
    wallMs: () => T0,
    now: () => 0,
    sleep: () => Promise.resolve(),
    signal: NEVER,
  });
}

test("an answer has a result for each endpoint, and the state of its own connection", async () => {
  expect(await answer({})).toMatchObject({
    vantage: "fra",
    urls: digestUrls([`https://${HOST}/`]),
    connectivity: "fine",
    isWhiteList: false,
    results: [{ code: "ok", address: "127.0.0.1" }],
  });
  const { results } = await answer({ service: { kind: "tls-reset" } });
  expect(results).toMatchObject([{ code: "tls-reset" }]);
});

test.each<[string, Behaviour, BrowserOpinion | undefined, string | undefined]>([
  ["opens", PAGE, { kind: "opens", status: 200, bytes: 9 }, "opens"],
  ["gets nothing", PAGE, { kind: "fails", stage: "tls", bytes: 0 }, "tls"],
  [
    "opens where the probe fails",
    { kind: "tls-reset" },
    { kind: "opens", status: 200, bytes: 9 },
    "opens",
  ],
  ["is not installed", PAGE, undefined, undefined],
])("a place in Moscow says what a browser got that %s", async (_, service, opinion, browser) => {
  const given = { service, isExperimenter: true, ...(opinion === undefined ? {} : { opinion }) };
  const { results } = await answer(given);
  expect(results[0]?.seen?.browser).toBe(browser);
  expect((await answer({ ...given, isExperimenter: false })).results[0]?.seen?.browser).toBe(
    undefined,
  );
});

test("an answer says that a wall gave it, not the service", async () => {
  const seenOf = async (service: Behaviour) => (await answer({ service })).results[0]?.seen;
  const headers = { "cf-mitigated": "challenge" };
  expect(await seenOf({ ...PAGE, status: 403, headers })).toMatchObject({
    status: 403,
    wall: true,
  });
  expect(await seenOf(PAGE)).not.toHaveProperty("wall");
});

test("a failure that a second probe does not find is none", async () => {
  const { results } = await answer({
    service: { kind: "sequence", steps: [{ kind: "tls-reset" }, PAGE] },
  });
  expect(results).toMatchObject([{ code: "ok" }]);
});

test("a vantage that is offline says so, and nothing else", async () => {
  const { connectivity, results } = await answer({
    listed: { kind: "tcp-refused" },
    unlisted: { kind: "tcp-refused" },
  });
  expect({ connectivity, results }).toEqual({
    connectivity: "offline",
    results: [{ code: "skipped", ms: 0 }],
  });
});

test.each([
  ["of the newest ask", {}, 299_999, true],
  ["older than an ask becomes", {}, 300_000, false],
  ["to the ask before", { askId: "before" }, 0, false],
  ["from a line that was down", { connectivity: "offline" } as const, 0, false],
])("an answer %s is put again or not", (_, given, ageMs, expected) => {
  const said = { askId: "newest", connectivity: "fine", ...given } as const;
  expect(mayPutAgain(said, ageMs, { id: "newest" })).toBe(expected);
});

describe("a white list", () => {
  const down = { kind: "tcp-refused" } as const;

  test.each<[string, Given, boolean | null]>([
    ["lets listed sites through and no others", { unlisted: down }, true],
    ["is none if everything answers", {}, false],
    ["is none if nothing answers", { listed: down, unlisted: down }, false],
    ["cannot be told without unlisted anchors", { hasUnlisted: false }, null],
  ])("%s", async (_, given, expected) => {
    const { isWhiteList, connectivity } = await answer(given);
    expect(isWhiteList).toBe(expected);
    // Unlisted anchors say nothing about the connection.
    if (expected === true) expect(connectivity).toBe("fine");
  });
});

describe("the runner's own address", () => {
  const address = "192.0.2.1";

  test.each<[string, Given, string | undefined]>([
    ["works", { address, atAddress: "tlsPort" }, "works"],
    ["cannot be reached", { address, atAddress: "refusedPort" }, "unreachable"],
    [
      "is reached, and fails",
      {
        address,
        atAddress: "tlsPort",
        service: { kind: "sequence", steps: [PAGE, { kind: "tls-reset" }] },
      },
      "fails",
    ],
    [
      "answers in another way",
      {
        address,
        atAddress: "tlsPort",
        service: { kind: "sequence", steps: [PAGE, { kind: "page", status: 403 }] },
      },
      undefined,
    ],
    ["is that of the vantage's own probe", { address: "127.0.0.1" }, "works"],
    ["was not given", {}, undefined],
    ["is refused by the guard", { address }, undefined],
    [
      "is not tried while the endpoint fails anyway",
      { address, atAddress: "tlsPort", service: { kind: "tls-reset" } },
      undefined,
    ],
  ])("%s", async (_, given, expected) => {
    const [result] = (await answer(given)).results;
    expect(result?.sameAddress).toBe(expected);
  });
});
