import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createGuard,
  createUrlGuard,
  specialPurposeOf,
} from "../../src/probe/network/address-guard.ts";

const guard = createUrlGuard({ ports: [], refusalOfAddress: specialPurposeOf });
const judge = (url: string): string | undefined => guard(new URL(url));

describe("a URL that may be requested", () => {
  test.for([
    "http://example.com/",
    "https://example.com/",
    "https://example.com:443/path?query#part",
    "http://example.com:80/",
    "http://example.com:443/",
    "https://example.com:80/",
    "https://пример.рф/",
    "https://ＥＸＡＭＰＬＥ.com/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://xn--e1afmkfd.xn--p1ai/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://my-local.ru/",
    "https://notlocal.ru/",
    "https://onion.ru/",
    "https://127.0.0.1.example.com/",
    "https://8.8.8.8.in-addr.example/",
    "https://my_shop.example.com/",
    "https://-shop-.example.com/",
    "https://12345.ru/",
  ])("%s", (url) => {
    expect(judge(url)).toBeUndefined();
  });
});

const LOCAL = /^\S+ is a name of a local network; give the full name of a public website$/u;
const SECRET = /^remove the user name and password from the URL; everyone could read them$/u;
const ADDRESS = /^\S+ is not an address of a public website \(.+\)$/u;

describe("a URL that may not be requested", () => {
  test.for<readonly [string, RegExp]>([
    ["ftp://example.com/", /^only http and https can be checked, not ftp$/u],
    ["file:///etc/passwd", /not file$/u],
    ["javascript:alert(1)", /not javascript$/u],
    ["data:text/plain,hello", /not data$/u],
    ["gopher://example.com/", /not gopher$/u],
    ["ws://example.com/", /not ws$/u],
    ["https://user@example.com/", SECRET],
    ["https://:secret@example.com/", SECRET],
    ["https://example.com@8.8.8.8/", SECRET],
    ["https://example.com:8443/", /^port 8443 is not allowed; use 80, 443$/u],
    ["http://example.com:22/", /port 22/u],
    ["http://example.com:0/", /port 0/u],
    ["http://localhost/", LOCAL],
    ["http://LOCALHOST/", LOCAL],
    ["http://ｌｏｃａｌｈｏｓｔ/", LOCAL],
    ["http://loc%61lhost/", LOCAL],
    ["http://app.localhost/", LOCAL],
    ["http://printer.local/", LOCAL],
    ["http://metadata.google.internal/", LOCAL],
    ["http://internal/", LOCAL],
    ["http://router.home.arpa/", LOCAL],
    ["http://home.arpa/", LOCAL],
    ["http://intranet/", LOCAL],
    ["http://пример/", LOCAL],
    ["http://abcdefghij234567.onion/", /^onion names cannot be looked up here$/u],
    ["http://localhost./", /dot at its end/u],
    ["https://example.com./", /dot at its end/u],
    ["https://example.com../", /dot at its end/u],
    ["https://example.com。/", /dot at its end/u],
    // Names that cannot exist; the whole rule has its own tests.
    ["https://a.b..c/", /two in a row; remove/u],
    ["https://.example.com/", /a dot at its beginning/u],
    ["https://$(id).example.com/", /contains "\$"/u],
    ["https://127.0.0.1;example.com/", /contains ";"/u],
    [`https://${"a".repeat(64)}.example.com/`, /at most 63/u],
    [`https://${"a.".repeat(125)}example/`, /257 characters long/u],
    ["https://example.c0m/", /^\.c0m is not a top-level domain; check the end of the host$/u],
    ["https://example.12a/", /^\.12a is not a top-level domain/u],
    ["https://example.x/", /^\.x is not a top-level domain;/u],
    ["https://example._tcp/", /^\._tcp is not a top-level domain/u],
    // One address in each notation. Source: WHATWG URL, IPv4 parser.
    ["http://127.0.0.1/", ADDRESS],
    ["http://127.1/", ADDRESS],
    ["http://127.0.1/", ADDRESS],
    ["http://2130706433/", ADDRESS],
    ["http://0x7f000001/", ADDRESS],
    ["http://0X7F.1/", ADDRESS],
    ["http://017700000001/", ADDRESS],
    ["http://0177.0.0.01/", ADDRESS],
    ["http://0/", ADDRESS],
    ["http://127.0.0.1./", ADDRESS],
    ["http://１２７.０.０.１/", ADDRESS],
    ["http://①②⑦.０.0.1/", ADDRESS],
    ["http://127。0。0。1/", ADDRESS],
    ["http://%31%32%37.0.0.1/", ADDRESS],
    ["http://169.254.169.254/latest/meta-data/", ADDRESS],
    ["http://0xa9fea9fe/", ADDRESS],
    ["http://168.63.129.16/", ADDRESS],
    ["http://100.100.100.200/", ADDRESS],
    ["http://10.0.0.1/", ADDRESS],
    ["http://[::1]/", ADDRESS],
    ["http://[::]/", ADDRESS],
    ["http://[0:0:0:0:0:0:0:1]/", ADDRESS],
    ["http://[::ffff:127.0.0.1]/", ADDRESS],
    ["http://[::ffff:7f00:1]/", ADDRESS],
    ["http://[::127.0.0.1]/", ADDRESS],
    ["http://[64:ff9b::7f00:1]/", ADDRESS],
    ["http://[64:ff9b:1::808:808]/", ADDRESS],
    ["http://[2002:7f00:1::]/", ADDRESS],
    ["http://[2002:808:808::1]/", /\(6to4\)$/u],
    ["http://[3ffe:b80::1]/", /\(Returned \(6bone\)\)$/u],
    ["http://[2001:0:7f00:1::]/", ADDRESS],
    ["http://[fd00:ec2::254]/", ADDRESS],
    ["http://[fe80::1]/", ADDRESS],
  ])("%s", ([url, words]) => {
    expect(judge(url)).toMatch(words);
  });
});

