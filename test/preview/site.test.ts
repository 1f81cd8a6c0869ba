import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreError } from "../../src/model/store.ts";
import { createFront } from "../../src/preview/front.ts";
import { type Listening } from "../../src/http-server/listen.ts";
import { listenPreview } from "./listen-preview.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { send } from "../http-server/raw-http.ts";
import { LOST_PROGRAMS, LOST_READERS, MISSING_PAGE, NO_PAGES, SITE } from "./site-objects.ts";
import { expectPolicies } from "./site-policies.ts";

const COMMON = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Age, Date, ETag, Retry-After",
  "x-content-type-options": "nosniff",
};
const JSON_404 = '{"error":"not found"}';

let front: Listening;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  const store = createDirectoryStore(folder);
  for (const object of [...SITE, MISSING_PAGE]) await store.write(object.key, object);
  for (const key of NO_PAGES) await store.write(key, { ...MISSING_PAGE, body: Buffer.of(0) });
  front = await listenPreview(createFront(store).fetch, { port: 0 });
});

afterAll(async () => {
  await front.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The headers of a response, by name. */
const of =
  (headers: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    headers[name];

test.each(SITE)(
  "$path is served with its type, caching and policy, also by a 304",
  async (object) => {
    const { path, body, contentType, cacheControl, shows } = object;
    for (const target of [path, `${path}?v=0123abcd`, `https://status.example${path}`]) {
      const answer = await send(front.url, "GET", target);
      expect(answer).toMatchObject({ status: 200, body: Buffer.from(body).toString() });
      expect(answer.headers).toMatchObject({
        ...COMMON,
        "content-type": contentType,
        "cache-control": cacheControl,
      });
      expectPolicies(of(answer.headers), shows);
      const again = await send(front.url, "GET", target, {
        "If-None-Match": answer.headers["etag"] ?? "",
      });
      expect(again).toMatchObject({ status: 304, body: "" });
      expect(again.headers).toMatchObject({ ...COMMON, "cache-control": cacheControl });
      expectPolicies(of(again.headers), shows);
    }
  },
);

test.each(["/en", "/en?x=1", "http://status.example/en"])("%s is moved", async (target) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await send(front.url, method, target);
    expect(answer).toMatchObject({ status: 301, body: "" });
    expect(answer.headers).toMatchObject({
      ...COMMON,
      location: "/en/",
      "cache-control": "max-age=60",
    });
    expectPolicies(of(answer.headers), "data");
  }
});

test.each(LOST_READERS)("%s is a 404 with the page for readers", async (target) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await send(front.url, method, target, { "If-None-Match": "*" });
    const body = method === "HEAD" ? "" : Buffer.from(MISSING_PAGE.body).toString();
    expect(answer).toMatchObject({ status: 404, body });
    expect(answer.headers).toMatchObject({
      ...COMMON,
      "content-type": MISSING_PAGE.contentType,
      "cache-control": "max-age=60",
    });
    expectPolicies(of(answer.headers), "page");
  }
});

test.each(LOST_PROGRAMS)("%s is a 404 in JSON with any Accept", async (target) => {
  const answer = await send(front.url, "GET", target, { Accept: "text/html" });
  expect(answer).toMatchObject({ status: 404, body: JSON_404 });
  expect(answer.headers).toMatchObject({
    ...COMMON,
    "content-type": "application/json; charset=utf-8",
    "cache-control": "max-age=60",
  });
  expectPolicies(of(answer.headers), "data");
});

describe("without a 404 page", () => {
  test("missing paths get JSON", async () => {
    const app = createFront(createMemoryStore());
    for (const path of ["/", "/nothing", "/status/nobody", "/en/"]) {
      const answer = await app.request(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, JSON_404]);
      expect(answer.headers.get("referrer-policy")).toBeNull();
    }
  });

  test("a failing store is reported, and a missing path stays a 404", async () => {
    const reported: StoreError[] = [];
    const app = createFront(
      {
        read: (key) =>
          key === "404.html" || key === "about"
            ? Promise.reject(new StoreError("read", key, "down"))
            : Promise.resolve(undefined),
      },
      { onStoreError: (error) => reported.push(error) },
    );
    const statuses = ["/nothing", "/status/nobody", "/about"].map(
      async (path) => (await app.request(path)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 503]);
    expect(reported.map(({ key }) => key).toSorted()).toEqual(["404.html", "404.html", "about"]);
  });

  test("a program error is a 500", async () => {
    const app = createFront({ read: () => Promise.reject(new TypeError("secret detail")) });
    expect((await app.request("/nothing")).status).toBe(500);
  });
});
