import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DnsBehaviour } from "./behaviour.ts";
import { startDnsServer, type DnsServer } from "./dns-server.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

/** Long enough for any answer. */
const PATIENT_MS = 60_000;

/** Addresses joined by a space, or the code of the error. */
async function resolve(name: string, family: 4 | 6 = 4, timeoutMs = PATIENT_MS): Promise<string> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.port}`]);
  try {
    const found = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
    return found.join(" ");
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

const good: DnsBehaviour = { kind: "answer", addresses: ["192.0.2.1", "192.0.2.2", "2001:db8::1"] };

describe("one behaviour each", () => {
  test.for<[string, DnsBehaviour, string]>([
    ["addresses", good, "192.0.2.1 192.0.2.2"],
    ["a name that does not exist", { kind: "nxdomain" }, "ENOTFOUND"],
    ["a failing server", { kind: "servfail" }, "ESERVFAIL"],
    ["a refusal", { kind: "refused" }, "EREFUSED"],
    ["no records", { kind: "empty" }, "ENODATA"],
    ["silence", { kind: "silent" }, "ETIMEOUT"],
    ["a foreign transaction id", { kind: "wrong-id", addresses: ["192.0.2.1"] }, "ETIMEOUT"],
    ["bytes that are no message", { kind: "garbage" }, "EBADRESP"],
    ["a cut answer", { kind: "truncated", addresses: ["192.0.2.9"] }, "192.0.2.9"],
  ])("%s", async ([, behaviour, expected]) => {
    server.set("one.test", behaviour);
    const timeoutMs = expected === "ETIMEOUT" ? 200 : PATIENT_MS;
    expect(await resolve("one.test", 4, timeoutMs)).toBe(expected);
  });
});

test("AAAA records come from the IPv6 addresses", async () => {
  server.set("six.test", good);
  expect(await resolve("six.test", 6)).toBe("2001:db8::1");
});

test("a name without a rule does not exist, a name below a wildcard does", async () => {
  server.set("*.wild.test", good);
  expect(await resolve("nobody.test")).toBe("ENOTFOUND");
  expect(await resolve("a.b.wild.test")).toBe("192.0.2.1 192.0.2.2");
});

test("a truncated answer makes the client retry over TCP", async () => {
  server.set("cut.test", { kind: "truncated", addresses: ["192.0.2.9"] });
  await resolve("cut.test");
  expect(server.queries("cut.test")).toEqual({ udp: 1, tcp: 1 });
});

test("a delayed answer arrives late", async () => {
  const answer = { kind: "answer", addresses: ["192.0.2.1"] } as const;
  server.set("slow.test", { ...answer, delayMs: 3_600_000 });
  expect(await resolve("slow.test", 4, 200)).toBe("ETIMEOUT");
  server.set("slow.test", { ...answer, delayMs: 50 });
  expect(await resolve("slow.test")).toBe("192.0.2.1");
});

test("a forged answer over UDP does not affect TCP", async () => {
  const udp: DnsBehaviour = { kind: "truncated", addresses: [] };
  server.set("lied.test", { kind: "by-transport", udp, tcp: good });
  expect(await resolve("lied.test")).toBe("192.0.2.1 192.0.2.2");
  server.set("lied.test", { kind: "by-transport", udp: { kind: "nxdomain" }, tcp: good });
  expect(await resolve("lied.test")).toBe("ENOTFOUND");
});

test("types can have different behaviours", async () => {
  server.set("typed.test", { kind: "by-type", a: good, aaaa: { kind: "servfail" } });
  expect(await resolve("typed.test", 4)).toBe("192.0.2.1 192.0.2.2");
  expect(await resolve("typed.test", 6)).toBe("ESERVFAIL");
});

test("a sequence advances one step per query and repeats the last", async () => {
  server.set("seq.test", { kind: "sequence", steps: [{ kind: "nxdomain" }, good] });
  expect(await resolve("seq.test")).toBe("ENOTFOUND");
  expect(await resolve("seq.test")).toBe("192.0.2.1 192.0.2.2");
  expect(await resolve("seq.test")).toBe("192.0.2.1 192.0.2.2");
});