test("only allowed ports, addresses and local names pass", () => {
  const open = createUrlGuard({
    ports: [8443],
    refusalOfAddress: createGuard(["10.0.0.0/8"]),
    isIntranetOpen: true,
  });
  const verdicts = [
    "https://example.com:8443/",
    "https://10.1.2.3/",
    "http://wiki/",
    "http://wiki.internal/",
    "http://host1.dc2/",
    "http://a..b/",
    "https://example.com:8444/",
    "https://192.168.0.1/",
    "http://[::ffff:10.1.2.3]/",
    "http://wiki.internal./",
    "http://user@wiki/",
  ].map((url) => open(new URL(url)) === undefined);
  expect(verdicts).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

/** The same IPv4 address in every notation that a URL may contain. */
function writings(value: number): readonly string[] {
  const parts = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const dotted = parts.join(".");
  return [
    dotted,
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join("."),
    parts.map((part) => `0${part.toString(8)}`).join("."),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    dotted.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replaceAll(/\d/gu, (digit) => `%3${digit}`),
    dotted.replaceAll(".", "。"),
    `${dotted}.`,
  ];
}

test("every notation of an IPv4 address is checked as the address itself", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (value) => {
      const [plain = ""] = writings(value);
      for (const text of writings(value)) {
        const isRefused = judge(`http://${text}/`) !== undefined;
        expect(isRefused, text).toBe(specialPurposeOf(plain) !== undefined);
      }
    }),
  );
});

test("every allowed URL has a web scheme and port, no credentials, a public host", () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.webAuthority({ withIPv4Extended: true, withPort: true, withUserInfo: true }),
  );
  const scheme = fc.constantFrom("http", "https", "ftp", "ws", "file", "gopher");
  fc.assert(
    fc.property(scheme, host, (scheme, host) => {
      const text = `${scheme}://${host}/`;
      fc.pre(URL.canParse(text));
      const url = new URL(text);
      if (guard(url) !== undefined) return;
      expect(url.protocol).toMatch(/^https?:$/u);
      expect(["", "80", "443"]).toContain(url.port);
      expect(url.username + url.password).toBe("");
      const name = url.hostname.replace(/^\[|\]$/gu, "");
      if (isIP(name) === 0) expect(name).toMatch(/[^.]\.[^.]+$/u);
      else expect(specialPurposeOf(name)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});
