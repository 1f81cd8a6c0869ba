import { expect, test } from "vitest";
import {
  isLoopback,
  isTrusted,
  type OriginClass,
  originOf,
  type OriginRules,
} from "../../src/http-server/cors-origin.ts";

const SITE: OriginRules = {
  ownOrigin: "https://status.example",
  allowedOrigins: ["https://partner.example"],
};
const LOCAL: OriginRules = { isLoopbackOwn: true, allowedOrigins: [] };
const NONE: OriginRules = { allowedOrigins: [] };

type Row = readonly [
  rules: OriginRules,
  origin: string | undefined,
  fetchSite: string | undefined,
  host: string | undefined,
  expected: OriginClass,
];

const ROWS: readonly Row[] = [
  [SITE, undefined, undefined, "status.example", "none"],
  [SITE, undefined, "none", "status.example", "none"],
  [SITE, undefined, "same-origin", "status.example", "own"],
  [SITE, undefined, "same-origin", "STATUS.example:8443", "own"],
  [SITE, undefined, "same-origin", "evil.example", "foreign"],
  [SITE, undefined, "same-origin", undefined, "foreign"],
  [SITE, undefined, "same-origin", "status.example/x", "foreign"],
  [SITE, undefined, "cross-site", "status.example", "foreign"],
  [SITE, "null", "same-origin", "status.example", "own"],
  [SITE, "null", "none", "status.example", "foreign"],
  [SITE, "null", undefined, "status.example", "foreign"],
  [SITE, "https://status.example", undefined, "elsewhere", "own"],
  [SITE, "http://status.example", undefined, "status.example", "foreign"],
  [SITE, "https://status.example:8443", undefined, "status.example", "foreign"],
  [SITE, "https://partner.example", "cross-site", "status.example", "cors"],
  [SITE, "https://partner.example.evil", "cross-site", "status.example", "foreign"],
  [LOCAL, "http://localhost:8081", undefined, "localhost:8081", "own"],
  [LOCAL, "https://localhost:8081", undefined, "LOCALHOST:8081", "own"],
  [LOCAL, "http://localhost:8082", undefined, "localhost:8081", "foreign"],
  [LOCAL, "ftp://localhost:8081", undefined, "localhost:8081", "foreign"],
  [LOCAL, "http://[::1]:8081", undefined, "[::1]:8081", "own"],
  [LOCAL, "http://10.0.0.7", undefined, "10.0.0.7", "foreign"],
  [LOCAL, "null", "same-origin", "127.0.0.1", "own"],
  [LOCAL, "null", "same-origin", "127.0.0.1:65535", "own"],
  [LOCAL, "null", "same-origin", "127.0.0.1:655350", "foreign"],
  [LOCAL, "null", "same-origin", "127.0.0.1:", "foreign"],
  [LOCAL, "null", "same-origin", "a@localhost", "foreign"],
  [LOCAL, "http://partner.example", undefined, undefined, "foreign"],
  [LOCAL, "http://undefined", undefined, undefined, "foreign"],
  [{ ...LOCAL, isLoopbackOwn: false }, "null", "same-origin", "127.0.0.1", "foreign"],
  [NONE, "http://localhost", undefined, "localhost", "foreign"],
  [NONE, "null", "same-origin", "localhost", "foreign"],
];

test.each(ROWS)(
  "under %j the origin %s is classified",
  (rules, origin, fetchSite, host, expected) => {
    const headers = Object.entries({ Origin: origin, "Sec-Fetch-Site": fetchSite, Host: host });
    const given = headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    expect(originOf(new Headers(given as [string, string][]), rules)).toBe(expected);
  },
);

test("only pages of the website and allowed ones may read answers", () => {
  const classes: readonly OriginClass[] = ["own", "cors", "none", "foreign"];
  expect(classes.map(isTrusted)).toEqual([true, true, false, false]);
});

test.each([
  ["127.0.0.1", true],
  ["127.255.255.255", true],
  ["126.0.0.1", false],
  ["128.0.0.1", false],
  ["::1", true],
  ["::2", false],
  ["::", false],
  ["localhost", false],
])("%s is an address of this machine alone: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
