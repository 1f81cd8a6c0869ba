import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Endpoint } from "../../src/model/service/catalogue.ts";
import type { Ask } from "../../src/model/service/vantage.ts";
import { decodeAsk, digestUrls, encodeAsk } from "../../src/vantages/exchange.ts";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import { smallCatalogue } from "../setup/small-catalogue.ts";
import { readShippedCatalogue } from "../simulated-internet/shipped-catalogue.ts";
import { T0 } from "../model/samples.ts";

const ID = "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11";
const VALID = {
  format: "status-snapshot/ask",
  version: 1,
  id: ID,
  after: null,
  experimenters: ["m1"],
  browsers: [],
  atMs: T0,
  endpoints: [{ url: "https://a.ru/", trust: "public" }],
  failing: [["https://a.ru/", "192.0.2.1"]],
};

const WITHOUT_PLACES = {
  id: ID,
  after: null,
  experimenters: [],
  browsers: [],
  atMs: T0,
  failing: new Map<string, null>(),
};

const toAsked = ({
  what: _what,
  whatRu: _whatRu,
  isCritical: _critical,
  refuses: _refuses,
  ...rest
}: Endpoint) => rest;

test("the shipped catalogue is asked for in some kilobytes, and without names", async () => {
  const { services } = await readShippedCatalogue();
  const endpoints = services.flatMap((service) => service.endpoints);
  const ask: Ask = {
    id: ID,
    after: null,
    experimenters: ["m1"],
    browsers: [],
    atMs: T0,
    endpoints,
    failing: new Map([["https://ya.ru/", null]]),
  };
  const bytes = encodeAsk(ask);
  expect(bytes.length).toBeLessThan(12_000);
  const decoded = decodeAsk(bytes);
  if (decoded.kind !== "ok") throw new Error(decoded.message);
  expect(decoded.ask.failing).toEqual(ask.failing);
  expect(decoded.ask.endpoints).toEqual(endpoints.map(toAsked));
});

test("whatever a catalogue may say of an endpoint, its vantages read", () => {
  const longest = "\u{1F512}".repeat(200);
  const endpoint = {
    url: `https://${"a.".repeat(120)}ru/`,
    what: "main site",
    trust: "national",
    denied: { status: 999, body: longest, location: longest },
    body: longest,
    notBody: times(8, longest),
    location: longest,
    leadsTo: times(8, `${"a".repeat(63)}.ru`),
    works: "answer",
    refuses: ["abroad"],
  };
  const written = [
    { ...endpoint, expect: Array.from({ length: 900 }, (_, index) => 100 + index) },
    { ...endpoint, url: "https://b.ru/", redirects: "answer" },
  ];
  const parsed = parseCatalogue(
    smallCatalogue().replace(/endpoints: .*/u, () => `endpoints: ${JSON.stringify(written)}`),
  );
  if (parsed.kind !== "ok") throw new Error(parsed.problems[0]?.message);
  const endpoints = parsed.catalogue.services.flatMap((service) => service.endpoints);
  const decoded = decodeAsk(encodeAsk({ ...WITHOUT_PLACES, endpoints }));
  expect(decoded).toMatchObject({ kind: "ok" });
  expect(decoded.kind === "ok" && decoded.ask.endpoints).toEqual(endpoints.map(toAsked));
});

test("without places in Moscow an ask is what vantages of 0.1.0 read", () => {
  const ask: Ask = { ...WITHOUT_PLACES, endpoints: [{ url: "https://a.ru/", trust: "public" }] };
  const bytes = encodeAsk(ask);
  expect(JSON.parse(gunzipSync(bytes).toString())).not.toHaveProperty("experimenters");
  expect(decodeAsk(bytes)).toEqual({ kind: "ok", ask });
});

test.each<[string, object]>([
  ["another format", { ...VALID, format: "status-snapshot/state" }],
  ["a newer version", { ...VALID, version: 2 }],
  ["an id that was not random", { ...VALID, id: "1" }],
  ["a file URL", { ...VALID, endpoints: [{ url: "file:///etc/passwd", trust: "public" }] }],
  ["credentials", { ...VALID, endpoints: [{ url: "https://u:p@a.ru/", trust: "public" }] }],
  [
    "a key that no probe knows",
    { ...VALID, endpoints: [{ ...VALID.endpoints[0], limits: { totalMs: 1e9 } }] },
  ],
  [
    "thousands of endpoints",
    { ...VALID, endpoints: Array.from({ length: 2_049 }, () => VALID.endpoints[0]) },
  ],
])("%s is no ask", (_, wire) => {
  expect(decodeAsk(gzipSync(JSON.stringify(wire))).kind).toBe("invalid");
  expect(decodeAsk(gzipSync(JSON.stringify(VALID))).kind).toBe("ok");
});

const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);
const askWith = (changes: object) => ({
  ...VALID,
  endpoints: [{ ...VALID.endpoints[0], ...changes }],
});

test.each<[string, object, object]>([
  ["eight walls", askWith({ notBody: times(8, "a") }), askWith({ notBody: times(9, "a") })],
  ["statuses from 100", askWith({ expect: [100] }), askWith({ expect: [99] })],
  ["statuses to 999", askWith({ expect: [999] }), askWith({ expect: [1_000] })],
  ["2,048 endpoints", { ...VALID, endpoints: times(2_048, VALID.endpoints[0]) }, askWith({ x: 1 })],
  [
    "2,048 failing ones",
    { ...VALID, failing: times(2_048, ["https://a.ru/", null]) },
    { ...VALID, failing: times(2_049, ["https://a.ru/", null]) },
  ],
  [
    "browsers for 2,048",
    { ...VALID, browsers: times(2_048, "a") },
    { ...VALID, browsers: times(2_049, "a") },
  ],
  ["the time 0", { ...VALID, atMs: 0 }, { ...VALID, atMs: -1 }],
])("an ask may have %s, and no more", (_, most, more) => {
  expect(decodeAsk(gzipSync(JSON.stringify(most)))).toMatchObject({ kind: "ok" });
  expect(decodeAsk(gzipSync(JSON.stringify(more)))).toMatchObject({ kind: "invalid" });
});

test("neither a bomb nor noise is an ask, and none throws", () => {
  expect(decodeAsk(gzipSync(Buffer.alloc(50_000_000))).kind).toBe("invalid");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => gzipSync(json)),
      ),
      (bytes) => {
        expect(decodeAsk(bytes).kind).toBe("invalid");
      },
    ),
  );
});

test("the digest depends on the URLs and on their order", () => {
  const digest = digestUrls(["https://a.ru/", "https://b.ru/"]);
  expect(digestUrls(["https://b.ru/", "https://a.ru/"])).not.toBe(digest);
  expect(digestUrls(["https://a.ru/", "https://b.ru/"])).toBe(digest);
  expect(digest).toHaveLength(22);
});
