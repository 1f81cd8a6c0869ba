import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FailureCode } from "../../src/model/failures.ts";
import type { DnsAnswer } from "../../src/probe/network/dns.ts";
import { openConnection, startNotes } from "../../src/probe/network/single-request.ts";
import { createTrustRoots } from "../../src/probe/network/tls.ts";
import { LIMITS, NEVER, rulesOf } from "./harness.ts";

/** The port of a server that listens on `::1` alone: over IPv4 the same port refuses. */
let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((socket) => socket.destroy()).listen(0, "::1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const at = (...records: readonly string[]): DnsAnswer => ({ kind: "records", records });
const failed = (code: Extract<FailureCode, `dns-${string}`>): DnsAnswer => ({
  kind: "failed",
  code,
});

/** Opens a connection to a name with these answers; also tells which families were asked for. */
async function open(v4: DnsAnswer, v6: DnsAnswer, deadlineMs = Infinity, signal = NEVER) {
  const asked: number[] = [];
  const notes = startNotes();
  const result = await openConnection({
    url: new URL(`http://name.test:${port}/`),
    trust: "public",
    deps: {
      resolve: (_, family) => {
        asked.push(family);
        return Promise.resolve(family === 4 ? v4 : v6);
      },
      addressRules: {
        refusalOf: (address) => (address === "10.0.0.1" ? "private" : undefined),
        stubOf: () => undefined,
      },
      connectTo: rulesOf([]),
      limits: LIMITS,
      roots: createTrustRoots([], []),
    },
    attempt: 0,
    deadlineMs,
    signal,
    notes,
  });
  if (result.kind === "connected") result.socket.destroy();
  const outcome = result.kind === "failed" ? result.code : result.kind;
  return { outcome, asked, notes };
}

describe("IPv6 is tried", () => {
  test("if IPv4 refuses, and the answer says so", async () => {
    expect(await open(at("127.0.0.1"), at("::1"))).toMatchObject({
      outcome: "connected",
      asked: [4, 6],
      notes: { oddities: ["ipv4-fails"] },
    });
  });

  test.each([
    "dns-nxdomain",
    "dns-servfail",
    "dns-refused",
    "dns-timeout",
    "dns-malformed",
  ] as const)("if the lookup of IPv4 fails with %s", async (code) => {
    expect(await open(failed(code), at("::1"))).toMatchObject({
      outcome: "connected",
      asked: [4, 6],
      notes: { oddities: ["ipv4-fails"] },
    });
  });

  test("if there is no IPv4 address, which is no fault", async () => {
    const { outcome, asked, notes } = await open(failed("dns-no-answer"), at("::1"));
    expect([outcome, asked, notes.oddities]).toEqual(["connected", [4, 6], undefined]);
  });

  test("and if it fails too, the failure of IPv4 is told", async () => {
    expect((await open(failed("dns-servfail"), failed("dns-no-answer"))).outcome).toBe(
      "dns-servfail",
    );
    expect((await open(at("127.0.0.1"), failed("dns-servfail"))).outcome).toBe("tcp-refused");
  });
});

test("IPv6 is not asked for if an address is refused by the guard, or IPv4 answers", async () => {
  expect(await open(at("10.0.0.1"), at("::1"))).toMatchObject({
    outcome: "dns-special-address",
    asked: [4],
  });
});

test("addresses that the guard refuses are noted, and the others are tried", async () => {
  const { outcome, notes } = await open(failed("dns-no-answer"), at("10.0.0.1", "::1"));
  expect([outcome, notes.hasRefusedAddresses]).toEqual(["connected", true]);
  expect((await open(at("127.0.0.1"), at("::1"))).notes.hasRefusedAddresses).toBeUndefined();
});

test("after the deadline nothing is asked", async () => {
  expect(await open(at("127.0.0.1"), at("::1"), 0)).toMatchObject({
    outcome: "dns-timeout",
    asked: [],
  });
});

test("after an abort nothing is connected to", async () => {
  const { outcome, notes } = await open(
    at("127.0.0.1"),
    at("::1"),
    Infinity,
    AbortSignal.abort("deadline"),
  );
  expect([outcome, notes.address, notes.timings.tcpMs]).toEqual([
    "tcp-timeout",
    undefined,
    undefined,
  ]);
});
