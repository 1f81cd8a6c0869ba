import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Answered, ask } from "./ask.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Front, FrontName } from "./fronts.ts";
import { BADGE_ID } from "./public-bucket.ts";
import { verifyFront } from "./verify-front.ts";

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];
const LIST = "/api/v1/status";
const BADGE = `/api/m/${BADGE_ID}/badge.svg`;
const PNG = `/api/m/${BADGE_ID}/badge.png`;
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const ORIGIN = { Origin: "https://site.example" };

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterAll(() => harness.close());

describe.each(FRONTS)("%s", (name) => {
  let front: Front;
  /** Makes each request come from another address, so that limits per address are not reached. */
  let clients = 0;

  beforeAll(async () => {
    front = await harness.start(name);
  });

  afterAll(() => front.stop());

  function get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return send("GET", target, headers);
  }

  function send(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    clients += 1;
    return ask(front.url, target, { method, headers, from: `127.0.1.${1 + (clients % 200)}` });
  }

  test("browsers can read answers whether or not the first request had an Origin", async () => {
    // The first test, because nothing may be in the cache yet.
    for (const target of [LIST, BADGE, "/api/v1/status/nobody"]) {
      const answers = [await get(target), await get(target, ORIGIN), await get(target)];
      expect(answers.map(findHeaderProblems)).toEqual([[], [], []]);
      expect(answers.map((answer) => answer.header("vary") ?? "")).not.toContain(
        expect.stringMatching(/origin/iu),
      );
    }
  });

  test("every check of `verify` passes", async () => {
    const report = await verifyFront(front.url);
    expect(report.failed).toBe(0);
    const skipped = report.checks.filter(({ result }) => result === "skip").map(({ id }) => id);
    // A front without limits gives no refusal to check.
    expect(skipped).toEqual(name.startsWith("nginx") ? [] : ["rate-limit"]);
    expect(report.checks.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  test("documents have the published bytes, their type and a minute of caching", async () => {
    // The list, a detail, and all badges.
    for (const { key, body, contentType } of harness.documents.slice(-8)) {
      const answer = await get(`/${key}`);
      expect([key, answer.status, answer.bytes]).toEqual([key, 200, Buffer.from(body)]);
      expect(answer.header("content-type")).toBe(contentType);
      expect([key, answer.header("content-security-policy")]).toEqual([
        key,
        key.endsWith(".svg") ? SVG_POLICY : undefined,
      ]);
      expect(answer.header("cache-control")).toBe("max-age=60");
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test.each([
    ["an unknown slug", "/api/v1/status/nobody"],
    ["an unknown badge", "/api/m/nobody/badge.svg"],
    ["the root", "/"],
    ["the root of the API", "/api/"],
    ["a list of the bucket", "/?list-type=2"],
    ["a list of the bucket through a document", "/api/v1/status/?list-type=2"],
    ["the state", "/state/current"],
    ["the state beside the documents", "/state.json.gz"],
    ["the store's folder for unfinished files", "/.tmp/half-written"],
    ["a trailing slash", "/api/v1/status/"],
    ["a trailing slash of a badge", `${BADGE}/`],
    ["upper case", "/API/v1/status"],
    ["upper case in a slug", "/api/v1/status/Sberbank"],
    ["doubled slashes", "//api//v1/status"],
    ["encoded dots", "/api/v1/%2e%2e/v1/status"],
    ["an encoded slash", "/api/v1%2Fstatus"],
    ["dots", "/api/v1/../v1/status"],
    ["dots that lead to the state", "/api/v1/status/../../../state/current"],
    ["a name of the store", "/api/v1/status.json"],
    ["a slug too long for any store", `/api/v1/status/${"a".repeat(1_500)}`],
    ["a badge of another kind", `/api/m/${BADGE_ID}/badge.gif`],
    ["the default window by name", `/api/m/${BADGE_ID}/badge-30d.svg`],
    ["another window as PNG", `/api/m/${BADGE_ID}/badge-24h.png`],
    ["another window as JSON", `/api/m/${BADGE_ID}/badge-24h.json`],
    ["an unknown window", `/api/m/${BADGE_ID}/badge-1d.svg`],
    ["a badge without an extension", `/api/m/${BADGE_ID}/badge`],
    ["another object of the monitor", `/api/m/${BADGE_ID}/secret.svg`],
    ["the same id in upper case", `/api/m/${BADGE_ID.toUpperCase()}/badge.svg`],
    ["upper case in a window", `/api/m/${BADGE_ID}/badge-24H.svg`],
    ["an encoded letter of an id", `/api/m/%6d${BADGE_ID.slice(1)}/badge.svg`],
    ["an encoded dot of a badge", `/api/m/${BADGE_ID}/badge%2esvg`],
    ["an encoded slash behind an id", `/api/m/${BADGE_ID}%2fbadge.svg`],
    ["dots behind an id", `/api/m/${BADGE_ID}/../${BADGE_ID}/badge.svg`],
    ["an id with a dot", "/api/m/my.shop/badge.svg"],
    ["no id", "/api/m//badge.svg"],
    ["an id too long", `/api/m/${"a".repeat(65)}/badge.svg`],
    ["a path in the query", "/?/api/v1/status"],
  ])("%s is 404 with our own body", async (_, target) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(method, target, ORIGIN);
      expect(answer.status).toBe(404);
      expect(answer.body).toBe(method === "HEAD" ? "" : '{"error":"not found"}');
      expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.header("cache-control")).toBe("max-age=60");
      expect(answer.header("content-security-policy")).toBeUndefined();
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test.each(["/api/v1/status%00", "/%2e%2e/.state/state.json.gz", "/../.state/state.json.gz"])(
    "%s is refused, readable by browsers",
    async (target) => {
      const answer = await get(target);
      expect([400, 404]).toContain(answer.status);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
      expect(findHeaderProblems(answer)).toEqual([]);
    },
  );

  test("other methods are 405, with any body, and OPTIONS is 204", async () => {
    // The last one is not a method of HTTP.
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"]) {
      // Varnish does not read a body to its end, and Hitch may then close the connection, from some 64 KB on.
      const size = name === "varnish" ? 30_000 : 100_000;
      const body = method === "TRACE" ? "" : "x".repeat(size);
      const answer = await ask(front.url, LIST, { method, body, headers: ORIGIN });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.header("allow")).toBe("GET, HEAD, OPTIONS");
      expect(answer.body).toBe('{"error":"method not allowed"}');
      expect(findHeaderProblems(answer)).toEqual([]);
    }
    for (const target of [LIST, "/anything"]) {
      const answer = await send("OPTIONS", target, ORIGIN);
      expect(answer.status).toBe(204);
      expect(answer.body).toBe("");
      expect(answer.header("allow")).toBe("GET, HEAD, OPTIONS");
      expect(answer.header("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test("304 has the headers of 200, including the policy of a badge", async () => {
    for (const target of [LIST, BADGE, BADGE.replace(".svg", "-7d.svg"), PNG]) {
      const full = await get(target);
      const validator = { "If-None-Match": full.header("etag") ?? "" };
      for (const answer of [await get(target, validator), await send("HEAD", target, validator)]) {
        expect([answer.status, answer.body]).toEqual([304, ""]);
        expect(answer.header("etag")).toBe(full.header("etag"));
        expect(answer.header("cache-control")).toBe("max-age=60");
        expect(answer.header("content-security-policy")).toBe(
          target.endsWith(".svg") ? SVG_POLICY : undefined,
        );
        expect(findHeaderProblems(answer)).toEqual([]);
      }
    }
  });

  test("JSON is compressed on request, and can be revalidated", async () => {
    const plain = await get(LIST);
    const packed = await get(LIST, { "Accept-Encoding": "gzip" });
    expect(packed.header("content-encoding")).toBe("gzip");
    expect(packed.header("vary")).toMatch(/accept-encoding/iu);
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.body);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
    const again = await get(LIST, {
      "Accept-Encoding": "gzip",
      "If-None-Match": packed.header("etag") ?? "",
    });
    expect(again.status).toBe(304);
  });

  test("badges are complete with any Accept-Encoding", async () => {
    for (const { key, body } of harness.documents.slice(-6)) {
      const answer = await get(`/${key}`, { "Accept-Encoding": "gzip" });
      const isPacked = answer.header("content-encoding") === "gzip";
      expect([key, isPacked && key.endsWith(".png")]).toEqual([key, false]);
      const bytes = isPacked ? gunzipSync(answer.bytes) : answer.bytes;
      expect([key, bytes]).toEqual([key, Buffer.from(body)]);
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test("a Range header is ignored: the answer is the whole document", async () => {
    const answer = await get(LIST, { Range: "bytes=0-9" });
    expect([answer.status, JSON.parse(answer.body).services.length]).toEqual([200, 85]);
  });

  test("the Age of a cached answer is at most 30 s", async () => {
    const ages = await Promise.all([get(LIST), get(BADGE)]);
    for (const answer of ages) expect(Number(answer.header("age") ?? 0)).toBeLessThanOrEqual(30);
  });

  if (name === "nginx-directory") return;

  test("the store receives only public keys, and no header about the reader", async () => {
    const before = harness.relay.seen.length;
    const slug = harness.documents[0]?.key ?? "";
    const headers = {
      ...ORIGIN,
      Cookie: "session=1",
      Authorization: "Bearer 1",
      "Access-Control-Request-Method": "GET",
      "X-Amz-Security-Token": "1",
      Accept: "text/html",
      "Accept-Language": "ru",
      Referer: "https://site.example/",
      "User-Agent": "browser",
    };
    const fresh = `/api/v1/status/never-asked-before`;
    for (const target of [
      `/${slug}?x=1`,
      `${fresh}?x=2`,
      "/state/current",
      "/",
      "/api/v1/status/../x",
    ]) {
      await get(target, headers);
    }
    const seen = harness.relay.seen.slice(before);
    expect(seen.map(({ target }) => target)).toContain(`/${harness.place}${fresh}`);
    const open =
      "metrics|(?:changes|operators|accuracy|api/v2|history|outages|archive|badge)(?:/[a-z0-9/-]+)?\\.(?:json|parquet|ndjson\\.gz|csv)";
    const allowed = new RegExp(
      `^/${harness.place}/(?:index\\.html|404\\.html|names\\.json|${open}|api/(?:v1/status(?:/[a-z0-9-]+)?|m/[\\w-]+/badge(?:-(?:24h|7d|90d)\\.svg|\\.(?:svg|png|json))))$`,
      "u",
    );
    expect(harness.relay.seen.filter(({ target }) => !allowed.test(target))).toEqual([]);
    const told = new Set(seen.flatMap(({ headers: sent }) => Object.keys(sent)));
    expect(seen.flatMap(({ headers: sent }) => sent["user-agent"] ?? [])).not.toContain("browser");
    for (const kept of told) {
      expect(kept).not.toMatch(
        /^(?:origin|cookie|authorization|range|referer|accept|accept-language|access-control-.*)$/u,
      );
    }
  });

  test("a query is not a part of the cache key", async () => {
    const target = "/api/v1/status/with-query";
    const before = harness.relay.seen.length;
    for (const query of ["", "?a", "?b=/../", "?c=%00"]) await get(`${target}${query}`);
    const asked = harness.relay.seen
      .slice(before)
      .filter((one) => one.target.includes("with-query"));
    // Caddy has no cache.
    expect(asked).toHaveLength(name === "caddy" ? 4 : 1);
  });
});
