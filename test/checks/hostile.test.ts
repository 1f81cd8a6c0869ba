import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toProbeTarget, type CheckTarget } from "../../src/checks/target.ts";
import { judgeCheck } from "../../src/checks/verdict.ts";
import { buildUrlGuard } from "../../src/probe/config.ts";
import { createProbe } from "../../src/probe/probe.ts";
import { NEVER, openLab, rulesOf, traceOf, wordFor, type Lab } from "../probe/lab.ts";
import { RAW_KINDS, WORLD_KINDS } from "./hostile-kinds.ts";
import { say, startRawServer, type RawServer } from "./raw-server.ts";

let lab: Lab;
let raw: RawServer;
beforeAll(async () => {
  lab = await openLab();
  raw = await startRawServer((host) =>
    host === "packed.test"
      ? say(PACKED_HEAD + PACKED.toString("latin1"))
      : RAW_KINDS[host.replace(/\.test$/u, "")]?.[0],
  );
});
afterAll(() => Promise.all([lab.close(), raw.close()]));

const TIMEOUT_MS = 1_500;

const TEXT = "в наличии";

/** Twenty megabytes of the text, packed. */
const PACKED = gzipSync(TEXT.repeat(1_200_000));
const PACKED_HEAD = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${PACKED.length}\r\n\r\n`;

interface Cost {
  readonly word: string;
  readonly verdict: string;
  readonly ms: number;
  readonly rawBytes: number;
  readonly bodyBytes: number;
}

/** One check of a monitor with a guard, as the crew makes it. */
async function check(url: string, port: number, parts: Partial<CheckTarget> = {}): Promise<Cost> {
  const probe = createProbe({
    ...lab.deps,
    connectTo: rulesOf([`:443:127.0.0.1:${port}`, `:80:127.0.0.1:${port}`]),
    refusalOfUrl: buildUrlGuard({ allowPrivate: [], ownAddresses: [], allowedPorts: [] }),
  });
  const target = { id: "m", url, lastState: "unknown", timeoutMs: TIMEOUT_MS, ...parts } as const;
  const startMs = performance.now();
  const outcome = await probe(toProbeTarget(target), 0, NEVER);
  const verdict = judgeCheck(outcome);
  const { rawBytes, bodyBytes } = traceOf(outcome);
  const ms = Math.round(performance.now() - startMs);
  const word = verdict.kind === "healthy" ? verdict.kind : wordFor(outcome);
  return { word, verdict: verdict.kind, ms, rawBytes, bodyBytes };
}

/** Written to standard output for whoever wants to see what each costs: `HOSTILE_COSTS=1`. */
function tell(name: string, { word, ms, rawBytes, bodyBytes }: Cost): void {
  if (process.env["HOSTILE_COSTS"] === undefined) return;
  process.stdout.write(`| ${name} | ${word} | ${ms} | ${rawBytes} | ${bodyBytes} |\n`);
}

/** Time is looked at ten times a second, and this machine has other work. */
const SLACK_MS = 700;

/** What a flood may bring within one look at the clock over loopback, beyond the 4 MiB at which it is ended. */
const MAX_RAW_BYTES = 256 * 1024 * 1024;

function expectBounded(cost: Cost, word: string): void {
  expect(cost.word).toBe(word);
  expect(cost.ms).toBeLessThan(TIMEOUT_MS + SLACK_MS);
  expect(cost.rawBytes).toBeLessThan(MAX_RAW_BYTES);
  expect(cost.bodyBytes).toBeLessThanOrEqual(64 * 1024);
}

describe("what a stranger's server does to a check ends in time, within bounds, with one verdict", () => {
  test.for(Object.entries(WORLD_KINDS))("%s", async ([name, [behaviour, word]]) => {
    const host = lab.newHost(behaviour);
    const cost = await check(`https://${host}/`, lab.world.tlsPort);
    tell(name, cost);
    expectBounded(cost, word);
  });

  test.for(Object.entries(RAW_KINDS))("%s", async ([name, [, word]]) => {
    const cost = await check(`http://${name}.test/`, raw.port);
    tell(name, cost);
    expectBounded(cost, word);
  });
});

describe("a text that is looked for", () => {
  test("is found in the first 256 KiB and nowhere else, and no more is read", async () => {
    for (const [before, word] of [
      [200_000, "healthy"],
      [300_000, "body-unexpected"],
    ] as const) {
      const host = lab.newHost({ kind: "page", body: `${"x".repeat(before)}${TEXT}` });
      const cost = await check(`https://${host}/`, lab.world.tlsPort, { body: TEXT });
      expect(cost.word).toBe(word);
      expect(cost.bodyBytes).toBeLessThanOrEqual(256 * 1024);
    }
  });

  test("is not looked for in what a compressed body would unpack to", async () => {
    const cost = await check("http://packed.test/", raw.port, { body: TEXT });
    expect(cost).toMatchObject({ word: "body-unexpected", bodyBytes: PACKED.length });
  });
});
