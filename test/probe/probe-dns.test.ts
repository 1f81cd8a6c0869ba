import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { specialPurposeOf } from "../../src/probe/network/address-guard.ts";
import { createResolver, type DnsAnswer, type Resolve } from "../../src/probe/network/dns.ts";
import {
  LIMITS,
  NEVER,
  failureOf,
  openHarness,
  resolverOf,
  rulesOf,
  shortFor,
  traceOf,
  wordFor,
  type Harness,
} from "./harness.ts";
import { runScript } from "../run-script.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const GUARDED = { addressRules: { refusalOf: specialPurposeOf, stubOf: () => undefined } };
const V6_NOWHERE = "ff02::1";

describe("the name server", () => {
  test("a name without an answer does not delay the others", async () => {
    harness.internet.setDns("mute.test", { kind: "silent" });
    const resolve = resolverOf(harness.internet, LIMITS.dnsMs);
    const order: string[] = [];
    const ask = async (name: string): Promise<void> => {
      await resolve(name, 4, LIMITS.dnsMs, NEVER);
      order.push(name.startsWith("mute") ? "mute" : "good");
    };
    const mute = Array.from({ length: 20 }, () => ask("mute.test"));
    const good = Array.from({ length: 20 }, (_, index) => ask(`good${index}.test`));
    await Promise.all([...mute, ...good]);
    expect(order).toEqual([...Array(20).fill("good"), ...Array(20).fill("mute")]);
  });

  test("a lost packet is requested again within the budget", async () => {
    const steps = [{ kind: "silent" }, { kind: "answer", addresses: ["127.0.0.1"] }] as const;
    expect(wordFor(await harness.seeDns({ kind: "sequence", steps }))).toBe("ok");
  });

  test("an answer with another transaction id is ignored", async () => {
    const outcome = await harness.seeDns({ kind: "wrong-id", addresses: ["127.0.0.1"] });
    expect(wordFor(outcome)).toBe("dns-timeout");
  });

  test("an answer too large for a packet is requested over TCP", async () => {
    const outcome = await harness.seeDns({ kind: "truncated", addresses: ["127.0.0.1"] });
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
    const { hostname } = new URL(traceOf(outcome).url);
    expect(harness.internet.dnsQueries(hostname)).toEqual({ udp: 1, tcp: 1 });
  });

  test("is queried over TCP if the resolver options require it", async () => {
    harness.internet.setDns("stream.test", {
      kind: "by-transport",
      udp: { kind: "nxdomain" },
      tcp: { kind: "answer", addresses: ["192.0.2.7"] },
    });
    const args = [`127.0.0.1:${harness.internet.dnsPort}`, "stream.test"];
    expect(await runScript("probe/resolve-script.ts", args)).toMatchObject({
      answer: { kind: "failed", code: "dns-nxdomain" },
    });
    expect(
      await runScript("probe/resolve-script.ts", args, { RES_OPTIONS: "use-vc" }),
    ).toMatchObject({
      answer: { kind: "records", records: ["192.0.2.7"] },
    });
    expect(harness.internet.dnsQueries("stream.test")).toEqual({ udp: 1, tcp: 1 });
  });

  test("is never queried through getaddrinfo", async () => {
    const args = [`127.0.0.1:${harness.internet.dnsPort}`, "threads.test"];
    const { handles } = (await runScript("probe/resolve-script.ts", args)) as { handles: string[] };
    expect(handles).toContain("QUERYWRAP");
    expect(handles).not.toContain("GETADDRINFOREQWRAP");
  });

  test("takes at most the remaining time of the probe", async () => {
    const host = harness.newHost({ kind: "page" });
    harness.internet.setDns(host, { kind: "silent" });
    const limits = { ...LIMITS, totalMs: 300 };
    // Longer than the time limit of the test.
    const resolve = resolverOf(harness.internet, 3_600_000);
    const outcome = await harness.probe(`https://${host}/`, { deps: { limits, resolve } });
    expect(wordFor(outcome)).toBe("dns-timeout");
  });
});

