import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Answered, ask } from "./ask.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Front, FrontName } from "./fronts.ts";
import { SECRET } from "./public-bucket.ts";
import { verifyFront } from "./verify-front.ts";
import {
  LOST_PROGRAMS,
  LOST_READERS,
  MISSING_PAGE,
  NO_PAGES,
  PACKED_TYPES,
  SITE,
} from "../preview/site-objects.ts";
import { expectPolicies } from "../preview/site-policies.ts";

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];
const ORIGIN = { Origin: "https://site.example" };

/** Conditions of a browser that has loaded the page about missing paths directly from the store. */
const UNCHANGED = {
  "If-None-Match": `"${createHash("md5").update(MISSING_PAGE.body).digest("hex")}"`,
  "If-Modified-Since": new Date(Date.now() + 60_000).toUTCString(),
};

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
  const hidden = NO_PAGES.map((key) => ({
    key,
    contentType: "text/html; charset=utf-8",
    cacheControl: "max-age=60",
    body: Buffer.from(SECRET),
  }));
  await harness.publish([...SITE, MISSING_PAGE, ...hidden]);
});

afterAll(() => harness.close());

describe.each(FRONTS)("the website through %s", (name) => {
  let front: Front;
  let clients = 0;

  beforeAll(async () => {
    front = await harness.start(name);
  });

  afterAll(() => front.stop());

  function send(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    clients += 1;
    return ask(front.url, target, { method, headers, from: `127.0.1.${1 + (clients % 200)}` });
  }

  test.each(SITE)("$path has the published bytes, type, caching and policy", async (object) => {
    const { path, body, contentType, cacheControl, shows } = object;
    for (const target of [path, `${path}?v=0123abcd`]) {
      const answer = await send("GET", target, ORIGIN);
      expect([answer.status, answer.bytes]).toEqual([200, Buffer.from(body)]);
      expect(answer.header("content-type")).toBe(contentType);
      expect(answer.header("cache-control")).toBe(cacheControl);
      expectPolicies(answer.header, shows);
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test.each(SITE)("$path has the same headers for HEAD and 304", async (object) => {
    const { path, body, contentType, cacheControl, shows } = object;
    const head = await send("HEAD", path);
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.header("content-type")).toBe(contentType);
    expectPolicies(head.header, shows);
    const validator = { "If-None-Match": head.header("etag") ?? "" };
    const unchanged = await send("GET", path, validator);
    expect([unchanged.status, unchanged.body]).toEqual([304, ""]);
    expect(unchanged.header("etag")).toBe(head.header("etag"));
    expect(unchanged.header("cache-control")).toBe(cacheControl);
    expectPolicies(unchanged.header, shows);
    expect(findHeaderProblems(unchanged)).toEqual([]);
    const changed = await send("GET", path, { "If-None-Match": '"another"' });
    expect([changed.status, changed.bytes.length]).toEqual([200, body.length]);
  });

  test.each(SITE)("$path is compressed if it is text, and complete", async (object) => {
    const { path, body, contentType } = object;
    const packed = await send("GET", path, { "Accept-Encoding": "gzip" });
    const isText = !PACKED_TYPES.has(contentType);
    expect(packed.header("content-encoding")).toBe(isText ? "gzip" : undefined);
    expect(isText ? gunzipSync(packed.bytes) : packed.bytes).toEqual(Buffer.from(body));
    if (isText) {
      expect(packed.header("vary")).toMatch(/accept-encoding/iu);
      expect(packed.bytes.length).toBeLessThan(body.length / 3);
    }
    expect(packed.header("content-type")).toBe(contentType);
    expect(findHeaderProblems(packed)).toEqual([]);
  });

  test("the English index without its slash is redirected", async () => {
    for (const target of ["/en", "/en?x=1", "/en?.x"]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await send(method, target, { ...ORIGIN, "If-None-Match": "*" });
        expect([answer.status, answer.body]).toEqual([301, ""]);
        expect(answer.header("location")).toBe("/en/");
        expect(answer.header("cache-control")).toBe("max-age=60");
        expectPolicies(answer.header, "data");
        expect(findHeaderProblems(answer)).toEqual([]);
      }
    }
  });

  test.each(LOST_READERS)("%s is 404 with the page about missing paths", async (target) => {
    for (const method of ["GET", "HEAD", "GET"]) {
      const answer = await send(method, target, { ...ORIGIN, ...UNCHANGED });
      expect([answer.status, answer.bytes]).toEqual([
        404,
        method === "HEAD" ? Buffer.alloc(0) : Buffer.from(MISSING_PAGE.body),
      ]);
      expect(answer.header("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.header("cache-control")).toBe("max-age=60");
      expect(answer.header("location")).toBeUndefined();
      expectPolicies(answer.header, "page");
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test.each(LOST_PROGRAMS)("%s is 404 in JSON", async (target) => {
    for (const method of ["GET", "HEAD", "GET"]) {
      const answer = await send(method, target, { ...ORIGIN, Accept: "text/html" });
      expect([answer.status, answer.body]).toEqual([
        404,
        method === "HEAD" ? "" : '{"error":"not found"}',
      ]);
      expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.header("cache-control")).toBe("max-age=60");
      expectPolicies(answer.header, "data");
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test("the page about missing paths is compressed as well", async () => {
    for (const target of ["/nothing", "/status/nobody"]) {
      const packed = await send("GET", target, { "Accept-Encoding": "gzip" });
      expect([packed.status, packed.header("content-encoding")]).toEqual([404, "gzip"]);
      expect(gunzipSync(packed.bytes)).toEqual(Buffer.from(MISSING_PAGE.body));
    }
  });

  test("other methods are 405 in JSON on every path, OPTIONS is 204", async () => {
    for (const target of ["/", "/en", "/status/sberbank", "/404.html", "/nothing", "/site.css"]) {
      const posted = await send("POST", target, ORIGIN);
      expect([target, posted.status, posted.body]).toEqual([
        target,
        405,
        '{"error":"method not allowed"}',
      ]);
      expect(posted.header("allow")).toBe("GET, HEAD, OPTIONS");
      expectPolicies(posted.header, "data");
      expect(findHeaderProblems(posted)).toEqual([]);
      const asked = await send("OPTIONS", target, ORIGIN);
      expect([target, asked.status, asked.body]).toEqual([target, 204, ""]);
      expectPolicies(asked.header, "data");
      expect(findHeaderProblems(asked)).toEqual([]);
    }
  });

  test("a request cannot set the internal headers of a front", async () => {
    const headers = { "X-Status-Nothing": "1", "X-Status-Expired": "1" };
    const page = await send("GET", "/about", headers);
    expect([page.status, page.header("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    for (const target of ["/secret.html", "/status-missing-page", "/.state/state.json.gz"]) {
      const answer = await send("GET", target, headers);
      expect([target, answer.status]).toEqual([target, 404]);
      expect(findHeaderProblems(answer)).toEqual([]);
    }
  });

  test("every check of `verify` passes with the website", async () => {
    const { checks } = await verifyFront(front.url);
    const failed = checks.flatMap(({ id, result }) => (result === "fail" ? [id] : []));
    // Of open data, only the headers are right here.
    expect(failed.filter((id) => !id.startsWith("data."))).toEqual([]);
  });

  if (name === "nginx-directory") return;

  test("the store received only public names", () => {
    const names = new Set(harness.relay.seen.map(({ target }) => target));
    const slug = "[a-z0-9][a-z0-9-]*";
    const allowed = new RegExp(
      `^/${harness.place}/(?:(?:en/)?(?:monitor/)?index\\.html|404\\.html|(?:en/)?(?:status/${slug}(?:/outages/\\d{12})?|m/[\\w-]+|api|about|accuracy|data|outages|day/\\d{4}-\\d\\d-\\d\\d|monitor/new)|(?:(?:en/)?feed|feed/${slug}|feed/m/[\\w-]+)\\.atom|card(?:/${slug}\\.[a-z_]+(?:\\.\\d{12})?|/m/[\\w-]+)?\\.png|badge(?:/${slug})?\\.(?:svg|json)|(?:checked|favicon)\\.svg|metrics|(?:changes|operators)/v1\\.json|history/v1/(?:m/[\\w-]+|${slug})\\.json|outages/v1/(?:index|\\d{4}-\\d{2}(?:-\\d{2})?|${slug}/\\d{12})\\.json|api/v2/[a-z/-]+\\.json|icon-(?:192|512|maskable)\\.png|site\\.(?:css|js)|embed\\.js|owners\\.js|follow\\.js|push\\.js|openapi\\.json|names\\.json|accuracy/v1\\.json|evidence/v1/(?:raw/)?${slug}\\.json|archive/v1/(?:index\\.json|datapackage\\.json|[\\d-]+/(?:checks\\.(?:parquet|ndjson\\.gz)|(?:changes|reports)\\.csv))|sitemap\\.xml|(?:operator|robots)\\.txt|manifest\\.webmanifest|api/(?:v1/status(?:/${slug})?|m/[\\w-]+/badge(?:-(?:24h|7d|90d)\\.svg|\\.(?:svg|png|json))))$`,
      "u",
    );
    expect([...names].filter((target) => !allowed.test(target))).toEqual([]);
  });
});
