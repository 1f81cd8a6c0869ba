import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PlaceFinding, ProofLook } from "../../../src/model/monitor/owned-monitor.ts";
import type { ProofMethod } from "../../../src/model/monitor/owner-channel.ts";
import { tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";
import { type LookHarness, type SiteAnswer, startLookHarness } from "./look-harness.ts";

const TOKEN = tokenOf("t");
const FILE = "/.well-known/status-snapshot/a.txt";
const TXT = "_status-snapshot-challenge.shop.example.ru";
const PLAIN_TAG = `<meta name="status-snapshot" content="${TOKEN}">`;
const TAG = `<head>${PLAIN_TAG}</head>`;

let harness: LookHarness;
beforeAll(async () => {
  harness = await startLookHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.site.clear();
  for (const name of ["shop.example.ru", "www.example.ru", "other.example"])
    harness.dns.set(name, { kind: "answer", addresses: ["127.0.0.1"] });
  harness.dns.set("*.shop.example.ru", { kind: "nxdomain" });
  harness.dns.set("_status-snapshot.example.ru", { kind: "nxdomain" });
  harness.dns.set(TXT, { kind: "nxdomain" });
});

function look(host = "shop.example.ru", path = "/", withinMs = 20_000): Promise<ProofLook> {
  const url = `http://${host}:${harness.port}${path}`;
  return harness.lookWith({ allowPrivate: ["127.0.0.1/32"] })({
    id: "a",
    url,
    tokens: [tokenOf("s"), TOKEN],
    withinMs,
  });
}

const findingsOf = ({ places }: ProofLook): Partial<Record<ProofMethod, PlaceFinding>> =>
  Object.fromEntries([...places].map(([method, { finding }]) => [method, finding]));

const FOUND = { kind: "found", token: TOKEN };
const ABSENT = { kind: "absent" };

test("a token in DNS is found without a request to the site", async () => {
  harness.dns.set(TXT, { kind: "txt", records: [["v=spf1 -all"], [TOKEN]] });
  const before = harness.requests.length;
  expect(findingsOf(await look())).toEqual({ dns: FOUND });
  expect(harness.requests.length).toBe(before);
});

test("a token in the file is found before the page is read", async () => {
  harness.site.set(FILE, `${TOKEN}\n`);
  expect(findingsOf(await look())).toEqual({ dns: ABSENT, file: FOUND });
});

test("a token in the head of the monitored page is found", async () => {
  harness.site.set("/shop?a=b", TAG);
  expect(findingsOf(await look("shop.example.ru", "/shop?a=b"))).toEqual({
    dns: ABSENT,
    file: { kind: "absent", httpStatus: 404 },
    meta: FOUND,
  });
});

test("what is there instead of the token is told, without its control characters", async () => {
  harness.dns.set(TXT, { kind: "txt", records: [["not the token"]] });
  harness.site.set(FILE, `<b>not\u0007 it</b>${"x".repeat(100)}`);
  harness.site.set("/", `<meta name="status-snapshot" content="${tokenOf("u")}">`);
  const { dns, file, meta } = findingsOf(await look());
  expect(dns).toEqual({ kind: "other", excerpt: "not the token" });
  expect(file).toEqual({ kind: "other", excerpt: `<b>not it</b>${"x".repeat(47)}` });
  expect(meta).toEqual({ kind: "other", excerpt: tokenOf("u") });
});

test("a place that cannot be read says why", async () => {
  harness.dns.set(TXT, { kind: "servfail" });
  harness.dns.set("shop.example.ru", { kind: "nxdomain" });
  expect(findingsOf(await look())).toEqual({
    dns: { kind: "failed", code: "dns-servfail" },
    file: { kind: "failed", code: "dns-nxdomain" },
    meta: { kind: "failed", code: "dns-nxdomain" },
  });
});

describe("a redirect", () => {
  test("within the registrable domain is followed", async () => {
    harness.site.set(`shop.example.ru${FILE}`, `http://www.example.ru:${harness.port}/proof`);
    harness.site.set("www.example.ru/proof", TOKEN);
    expect(findingsOf(await look()).file).toEqual(FOUND);
  });

  test("to another domain proves nothing, even with the token there", async () => {
    harness.site.set(`shop.example.ru${FILE}`, `http://other.example:${harness.port}/proof`);
    harness.site.set("other.example/proof", TOKEN);
    expect(findingsOf(await look()).file).toEqual({ kind: "elsewhere", host: "other.example" });
  });

  test("to itself ends", async () => {
    harness.site.set(FILE, `http://shop.example.ru:${harness.port}${FILE}`);
    expect(findingsOf(await look()).file).toEqual({ kind: "failed", code: "redirect-too-many" });
  });
});

describe("a domain that refuses", () => {
  test.each(["_status-snapshot.shop.example.ru", "_status-snapshot.example.ru"])(
    "with %s is not asked for anything else",
    async (name) => {
      harness.dns.set(name, { kind: "txt", records: [["Deny"]] });
      harness.dns.set(TXT, { kind: "txt", records: [[TOKEN]] });
      harness.site.set(FILE, TOKEN);
      const before = harness.requests.length;
      const { isDenied, places } = await look();
      expect([isDenied, places.size]).toEqual([true, 0]);
      expect(harness.requests.length).toBe(before);
    },
  );

  test("with another text does not refuse", async () => {
    const name = "_status-snapshot.shop.example.ru";
    harness.dns.set(name, { kind: "txt", records: [["allow"]] });
    expect((await look()).isDenied).toBe(false);
  });
});

test("a look says when it began, and what it found where, in the order of the look", async () => {
  harness.site.set("/x", TAG);
  const { atMs, isDenied, places } = await look("shop.example.ru", "/x");
  const origin = `http://shop.example.ru:${harness.port}`;
  expect([atMs, isDenied]).toEqual([T0, false]);
  expect([...places]).toEqual([
    ["dns", { place: TXT, finding: ABSENT }],
    ["file", { place: origin + FILE, finding: { kind: "absent", httpStatus: 404 } }],
    ["meta", { place: `${origin}/x`, finding: FOUND }],
  ]);
});

test("of an address nothing is asked in DNS", async () => {
  harness.dns.set("*", { kind: "txt", records: [["deny"]] });
  harness.site.set(FILE, TOKEN);
  const { isDenied, places } = await look("127.0.0.1");
  harness.dns.set("*", { kind: "nxdomain" });
  expect([isDenied, [...places.keys()]]).toEqual([false, ["file"]]);
});

test("a file is read up to 4 KiB", async () => {
  const upTo = async (bytes: number) => {
    harness.site.set(FILE, `${"x".repeat(bytes - 23)}\n${TOKEN}`);
    return findingsOf(await look()).file?.kind;
  };
  expect([await upTo(4_096), await upTo(4_097)]).toEqual(["found", "other"]);
});

test("a page is read up to 128 KiB", async () => {
  const upTo = async (bytes: number) => {
    harness.site.set("/", `<!--${"x".repeat(bytes - 7 - PLAIN_TAG.length)}-->${PLAIN_TAG}`);
    return findingsOf(await look()).meta?.kind;
  };
  expect([await upTo(131_072), await upTo(131_073)]).toEqual(["found", "absent"]);
});

test.each<readonly [number, object]>([
  [200, FOUND],
  [203, FOUND],
  [299, FOUND],
  [300, { kind: "absent", httpStatus: 300 }],
  [403, { kind: "absent", httpStatus: 403 }],
  [499, { kind: "absent", httpStatus: 499 }],
  [500, { kind: "failed", code: "http-server-error" }],
  [503, { kind: "failed", code: "http-server-error" }],
])("a file with status %i is %j", async (status, finding) => {
  harness.site.set(FILE, { status, body: TOKEN });
  expect(findingsOf(await look()).file).toEqual(finding);
});

test.each<readonly [string, SiteAnswer, string]>([
  [
    "whose coding is broken",
    { status: 200, headers: { "Content-Encoding": "gzip" }, body: TOKEN },
    "body-malformed",
  ],
  [
    "that redirects to another protocol",
    { status: 302, headers: { Location: "ftp://shop.example.ru/" } },
    "redirect-refused",
  ],
  [
    "that redirects to what the guard refuses",
    { status: 302, headers: { Location: "http://shop.example.ru:22/" } },
    "redirect-refused",
  ],
  [
    "that redirects to two places",
    { status: 302, headers: { Location: ["/a", "/b"] } },
    "http-malformed",
  ],
])("a file %s fails", async (_, answer, code) => {
  harness.site.set(FILE, answer);
  expect(findingsOf(await look()).file).toEqual({ kind: "failed", code });
});

test("an address that the guard refuses is not asked", async () => {
  const before = harness.requests.length;
  const refused = { kind: "failed", code: "url-refused" };
  expect(findingsOf(await look("10.0.0.1"))).toEqual({ file: refused, meta: refused });
  expect(harness.requests.length).toBe(before);
});

test("a site with IPv6 alone is unreachable from IPv4", async () => {
  // No machine has a way to this address, because it belongs to each of its networks.
  harness.dns.set("shop.example.ru", { kind: "answer", addresses: ["ff02::1"] });
  const url = `http://shop.example.ru:${harness.port}/`;
  const lookAnywhere = harness.lookWith({}, false);
  const found = await lookAnywhere({ id: "a", url, tokens: [TOKEN], withinMs: 20_000 });
  const unreachable = { kind: "failed", code: "tcp-unreachable" };
  expect(findingsOf(found)).toEqual({ dns: ABSENT, file: unreachable, meta: unreachable });
});

test("a look whose time is over asks the site for nothing", async () => {
  const before = harness.requests.length;
  const late = { kind: "failed", code: "tcp-timeout" };
  expect(findingsOf(await look("shop.example.ru", "/", 0))).toEqual({
    dns: ABSENT,
    file: late,
    meta: late,
  });
  expect(harness.requests.length).toBe(before);
});
