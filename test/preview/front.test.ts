import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFront } from "../../src/preview/front.ts";
import { type Listening } from "../../src/http-server/listen.ts";
import { listenPreview } from "./listen-preview.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { NO_PATHS } from "./no-paths.ts";
import { exchange, type RawAnswer, send } from "../http-server/raw-http.ts";

const LIST = '{"updated":1,"services":[{"slug":"sberbank","name":"Сбербанк"}]}';
const DETAIL = '{"slug":"sberbank"}';
const BADGE = "<svg xmlns='http://www.w3.org/2000/svg'/>";
const MAX_ID_LENGTH = "_-".repeat(32);

function toBadge(text: string): string {
  return BADGE.replace("/>", `>${text}</svg>`);
}

let front: Listening;
let folder: string;

/** A directory store with documents, a misplaced state, and other objects that are not public. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  const store = createDirectoryStore(folder);
  const put = (key: string, body: string) =>
    store.write(key, { body: Buffer.from(body), contentType: "", cacheControl: "" });
  await put("api/v1/status", LIST);
  await put("api/v1/status/sberbank", DETAIL);
  await put("api/m/My_shop-1/badge.svg", BADGE);
  await put("api/m/My_shop-1/badge.png", "PNG");
  await put("api/m/My_shop-1/badge.json", "{}");
  for (const window of ["24h", "7d", "90d"]) {
    await put(`api/m/My_shop-1/badge-${window}.svg`, toBadge(window));
  }
  await put(`api/m/${MAX_ID_LENGTH}/badge.svg`, BADGE);
  // Objects that a publisher never writes must not be public either.
  await put("api/m/My_shop-1/badge-30d.svg", "secret");
  await put("api/m/other/badge-7D.svg", "secret");
  await put(`api/m/${MAX_ID_LENGTH}a/badge.svg`, "secret");
  await put("api/m/My_shop-1/badge-24h.png", "secret");
  await put("api/m/My_shop-1/badge-24h.json", "secret");
  await put("api/m/My_shop-1/secret.txt", "secret");
  await put("state", "secret");
  await put("secret", "secret");
  writeFileSync(join(folder, ".tmp/left"), "secret");
  writeFileSync(join(folder, "api/.hidden.json"), "secret");
  front = await listenPreview(createFront(store).fetch, { port: 0 });
});

afterAll(async () => {
  await front.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (target: string, headers?: Record<string, string>): Promise<RawAnswer> =>
  send(front.url, "GET", target, headers);

describe("documents", () => {
  test.each([
    ["/api/v1/status", LIST, "application/json; charset=utf-8"],
    ["/api/v1/status/sberbank", DETAIL, "application/json; charset=utf-8"],
    ["/api/m/My_shop-1/badge.svg", BADGE, "image/svg+xml; charset=utf-8"],
    ["/api/m/My_shop-1/badge.png", "PNG", "image/png"],
    ["/api/m/My_shop-1/badge.json", "{}", "application/json; charset=utf-8"],
    ["/api/m/My_shop-1/badge-24h.svg", toBadge("24h"), "image/svg+xml; charset=utf-8"],
    ["/api/m/My_shop-1/badge-7d.svg", toBadge("7d"), "image/svg+xml; charset=utf-8"],
    ["/api/m/My_shop-1/badge-90d.svg", toBadge("90d"), "image/svg+xml; charset=utf-8"],
    [`/api/m/${MAX_ID_LENGTH}/badge.svg`, BADGE, "image/svg+xml; charset=utf-8"],
  ])("%s is served with its type and every specified header", async (path, body, type) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers).toMatchObject({
      "content-type": type,
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "max-age=60",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Age, Date, ETag, Retry-After",
      "x-content-type-options": "nosniff",
    });
    expect(answer.headers["etag"]).toMatch(/^"[\w-]{43}"$/);
    expect("content-security-policy" in answer.headers).toBe(type.startsWith("image/svg"));
  });

  test.each(["", "-24h", "-7d", "-90d"])("badge%s.svg cannot run scripts", async (window) => {
    const { headers } = await get(`/api/m/My_shop-1/badge${window}.svg`);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  test.each(["/api/v1/status?x=1", "/api/v1/status?../..", "http://a.example/api/v1/status"])(
    "%s is the list: queries and the absolute form are accepted",
    async (target) => {
      expect(await get(target)).toMatchObject({ status: 200, body: LIST });
    },
  );

  test("a changed document is served with another ETag", async () => {
    const store = createMemoryStore();
    const app = createFront(store);
    const put = (body: string) =>
      store.write("api/v1/status", { body: Buffer.from(body), contentType: "", cacheControl: "" });
    await put("1");
    const first = await app.request("/api/v1/status");
    await put("2");
    const second = await app.request("/api/v1/status");
    expect(await second.text()).toBe("2");
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
  });
});

describe("HEAD", () => {
  test.each(["/api/v1/status", "/api/m/My_shop-1/badge.svg", "/api/v1/status/unknown", "/nothing"])(
    "of %s has the status and headers of GET, and no body",
    async (path) => {
      const { headers: ofGet, ...got } = await get(path);
      const head = await send(front.url, "HEAD", path);
      expect(head.status).toBe(got.status);
      expect(head.body).toBe("");
      expect({ ...head.headers, date: "" }).toEqual({ ...ofGet, date: "" });
    },
  );
});

describe("conditional requests", () => {
  test.each([
    ["the ETag", (etag: string) => etag],
    ["a weak form of the ETag", (etag: string) => `W/${etag}`],
    ["a list with the ETag", (etag: string) => `"other", W/"more,commas" ,${etag}`],
    ["an asterisk", () => "*"],
  ])("%s gives 304 with the headers and without a body", async (_, toCondition) => {
    const { headers } = await get("/api/v1/status");
    const etag = headers["etag"] ?? "";
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(front.url, method, "/api/v1/status", {
        "If-None-Match": toCondition(etag),
      });
      expect(answer).toMatchObject({ status: 304, body: "" });
      expect(answer.headers).toMatchObject({
        etag,
        "cache-control": "max-age=60",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "Age, Date, ETag, Retry-After",
        "x-content-type-options": "nosniff",
      });
      expect(answer.headers).not.toHaveProperty("content-type");
    }
  });

  test.each([
    ["another ETag", () => '"other"'],
    ["an ETag without its quotes", (etag: string) => etag.replaceAll('"', "")],
    ["a part of the ETag", (etag: string) => `${etag.slice(0, 20)}"`],
    ["nonsense", () => '"""W/,,*'],
  ])("%s gives the document", async (_, toCondition) => {
    const { headers } = await get("/api/v1/status");
    const condition = toCondition(headers["etag"] ?? "");
    const answer = await get("/api/v1/status", { "If-None-Match": condition });
    expect(answer).toMatchObject({ status: 200, body: LIST });
  });

  test("a missing object is 404 even with an asterisk as condition", async () => {
    expect(await get("/api/v1/status/unknown", { "If-None-Match": "*" })).toMatchObject({
      status: 404,
    });
  });
});

describe("everything else", () => {
  test.each(NO_PATHS)("%s is a small 404 with CORS, cached for a minute", async (path) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 404, body: '{"error":"not found"}' });
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "max-age=60",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Age, Date, ETag, Retry-After",
      "x-content-type-options": "nosniff",
    });
  });

  test.each([
    ["a backslash", "GET /api\\v1\\status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["a raw NUL", "GET /api/v1/sta\0tus HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["a raw high byte", "GET /api/v1/\xff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["a space", "GET /api/v1/ status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["no slash", "GET api/v1/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["an asterisk", "GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["another scheme", "GET file:///etc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ])("%s in the target is refused, and the server continues", async (_, request) => {
    const answer = await exchange(front.url, request);
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers).toMatchObject({ "access-control-allow-origin": "*" });
    expect(await get("/api/v1/status")).toMatchObject({ status: 200 });
  });
});

describe("methods", () => {
  test.each(["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])(
    "%s is 405 for every path",
    async (method) => {
      for (const path of ["/api/v1/status", "/api/v1/status/unknown", "/"]) {
        const answer = await send(front.url, method, path, { "Content-Length": "0" });
        expect(answer).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
        expect(answer.headers).toMatchObject({
          allow: "GET, HEAD, OPTIONS",
          "access-control-allow-origin": "*",
          "access-control-expose-headers": "Age, Date, ETag, Retry-After",
          "x-content-type-options": "nosniff",
        });
      }
    },
  );

  test("a body with a refused method does no harm", async () => {
    const body = "x".repeat(100_000);
    const request = `POST /api/v1/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await exchange(front.url, request)).toMatchObject({ status: 405 });
  });

  test("OPTIONS answers a preflight for any path", async () => {
    const answer = await send(front.url, "OPTIONS", "/api/v1/status", {
      Origin: "https://a.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "x-mine",
    });
    expect(answer).toMatchObject({ status: 204, body: "" });
    expect(answer.headers).toMatchObject({
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "*",
    });
  });
});

test("an Origin header changes nothing", async () => {
  for (const path of ["/api/v1/status", "/api/v1/status/unknown"]) {
    const without = await get(path);
    const withOrigin = await get(path, { Origin: "https://a.example" });
    expect({ ...withOrigin.headers, date: "" }).toEqual({ ...without.headers, date: "" });
  }
});
