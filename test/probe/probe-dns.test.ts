import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { specialPurposeOf } from "../../src/probe/address-guard.ts";
import { createResolver } from "../../src/probe/dns.ts";
import {
  LIMITS,
  NEVER,
  failureOf,
  openLab,
  resolverOf,
  rulesOf,
  shortFor,
  traceOf,
  wordFor,
  type Lab,
} from "./lab.ts";
import { runScript } from "./run-script.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const GUARDED = { addressRules: { refusalOf: specialPurposeOf, stubOf: () => undefined } };
const V6_NOWHERE = "ff02::1";

describe("the name server", () => {
  test("one that never answers about a name does not delay the others", async () => {
    lab.world.setDns("mute.test", { kind: "silent" });
    const resolve = resolverOf(lab.world, LIMITS.dnsMs);
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

  test("a lost packet is asked for again within the budget", async () => {
    const steps = [{ kind: "silent" }, { kind: "answer", addresses: ["127.0.0.1"] }] as const;
    expect(wordFor(await lab.seeDns({ kind: "sequence", steps }))).toBe("ok");
  });

  test("an answer under a foreign transaction id is not taken", async () => {
    const outcome = await lab.seeDns({ kind: "wrong-id", addresses: ["127.0.0.1"] });
    expect(wordFor(outcome)).toBe("dns-timeout");
  });

  test("an answer that does not fit a packet is asked for over TCP", async () => {
    const outcome = await lab.seeDns({ kind: "truncated", addresses: ["127.0.0.1"] });
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
    const { hostname } = new URL(traceOf(outcome).url);
    expect(lab.world.dnsQueries(hostname)).toEqual({ udp: 1, tcp: 1 });
  });

  test("is asked over TCP from the start when the resolver options say so", async () => {
    lab.world.setDns("stream.test", {
      kind: "by-transport",
      udp: { kind: "nxdomain" },
      tcp: { kind: "answer", addresses: ["192.0.2.7"] },
    });
    const args = [`127.0.0.1:${lab.world.dnsPort}`, "stream.test"];
    expect(await runScript("resolve-script.ts", args)).toMatchObject({
      answer: { kind: "failed", code: "dns-nxdomain" },
    });
    expect(await runScript("resolve-script.ts", args, { RES_OPTIONS: "use-vc" })).toMatchObject({
      answer: { kind: "addresses", addresses: ["192.0.2.7"] },
    });
    expect(lab.world.dnsQueries("stream.test")).toEqual({ udp: 1, tcp: 1 });
  });

  test("is never asked through getaddrinfo, whose threads one dead name could hold up", async () => {
    const args = [`127.0.0.1:${lab.world.dnsPort}`, "threads.test"];
    const { handles } = (await runScript("resolve-script.ts", args)) as { handles: string[] };
    expect(handles).toContain("QUERYWRAP");
    expect(handles).not.toContain("GETADDRINFOREQWRAP");
  });

  test("takes no more time than the probe has left, however long its own limit is", async () => {
    const host = lab.newHost({ kind: "page" });
    lab.world.setDns(host, { kind: "silent" });
    const limits = { ...LIMITS, totalMs: 300 };
    // Longer than the test itself may take.
    const resolve = resolverOf(lab.world, 3_600_000);
    const outcome = await lab.probe(`https://${host}/`, { deps: { limits, resolve } });
    expect(wordFor(outcome)).toBe("dns-timeout");
  });
});

describe("addresses", () => {
  test("the one that was looked up is the one connected to, and it is told", async () => {
    const outcome = await lab.seeDns({ kind: "answer", addresses: ["127.0.0.1"] });
    expect(traceOf(outcome)).toMatchObject({ address: "127.0.0.1", tlsVerified: true });
  });

  test("the next one is tried when one refuses", async () => {
    const outcome = await lab.seeDns({ kind: "answer", addresses: ["127.0.0.2", "127.0.0.1"] });
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
  });

  test("of several that fail the first is told, and TCP took as long as all of them", async () => {
    const connectTo = rulesOf([`:443::${lab.world.blackholePort}`]);
    const addresses = ["127.0.0.2", "127.0.0.1"];
    const limits = shortFor("tcpMs");
    const deps = { connectTo, limits };
    const outcome = await lab.seeDns({ kind: "answer", addresses }, { deps });
    expect(failureOf(outcome)).toMatchObject({
      code: "tcp-refused",
      trace: { address: "127.0.0.2" },
    });
    expect(traceOf(outcome).timings.tcpMs).toBeGreaterThanOrEqual(limits.tcpMs - 1);
  });

  test("a later attempt of the run begins with another one", async () => {
    const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.1"];
    const tried: (string | undefined)[] = [];
    const connectTo = rulesOf([`:443::${lab.world.refusedPort}`]);
    for (const attempt of [0, 1, 2, 3]) {
      const outcome = await lab.seeDns(
        { kind: "answer", addresses },
        { attempt, deps: { connectTo } },
      );
      tried.push(traceOf(outcome).address);
    }
    expect(new Set(tried)).toEqual(new Set(addresses));
    expect(tried[3]).toBe(tried[0]);
  });

  test("no more of them are tried than the limit says", async () => {
    const dns = { kind: "answer", addresses: ["127.0.0.2", "127.0.0.3", "127.0.0.1"] } as const;
    const withLimit = async (addresses: number): Promise<string> =>
      wordFor(await lab.seeDns(dns, { deps: { limits: { ...LIMITS, addresses } } }));
    expect([await withLimit(2), await withLimit(3)]).toEqual(["tcp-refused", "ok"]);
  });

  test("a name with IPv6 alone is skipped where IPv6 has no way", async () => {
    const outcome = await lab.seeDns({ kind: "answer", addresses: [V6_NOWHERE] });
    expect(outcome).toEqual({ kind: "skipped", reason: "ipv6-unavailable" });
  });

  test("a name with IPv6 alone that refuses has failed", async () => {
    const outcome = await lab.seeDns({ kind: "answer", addresses: ["::1"] });
    expect(failureOf(outcome)).toMatchObject({ code: "tcp-refused", trace: { address: "::1" } });
  });

  test("IPv4 that fails is told, not the IPv6 that has no way", async () => {
    const outcome = await lab.seeDns({ kind: "answer", addresses: ["127.0.0.2", V6_NOWHERE] });
    expect(failureOf(outcome)).toMatchObject({
      code: "tcp-refused",
      trace: { address: "127.0.0.2" },
    });
  });

  test("IPv4 that fails is told when the name has no IPv6", async () => {
    const outcome = await lab.seeDns({ kind: "answer", addresses: ["127.0.0.2"] });
    expect(wordFor(outcome)).toBe("tcp-refused");
  });

  test("a name without IPv4 whose IPv6 the server will not tell fails by that", async () => {
    const dns = { kind: "by-type", a: { kind: "empty" }, aaaa: { kind: "servfail" } } as const;
    expect(wordFor(await lab.seeDns(dns))).toBe("dns-servfail");
  });

  test("an address in the URL is not looked up", async () => {
    const before = lab.world.dnsQueries("127.0.0.1");
    const outcome = await lab.probe("https://127.0.0.1/");
    expect(outcome).toMatchObject({
      kind: "ok",
      trace: { address: "127.0.0.1", tlsVerified: true },
    });
    expect(lab.world.dnsQueries("127.0.0.1")).toEqual(before);
  });

  test("an IPv6 address in the URL goes without its brackets", async () => {
    const outcome = await lab.probe("https://[::1]/");
    expect(failureOf(outcome)).toMatchObject({ code: "tcp-refused", trace: { address: "::1" } });
  });

  test("an operator's --connect-to needs no name server and knows no guard", async () => {
    const host = lab.newHost();
    const connectTo = rulesOf([`${host}:443:127.0.0.1:${lab.world.tlsPort}`]);
    const resolve = createResolver([`127.0.0.1:${lab.world.refusedPort}`], LIMITS.dnsMs);
    const outcome = await lab.probe(`https://${host}/`, {
      deps: { ...GUARDED, connectTo, resolve },
    });
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
    expect(traceOf(outcome).timings.dnsMs).toBeUndefined();
  });
});

describe("a lying name server", () => {
  test("a special-purpose address is a finding and costs no connection", async () => {
    const host = lab.newHost();
    const outcome = await lab.probe(`https://${host}/`, { deps: GUARDED });
    expect(failureOf(outcome)).toMatchObject({ stage: "dns", code: "dns-special-address" });
    expect(traceOf(outcome).address).toBeUndefined();
    expect(lab.world.connections(host)).toBe(0);
  });

  test("a good address beside a special-purpose one is used", async () => {
    const refusalOf = (address: string): string | undefined =>
      address === "127.0.0.2" ? "Loopback" : undefined;
    const outcome = await lab.seeDns(
      { kind: "answer", addresses: ["127.0.0.2", "127.0.0.1"] },
      { deps: { addressRules: { refusalOf, stubOf: () => undefined } } },
    );
    expect(outcome).toMatchObject({ kind: "ok", trace: { address: "127.0.0.1" } });
  });

  test("a provider's stub address is told by its fingerprint and costs no connection", async () => {
    const host = lab.newHost();
    const stubOf = (address: string): string | undefined =>
      address === "127.0.0.1" ? "stub-1" : undefined;
    const addressRules = { refusalOf: specialPurposeOf, stubOf };
    const outcome = await lab.probe(`https://${host}/`, { deps: { addressRules } });
    expect(outcome).toMatchObject({ code: "dns-stub-address", fingerprint: "stub-1" });
    expect(lab.world.connections(host)).toBe(0);
  });

  test("every hop of a redirect is looked at anew", async () => {
    const inner = lab.newHost();
    const refusalOf = (address: string): string | undefined =>
      address === "127.0.0.9" ? "Loopback" : undefined;
    lab.world.setDns(inner, { kind: "answer", addresses: ["127.0.0.9"] });
    const outcome = await lab.see(
      { kind: "redirect", to: `https://${inner}/` },
      { deps: { addressRules: { refusalOf, stubOf: () => undefined } } },
    );
    expect(failureOf(outcome)).toMatchObject({
      code: "dns-special-address",
      trace: { url: `https://${inner}/`, redirects: 1 },
    });
    expect(lab.world.connections(inner)).toBe(0);
  });
});