describe("addresses", () => {
  test("the resolved address is used and reported", async () => {
    const outcome = await harness.seeDns({ kind: "answer", addresses: ["127.0.0.1"] });
    expect(traceOf(outcome)).toMatchObject({ address: "127.0.0.1", tlsVerified: true });
  });

  test("the next one is tried if one refuses", async () => {
    const outcome = await harness.seeDns({ kind: "answer", addresses: ["127.0.0.2", "127.0.0.1"] });
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
  });

  test("of several failures the first is reported, with the time of all", async () => {
    const connectTo = rulesOf([`:443::${harness.internet.blackholePort}`]);
    const addresses = ["127.0.0.2", "127.0.0.1"];
    const limits = shortFor("tcpMs");
    const deps = { connectTo, limits };
    const outcome = await harness.seeDns({ kind: "answer", addresses }, { deps });
    expect(failureOf(outcome)).toMatchObject({
      code: "tcp-refused",
      trace: { address: "127.0.0.2" },
    });
    expect(traceOf(outcome).timings.tcpMs).toBeGreaterThanOrEqual(limits.tcpMs - 1);
  });

  test("a later attempt begins with another one", async () => {
    const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.1"];
    const tried: (string | undefined)[] = [];
    const connectTo = rulesOf([`:443::${harness.internet.refusedPort}`]);
    for (const attempt of [0, 1, 2, 3]) {
      const outcome = await harness.seeDns(
        { kind: "answer", addresses },
        { attempt, deps: { connectTo } },
      );
      tried.push(traceOf(outcome).address);
    }
    expect(new Set(tried)).toEqual(new Set(addresses));
    expect(tried[3]).toBe(tried[0]);
  });

  test("at most as many as the limit are tried", async () => {
    const dns = { kind: "answer", addresses: ["127.0.0.2", "127.0.0.3", "127.0.0.1"] } as const;
    const withLimit = async (addresses: number): Promise<string> =>
      wordFor(await harness.seeDns(dns, { deps: { limits: { ...LIMITS, addresses } } }));
    expect([await withLimit(2), await withLimit(3)]).toEqual(["tcp-refused", "ok"]);
  });

  test("a name with only IPv6 is skipped if IPv6 is unavailable", async () => {
    const outcome = await harness.seeDns({ kind: "answer", addresses: [V6_NOWHERE] });
    expect(outcome).toEqual({ kind: "skipped", reason: "ipv6-unavailable" });
  });

  test("a name with only IPv6 that refuses fails", async () => {
    const outcome = await harness.seeDns({ kind: "answer", addresses: ["::1"] });
    expect(failureOf(outcome)).toMatchObject({ code: "tcp-refused", trace: { address: "::1" } });
  });

  test("a failure over IPv4 is reported, not the unavailable IPv6", async () => {
    const outcome = await harness.seeDns({ kind: "answer", addresses: ["127.0.0.2", V6_NOWHERE] });
    expect(failureOf(outcome)).toMatchObject({
      code: "tcp-refused",
      trace: { address: "127.0.0.2" },
    });
  });

  test("a failure over IPv4 is reported if the name has no IPv6", async () => {
    const outcome = await harness.seeDns({ kind: "answer", addresses: ["127.0.0.2"] });
    expect(wordFor(outcome)).toBe("tcp-refused");
  });

  test("a name without IPv4 fails with the error of its IPv6 lookup", async () => {
    const dns = { kind: "by-type", a: { kind: "empty" }, aaaa: { kind: "servfail" } } as const;
    expect(wordFor(await harness.seeDns(dns))).toBe("dns-servfail");
  });

  test("an address in the URL is not looked up", async () => {
    const before = harness.internet.dnsQueries("127.0.0.1");
    const outcome = await harness.probe("https://127.0.0.1/");
    expect(outcome).toMatchObject({
      kind: "ok",
      trace: { address: "127.0.0.1", tlsVerified: true },
    });
    expect(harness.internet.dnsQueries("127.0.0.1")).toEqual(before);
  });

  test("an IPv6 address in the URL loses its brackets", async () => {
    const outcome = await harness.probe("https://[::1]/");
    expect(failureOf(outcome)).toMatchObject({ code: "tcp-refused", trace: { address: "::1" } });
  });

  test("a --connect-to rule bypasses the name server and the guard", async () => {
    const host = harness.newHost();
    const connectTo = rulesOf([`${host}:443:127.0.0.1:${harness.internet.tlsPort}`]);
    const resolve = createResolver([`127.0.0.1:${harness.internet.refusedPort}`], LIMITS.dnsMs);
    const outcome = await harness.probe(`https://${host}/`, {
      deps: { ...GUARDED, connectTo, resolve },
    });
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
    expect(traceOf(outcome).timings.dnsMs).toBeUndefined();
  });
});

