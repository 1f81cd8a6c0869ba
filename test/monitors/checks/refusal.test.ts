import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toProbeTarget } from "../../../src/monitors/checks/check-target.ts";
import { classifyCheck } from "../../../src/monitors/checks/host-queues.ts";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import { buildProbeDependencies, buildUrlGuard } from "../../../src/probe/probe-config.ts";
import { createProbe } from "../../../src/probe/probe.ts";
import { NEVER } from "../../probe/harness.ts";
import { startDnsServer, type DnsServer } from "../../simulated-internet/dns-server.ts";
import { say, startRawServer, type RawServer } from "./raw-server.ts";
import { PLAIN_CONFIG } from "./run-pool.ts";

const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

let dns: DnsServer;
/** On 127.0.0.1, which is not allowed. */
let inside: RawServer;
/** On 127.0.0.2, which is allowed and represents the internet. */
let outside: RawServer;
/** By host: the target of redirects of that server. */
const redirects = new Map<string, string>();

beforeAll(async () => {
  dns = await startDnsServer();
  inside = await startRawServer(() => say(HELLO));
  const answer = (host: string): string => {
    const to = redirects.get(host);
    return to === undefined ? HELLO : `HTTP/1.1 302 Go\r\nLocation: ${to}\r\n\r\n`;
  };
  outside = await startRawServer((host) => say(answer(host)), "127.0.0.2", inside.port);
});
afterAll(() => Promise.all([dns.close(), inside.close(), outside.close()]));

let hosts = 0;

/** A new name that resolves to these addresses. */
function nameFor(...addresses: string[]): string {
  hosts += 1;
  const host = `h${hosts}.test`;
  dns.set(host, { kind: "answer", addresses });
  return host;
}

const HEALTHY: unknown = { kind: "healthy", totalMs: expect.any(Number) };
const WARNED: unknown = {
  kind: "healthy",
  totalMs: expect.any(Number),
  warning: "mixed-addresses",
};

/** One check; ports are those of the two servers, addresses those of DNS or the URL. */
async function check(url: string): Promise<CheckResult> {
  const config = {
    ...PLAIN_CONFIG,
    dns: `127.0.0.1:${dns.port}`,
    allowPrivate: ["127.0.0.2/32"],
    connectTo: [`:80::${inside.port}`, `:443::${inside.port}`],
  };
  const probe = createProbe({
    ...buildProbeDependencies(config),
    refusalOfUrl: buildUrlGuard(config),
  });
  const target = { id: "m", url, lastState: "unknown", timeoutMs: 2_000 } as const;
  return classifyCheck(await probe(toProbeTarget(target), 0, NEVER));
}

/** Each would lead a packet to 127.0.0.1 on this or some other system. */
const INSIDE = [
  "127.0.0.1",
  "0.0.0.0",
  "127.0.0.3",
  "10.0.0.1",
  "169.254.169.254",
  "168.63.129.16",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:127.0.0.2",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "2002:7f00:1::1",
  "2002:808:808::1",
  "3ffe:b80::1",
  "2001:0:7f00:1::",
  "fe80::5efe:7f00:1",
  "fd00:ec2::254",
] as const;

describe("no packet goes to a special-purpose address", () => {
  test.for(INSIDE)("if DNS gives %s", async (address) => {
    const verdict = await check(`http://${nameFor(address)}/`);
    expect(verdict).toEqual({ kind: "refused", code: "dns-special-address" });
    expect(inside.connections()).toBe(0);
  });

  test("if DNS gives many of them", async () => {
    const verdict = await check(`http://${nameFor("127.0.0.1", "10.0.0.1", "192.168.0.1")}/`);
    expect(verdict).toEqual({ kind: "refused", code: "dns-special-address" });
    expect(inside.connections()).toBe(0);
  });

  test.for([
    [["127.0.0.1", "127.0.0.2"], WARNED],
    [["127.0.0.2", "127.0.0.1"], WARNED],
    [["10.0.0.1", "127.0.0.2", "192.168.0.1"], WARNED],
    // IPv6 is looked up only if IPv4 gives nothing.
    [["127.0.0.2", "::1", "::ffff:127.0.0.1"], HEALTHY],
    // The stub address of a provider is another failure.
    [["127.0.0.2", "217.148.54.171"], HEALTHY],
  ] as const)(
    "of a mixed answer %j: only the public address is used",
    async ([addresses, verdict]) => {
      const before = outside.connections();
      expect(await check(`http://${nameFor(...addresses)}/`)).toEqual(verdict);
      expect(outside.connections()).toBe(before + 1);
      expect(inside.connections()).toBe(0);
    },
  );

  test("a mixed answer of a name before the last redirect is remembered", async () => {
    const [host, next] = [nameFor("127.0.0.2", "10.0.0.1"), nameFor("127.0.0.2")];
    redirects.set(host, `http://${next}/`);
    expect(await check(`http://${host}/`)).toEqual(WARNED);
  });

  test("a mixed answer of the name that a redirect leads to is remembered", async () => {
    const [host, next] = [nameFor("127.0.0.2"), nameFor("10.0.0.1", "127.0.0.2")];
    redirects.set(host, `http://${next}/`);
    expect(await check(`http://${host}/`)).toEqual(WARNED);
  });

  test("if a name resolves to another address the second time", async () => {
    const host = nameFor();
    const steps = ["127.0.0.2", "127.0.0.1"].map(
      (address) => ({ kind: "answer", addresses: [address], ttlSeconds: 0 }) as const,
    );
    dns.set(host, { kind: "sequence", steps });
    expect(await check(`http://${host}/`)).toEqual(HEALTHY);
    // The checked address is the one that was connected to, without another lookup.
    expect(dns.queries(host)).toEqual({ udp: 1, tcp: 0 });
    expect(await check(`http://${host}/`)).toMatchObject({ kind: "refused" });
    expect(inside.connections()).toBe(0);
  });

  test.for(INSIDE)("if a redirect leads to a name that resolves to %s", async (address) => {
    const host = nameFor("127.0.0.2");
    redirects.set(host, `http://${nameFor(address)}/`);
    expect(await check(`http://${host}/`)).toMatchObject({ kind: "refused" });
    expect(inside.connections()).toBe(0);
  });

  test.for([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.2]/",
    "//127.1/",
    "http://localhost./",
    "http://user:secret@127.0.0.2/",
    "http://127.0.0.2:22/",
    "gopher://127.0.0.2/",
    "file:///etc/passwd",
    "\\\\127.0.0.1\\x",
  ])("if a redirect leads to %s", async (to) => {
    const host = nameFor("127.0.0.2");
    redirects.set(host, to);
    const before = outside.connections();
    expect(await check(`http://${host}/`)).toEqual({ kind: "refused", code: "redirect-refused" });
    expect(inside.connections()).toBe(0);
    expect(outside.connections()).toBe(before + 1);
  });

  test("if the URL itself has it, without any lookup", async () => {
    const host = nameFor("127.0.0.2");
    for (const url of ["http://127.0.0.1/", `http://${host}:22/`, `http://user@${host}/`])
      expect(await check(url)).toEqual({ kind: "refused", code: "url-refused" });
    expect(dns.queries(host)).toEqual({ udp: 0, tcp: 0 });
    expect(inside.connections()).toBe(0);
  });
});
