import { readFileSync } from "node:fs";
import { createProbe } from "../../src/probe/probe.ts";
import { openTlsTable, TLS_ROWS, tlsHostOf } from "../browser-table/tls-table.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILURES, FAILURE_CODES, type FailureCode } from "../../src/model/failures.ts";
import { type Outcome } from "../../src/model/probe-outcome.ts";
import { createResolver } from "../../src/probe/network/dns.ts";
import { specialPurposeOf } from "../../src/probe/network/address-guard.ts";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import {
  LIMITS,
  openHarness,
  rulesOf,
  traceOf,
  wordFor,
  type Harness,
  type SeeOptions,
  NEVER,
} from "./harness.ts";
import { startOddTlsServer } from "./odd-certificate.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const STUB_ADDRESS = [...stubAddresses()][0] ?? "";

function* stubAddresses(): Generator<string> {
  const rows: unknown = JSON.parse(
    readFileSync(new URL("../../data/blockpages.json", import.meta.url), "utf8"),
  );
  for (const row of rows as readonly { where: string; pattern: string }[])
    if (row.where === "dns-address") yield row.pattern;
}

type Scenario = () => Promise<Outcome>;

const see = (behaviour: Behaviour, options?: SeeOptions): Scenario => {
  return () => harness.see(behaviour, options);
};

/** One scenario for each failure. A record, so that the compiler requires a scenario for every new code. */
const SCENARIOS: Record<FailureCode, Scenario> = {
  "url-refused": see({ kind: "page" }, { deps: { refusalOfUrl: () => "not this one" } }),
  "dns-nxdomain": () => harness.seeDns({ kind: "nxdomain" }),
  "dns-servfail": () => harness.seeDns({ kind: "servfail" }),
  "dns-refused": () => harness.seeDns({ kind: "refused" }),
  "dns-no-answer": () => harness.seeDns({ kind: "empty" }),
  "dns-timeout": () => harness.seeDns({ kind: "silent" }),
  "dns-malformed": () => harness.seeDns({ kind: "garbage" }),
  "dns-server-unreachable": () => {
    const resolve = createResolver([`127.0.0.1:${harness.internet.refusedPort}`], LIMITS.dnsMs);
    return harness.see({ kind: "page" }, { deps: { resolve } });
  },
  "dns-stub-address": () => harness.seeDns({ kind: "answer", addresses: [STUB_ADDRESS] }),
  "dns-special-address": () => {
    const addressRules = { refusalOf: specialPurposeOf, stubOf: () => undefined };
    return harness.see({ kind: "page" }, { deps: { addressRules } });
  },
  "tcp-refused": see({ kind: "tcp-refused" }),
  "tcp-reset": seeTcpReset,
  "tcp-timeout": see({ kind: "tcp-blackhole" }),
  // Linux has no TCP route to the broadcast address.
  "tcp-unreachable": () => harness.seeDns({ kind: "answer", addresses: ["255.255.255.255"] }),
  "tcp-error": () => {
    // Not an address, and too long for a lookup: EINVAL at once. (A link-local address without its zone is
    // EINVAL only in Node 20; later versions choose a device.)
    const resolve = () => Promise.resolve({ kind: "records", records: ["x".repeat(300)] } as const);
    const addressRules = { refusalOf: () => undefined, stubOf: () => undefined };
    return harness.see({ kind: "page" }, { deps: { resolve, addressRules } });
  },
  "tls-reset": see({ kind: "tls-reset" }),
  "tls-closed": see({ kind: "tls-close" }),
  "tls-timeout": see({ kind: "tls-silence" }),
  "tls-alert": see({ kind: "tls-alert", alert: "unrecognized_name" }),
  "tls-version": () => seeTls("an old version of TLS"),
  "tls-malformed": see({ kind: "tls-plain-http" }),
  "cert-expired": see({ kind: "page", certificate: "expired" }),
  "cert-not-yet-valid": see({ kind: "page", certificate: "not-yet-valid" }),
  "cert-wrong-host": see({ kind: "page", certificate: "wrong-host" }),
  "cert-unknown-issuer": see({ kind: "page", certificate: "unknown-issuer" }),
  "cert-self-signed": see({ kind: "page", certificate: "self-signed" }),
  "cert-invalid": seeOddCertificate,
  "http-timeout": see({ kind: "http-silence" }),
  "http-reset": see({ kind: "http-reset" }),
  "http-closed": see({ kind: "http-close" }),
  "http-malformed": see({ kind: "http-malformed", part: "status-line" }),
  "http-headers-too-large": see({ kind: "headers-endless" }),
  "http-informational-flood": see({ kind: "informational-flood", intervalMs: 0 }),
  "http-server-error": see({ kind: "page", status: 503 }),
  "http-unexpected-status": see({ kind: "page", status: 404 }, { target: { expect: [200] } }),
  "http-legal-refusal": see({ kind: "legal-refusal" }),
  "http-block-page": see(
    { kind: "redirect", to: "http://warning.rt.ru/?id=1" },
    { scheme: "http" },
  ),
  "redirect-loop": see({ kind: "redirect-loop" }),
  "redirect-too-many": see({ kind: "redirect-endless" }),
  "redirect-refused": see({ kind: "redirect", to: "ftp://files.test/" }),
  "redirect-unexpected": see(
    { kind: "redirect", to: "https://parking.test/" },
    { target: { location: "id.example" } },
  ),
  "body-stall": see({ kind: "body-stall", afterBytes: 20_000 }),
  "body-timeout": see(
    { kind: "body-drip", intervalMs: 50 },
    { deps: { limits: { ...LIMITS, totalMs: 900 } } },
  ),
  "body-reset": see({ kind: "body-reset", afterBytes: 20_000 }),
  "body-closed": see({ kind: "body-close", afterBytes: 20_000 }),
  "body-malformed": see({ kind: "body-bad-chunk" }),
  "body-works": see({
    kind: "page",
    body: "<title>Технические работы</title><h1>Скоро вернёмся</h1>",
    headers: { "content-type": "text/html; charset=utf-8" },
  }),
  "body-unexpected": see({ kind: "page" }, { target: { body: "в наличии" } }),
};