describe("a lying name server", () => {
  test("a special-purpose address fails without a connection", async () => {
    const host = harness.newHost();
    const outcome = await harness.probe(`https://${host}/`, { deps: GUARDED });
    expect(failureOf(outcome)).toMatchObject({ stage: "dns", code: "dns-special-address" });
    expect(traceOf(outcome).address).toBeUndefined();
    expect(harness.internet.connections(host)).toBe(0);
  });

  test("a public address next to a special-purpose one is used", async () => {
    const refusalOf = (address: string): string | undefined =>
      address === "127.0.0.2" ? "Loopback" : undefined;
    const outcome = await harness.seeDns(
      { kind: "answer", addresses: ["127.0.0.2", "127.0.0.1"] },
      { deps: { addressRules: { refusalOf, stubOf: () => undefined } } },
    );
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
  });

  test("a stub address fails with its fingerprint, without a connection", async () => {
    const host = harness.newHost();
    const stubOf = (address: string): string | undefined =>
      address === "127.0.0.1" ? "stub-1" : undefined;
    const addressRules = { refusalOf: specialPurposeOf, stubOf };
    const outcome = await harness.probe(`https://${host}/`, { deps: { addressRules } });
    expect(outcome).toMatchObject({ code: "dns-stub-address", fingerprint: "stub-1" });
    expect(harness.internet.connections(host)).toBe(0);
  });

  test("every hop of a redirect is checked", async () => {
    const inner = harness.newHost();
    const refusalOf = (address: string): string | undefined =>
      address === "127.0.0.9" ? "Loopback" : undefined;
    harness.internet.setDns(inner, { kind: "answer", addresses: ["127.0.0.9"] });
    const outcome = await harness.see(
      { kind: "redirect", to: `https://${inner}/` },
      { deps: { addressRules: { refusalOf, stubOf: () => undefined } } },
    );
    expect(failureOf(outcome)).toMatchObject({
      code: "dns-special-address",
      trace: { url: `https://${inner}/`, redirects: 1 },
    });
    expect(harness.internet.connections(inner)).toBe(0);
  });
});

describe("a family that fails beside one that works", () => {
  const ask = (a: DnsAnswer, aaaa: DnsAnswer): Promise<Outcome> => {
    const host = harness.newHost();
    const resolve: Resolve = async (_, family) => (family === 4 ? a : aaaa);
    return harness.probe(`https://${host}/`, { deps: { resolve } });
  };
  const fails = (code: Extract<DnsAnswer, { kind: "failed" }>["code"]): DnsAnswer => ({
    kind: "failed",
    code,
  });
  const works: DnsAnswer = { kind: "records", records: ["127.0.0.1"] };

  test.for([
    "dns-servfail",
    "dns-nxdomain",
    "dns-refused",
    "dns-timeout",
    "dns-malformed",
  ] as const)("%s for IPv4 is no failure, and evidence", async (code) => {
    const outcome = await ask(fails(code), works);
    expect(outcome).toMatchObject({ kind: "ok", trace: { oddities: ["ipv4-fails"] } });
  });

  test("a name without an A record has no fault", async () => {
    const outcome = await ask(fails("dns-no-answer"), works);
    expect(wordFor(outcome)).toBe("ok");
    expect(traceOf(outcome).oddities).toBeUndefined();
  });

  test("the failure of IPv4 is told if both fail", async () => {
    expect(wordFor(await ask(fails("dns-servfail"), fails("dns-nxdomain")))).toBe("dns-servfail");
    expect(wordFor(await ask(fails("dns-nxdomain"), fails("dns-no-answer")))).toBe("dns-nxdomain");
  });

  test("an address of a filter is a failure whatever IPv6 answers", async () => {
    const outcome = await ask(fails("dns-stub-address"), works);
    expect(wordFor(outcome)).toBe("dns-stub-address");
  });
});
