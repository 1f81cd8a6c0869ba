import { connect } from "node:http2";
import { createServer } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ask } from "./ask.ts";
import { getFrontCertificate } from "./front-certificate.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit, Front, FrontName } from "./fronts.ts";
import { BADGE_ID } from "./public-bucket.ts";

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];
const LIST = "/api/v1/status";
const BADGE = `/api/m/${BADGE_ID}/badge.svg`;
const PNG = `/api/m/${BADGE_ID}/badge.png`;
const STRICT = "max-age=31536000";

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterAll(() => harness.close());

/** The headers of one answer over HTTP/2, with the protocol; rejects if the server does not support it. */
async function askOverHttp2(url: URL, path: string): Promise<ReadonlyMap<string, string>> {
  const session = connect(url, { ca: (await getFrontCertificate()).certificatePem });
  try {
    await once(session, "connect");
    const stream = session.request({ ":path": path });
    const [headers] = (await once(stream, "response")) as [Readonly<Record<string, unknown>>];
    stream.resume();
    await once(stream, "end");
    return new Map([
      ["alpn", session.alpnProtocol ?? ""],
      ...Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ]);
  } finally {
    session.close();
  }
}

describe.each(FRONTS)("%s over TLS", (name) => {
  let front: Front;

  beforeAll(async () => {
    front = await harness.start(name);
  });

  afterAll(() => front.stop());

  test("has the header for TLS only (HSTS) in every answer", async () => {
    for (const [method, target, status] of [
      ["GET", LIST, 200],
      ["GET", "/api/v1/status/nobody", 404],
      ["GET", "/nothing", 404],
      ["GET", "/en", 301],
      ["POST", LIST, 405],
      ["OPTIONS", LIST, 204],
    ] as const) {
      const answer = await ask(front.url, target, { method });
      expect([target, answer.status]).toEqual([target, status]);
      expect([target, answer.header("strict-transport-security")]).toEqual([target, STRICT]);
    }
  });

  test("redirects requests without TLS to its own name, readable by browsers", async () => {
    for (const to of ["127.0.0.1", "::1"]) {
      for (const target of [LIST, "/status/sberbank?x=1", "/", "//elsewhere.example/%2e"]) {
        const headers = { Host: front.plainUrl.host, Origin: "https://site.example" };
        const answer = await ask(front.plainUrl, target, { to, headers });
        expect([target, answer.status]).toEqual([target, 301]);
        expect(answer.header("location")).toBe(`https://localhost${target}`);
        expect(answer.header("cache-control")).toBe("max-age=60");
        // Without TLS, browsers ignore it. Source: RFC 6797, section 8.1.
        expect(answer.header("strict-transport-security")).toBeUndefined();
        expect(findHeaderProblems(answer)).toEqual([]);
      }
    }
  });

  // The site of the Caddyfile has only one host.
  test.runIf(name !== "caddy")("does not redirect to an invented host name", async () => {
    const answer = await ask(front.plainUrl, LIST, { headers: { Host: "elsewhere.example" } });
    expect(answer.header("location")).toBe(`https://localhost${LIST}`);
  });

  test("answers over IPv6", async () => {
    for (const target of [LIST, BADGE]) {
      const [six, four] = await Promise.all([
        ask(front.url, target, { to: "::1" }),
        ask(front.url, target),
      ]);
      expect([six.status, six.bytes.equals(four.bytes)]).toEqual([200, true]);
      expect(findHeaderProblems(six)).toEqual([]);
    }
  });

  test("speaks HTTP/2", async () => {
    for (const [path, status] of [
      [LIST, "200"],
      [BADGE, "200"],
      ["/api/nothing", "404"],
    ] as const) {
      const headers = await askOverHttp2(front.url, path);
      expect([headers.get("alpn"), headers.get(":status")]).toEqual(["h2", status]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("strict-transport-security")).toBe(STRICT);
    }
  });

  test("names Accept-Encoding in Vary, with and without compression", async () => {
    for (const encoding of ["gzip", "identity"]) {
      const answer = await ask(front.url, LIST, { headers: { "Accept-Encoding": encoding } });
      expect([encoding, answer.header("content-encoding")]).toEqual([
        encoding,
        encoding === "gzip" ? "gzip" : undefined,
      ]);
      expect([encoding, answer.header("vary")?.toLowerCase()]).toEqual([
        encoding,
        "accept-encoding",
      ]);
    }
  });

  test("shares no strong tag between two encodings, and recognises each tag", async () => {
    for (const target of [LIST, BADGE, PNG]) {
      const tags = new Map<string, string>();
      for (const encoding of ["gzip", "identity"]) {
        const headers = { "Accept-Encoding": encoding };
        const answer = await ask(front.url, target, { headers });
        const tag = answer.header("etag") ?? "";
        tags.set(answer.header("content-encoding") ?? "none", tag);
        const again = await ask(front.url, target, {
          headers: { ...headers, "If-None-Match": tag },
        });
        expect([target, encoding, again.status]).toEqual([target, encoding, 304]);
      }
      const strong = [...tags.values()].filter((tag) => !tag.startsWith("W/"));
      expect([target, new Set(strong).size]).toEqual([target, strong.length]);
    }
  });
});

test("varnish passes ACME challenges to certbot", async () => {
  const certbot = createServer((request, response) => response.end(`for ${request.url ?? ""}`));
  await once(certbot.listen(0, "127.0.0.1"), "listening");
  const address = certbot.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const front = await harness.start("varnish", {
    edits: [['.port = "8402"', `.port = "${port}"`]],
  });
  const target = "/.well-known/acme-challenge/token";
  const answer = await ask(front.plainUrl, target);
  expect([answer.status, answer.body]).toEqual([200, `for ${target}`]);
  await front.stop();
  certbot.close();
});

test.each(["nginx", "nginx-directory"] as const)(
  "%s counts the addresses of one IPv6 network together, and only these",
  async (name) => {
    // Uses the lines for a proxy before it, because one machine does not have that many addresses.
    const edits: readonly Edit[] = [
      ["# set_real_ip_from 203.0.113.0/24;", "set_real_ip_from 127.0.0.0/8;"],
      ["# real_ip_header X-Forwarded-For;", "real_ip_header X-Forwarded-For;"],
      ["burst=200", "burst=2"],
      ["rate=10r/s", "rate=1r/m"],
    ];
    const front = await harness.start(name, { edits });
    const from = async (address: string): Promise<number> => {
      const headers = { "X-Forwarded-For": address };
      return (await ask(front.url, LIST, { headers })).status;
    };
    const statuses: number[] = [];
    for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:9:8:7:6", "2001:db8:1:2:ffff::"]) {
      statuses.push(await from(address));
    }
    expect(statuses).toEqual([200, 200, 200]);
    expect(await from("2001:db8:1:2::5")).toBe(429);
    for (const other of [
      "2001:db8:1:3::1",
      "2001:db8::1",
      "192.0.2.1",
      "192.0.2.2",
      "::ffff:192.0.2.3",
    ]) {
      expect([other, await from(other)]).toEqual([other, 200]);
    }
    await front.stop();
  },
);
