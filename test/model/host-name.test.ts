import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultInHostName, zoneOf } from "../../src/model/host-name.ts";
import { createResolver } from "../../src/probe/network/dns.ts";
import { startDnsServer, type DnsServer } from "../simulated-internet/dns-server.ts";

const label = (length: number): string => "a".repeat(length);

/** Normalised as by `URL`. */
const faultIn = (host: string): string | undefined =>
  faultInHostName(new URL(`https://${host}/`).hostname);

const LONG_PART =
  /^a part of the host, a{20}…, is 64 characters long in DNS; use at most 63 between two dots$/u;

describe("an invalid host name is refused", () => {
  test.for<readonly [host: string, words: RegExp]>([
    ["a.b..c", /^the host has a dot at its beginning, or two in a row; remove the extra dot$/u],
    [".example.com", /^the host has a dot at its beginning/u],
    // `URL` removes a soft hyphen.
    ["\u00AD.example.com", /^the host has a dot at its beginning/u],
    [
      "$(id).example.com",
      /^the host contains "\$", which no host name has; use letters, digits, hyphens and dots$/u,
    ],
    ["127.0.0.1;example.com", /contains ";"/u],
    ["a,b.example.com", /contains ","/u],
    ["*.example.com", /contains "\*"/u],
    ["{id}.example.com", /contains "\{"/u],
    ["a'b.example.com", /contains "'"/u],
    ['a"b.example.com', /contains "\\""/u],
    ["a`b.example.com", /contains "`"/u],
    ["a&b=c.example.com", /contains "&"/u],
    ["a~b.example.com", /contains "~"/u],
    ["a+b.example.com", /contains "\+"/u],
    ["example.com.", /^write the host without the dot at its end$/u],
    ["example.com..", /^write the host without the dot at its end$/u],
    [`${label(64)}.example.com`, LONG_PART],
    [`${label(64)}.${label(65)}.example.com`, / is 64 characters long in DNS/u],
    [`www.${"я".repeat(60)}.ru`, /, xn--\S{16}…, is 66 characters long in DNS/u],
    [
      `${`${label(49)}.`.repeat(5)}${label(4)}`,
      /^the host is 254 characters long in DNS; use at most 253$/u,
    ],
  ])("%s", ([host, words]) => {
    expect(faultIn(host)).toMatch(words);
  });
});

test.for([
  "example.com",
  "a.ru",
  "localhost",
  "wiki",
  "_dmarc.example.com",
  "my_shop.example.com",
  "-shop-.example.com",
  "r3---sn-abc.example.com",
  "0x7f.example.com",
  "12345.example.com",
  "пример.рф",
  "☃.net",
  "ab--cd.example.com",
  `${label(63)}.example.com`,
  `${`${label(49)}.`.repeat(5)}com`,
  `www.${"я".repeat(57)}.ru`,
  "8.8.8.8",
  "[2606:4700::1111]",
])("%s is valid", (host) => {
  expect(faultIn(host)).toBeUndefined();
});

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  dns.set("*", { kind: "answer", addresses: ["192.0.2.1"] });
});
afterAll(() => dns.close());

/** Labels of all lengths, with dots, underscores and forbidden signs. No wildcards, because a resolver sends queries for them. */
const anyHost = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9_-]{1,8}$/u) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 70 }).map(label) },
      { weight: 1, arbitrary: fc.constantFrom("", "$(id)", "a;b", "я", "a b", "~") },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((labels) => `${labels.join(".")}.test`);

test("exactly the names that a resolver can query are accepted", async () => {
  const resolve = createResolver([`127.0.0.1:${dns.port}`], 2_000);
  const never = new AbortController().signal;
  await fc.assert(
    fc.asyncProperty(anyHost, async (written) => {
      fc.pre(URL.canParse(`https://${written}/`));
      const host = new URL(`https://${written}/`).hostname;
      const isAccepted = faultInHostName(host) === undefined;
      // For a longer name the resolver sends no query and would wait for the timeout.
      const isTooLong = host.length > 253;
      const answer = isTooLong ? undefined : await resolve(host, 4, 2_000, never);
      expect({ host, isAccepted }).toEqual({ host, isAccepted: answer?.kind === "records" });
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["https://www.example.ru/", "ru"],
  ["https://example.ru./", "ru"],
  ["https://localhost/", "localhost"],
  ["https://1.1.1.1/", undefined],
  ["https://[2606:4700::1111]/", undefined],
])("the zone of %s is %s", (url, zone) => {
  expect(zoneOf(url)).toBe(zone);
});