/**
 * An RST must arrive before the client reads its new connection, which is not certain, so this tries again. An RST that arrives
 * between that read and the ClientHello fails the write of the hello, which Node reports as an orderly close.
 */
async function seeTcpReset(): Promise<Outcome> {
  for (let tries = 0; tries < 50; tries += 1) {
    const outcome = await harness.see({ kind: "tcp-reset" });
    if (wordFor(outcome) === "tcp-reset") return outcome;
    expect(["tls-reset", "tls-closed"]).toContain(wordFor(outcome));
  }
  throw new Error("never reset early enough");
}

async function seeTls(name: string): Promise<Outcome> {
  const table = await openTlsTable();
  const probe = createProbe(table.depsOf(harness.deps));
  const index = TLS_ROWS.findIndex((row) => row.name === name);
  const outcome = await probe({ url: `https://${tlsHostOf(index)}/`, trust: "public" }, 0, NEVER);
  await table.close();
  return outcome;
}

async function seeOddCertificate(): Promise<Outcome> {
  const server = await startOddTlsServer("odd.test");
  const { rootContext } = server;
  const roots = {
    contexts: { public: rootContext, national: rootContext },
    canJudgeNational: false,
    extend: () => rootContext,
  };
  const connectTo = rulesOf([`::127.0.0.1:${server.port}`]);
  try {
    return await harness.probe("https://odd.test/", { deps: { roots, connectTo } });
  } finally {
    await server.close();
  }
}

const CODES = Object.keys(SCENARIOS) as FailureCode[];
const WORKSPACE_TIMES = { dns: "dnsMs", tcp: "tcpMs", tls: "tlsMs" } as const;

test.for(CODES)("%s is reported with its stage and time", async (code) => {
  const outcome = await SCENARIOS[code]();
  expect(wordFor(outcome)).toBe(code);
  const stage = FAILURES[code].stage;
  expect(outcome).toMatchObject({ kind: "failed", stage });
  const { timings, url } = traceOf(outcome);
  expect(timings.totalMs).toBeGreaterThanOrEqual(0);
  const isTimed = (one: keyof typeof WORKSPACE_TIMES): boolean =>
    timings[WORKSPACE_TIMES[one]] !== undefined;
  const reached = ["dns", "tcp", "tls"] as const;
  const last = reached.findIndex((one) => one === stage);
  // `--connect-to` needs no lookup, and plain HTTP has no TLS.
  const isLookedUp =
    !isTimed("dns") && (code === "cert-invalid" || code === "url-refused" || stage === "tcp");
  const expected = reached
    .slice(0, last === -1 ? 3 : last + 1)
    .filter((one) => !(one === "tls" && url.startsWith("http:")) && !(one === "dns" && isLookedUp));
  expect(reached.filter(isTimed)).toEqual(expected);
});

test("the documentation explains exactly these failures", () => {
  const document = readFileSync(
    new URL("../../docs/probe/measurement.md", import.meta.url),
    "utf8",
  );
  const rows = [...document.matchAll(/^\| `([a-z0-9-]+)` +\| (?:dns|tcp|tls|http|body) /gmu)].map(
    ([, code]) => code,
  );
  expect(rows).toEqual(FAILURE_CODES);
});
