import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import type { StoreError } from "../../src/model/store.ts";
import { createFront, previewFault } from "../../src/preview/front.ts";
import { listenPreview } from "./listen-preview.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { send } from "../http-server/raw-http.ts";

describe("faults", () => {
  test.each([
    ["malformed", 400, "bad request"],
    ["head-too-large", 431, "request header too large"],
    ["too-slow", 408, "request timeout"],
    ["internal", 500, "internal error"],
    ["unknown-method", 405, "method not allowed"],
  ] as const)("%s is a %i", async (fault, status, error) => {
    const answer = previewFault(fault);
    expect([answer.status, await answer.json()]).toEqual([status, { error }]);
  });

  test("a failing store is a 503 without paths, and is reported", async () => {
    const reported: StoreError[] = [];
    const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "api/v1/status.json"), { recursive: true });
    const app = createFront(createDirectoryStore(folder), {
      onStoreError: (error) => reported.push(error),
    });
    const broken = await listenPreview(app.fetch, { port: 0 });
    onTestFinished(() => broken.close());
    const answer = await send(broken.url, "GET", "/api/v1/status");
    expect(answer).toMatchObject({ status: 503, body: '{"error":"temporarily unavailable"}' });
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Age, Date, ETag, Retry-After",
      "x-content-type-options": "nosniff",
    });
    expect(reported).toHaveLength(1);
    expect(reported[0]?.message).toContain("a folder is in the place of the file");
  });

  test("a program error is a 500 without details", async () => {
    const app = createFront({
      read: () => Promise.reject(new TypeError("secret detail")),
    });
    const answer = await app.request("/api/v1/status");
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('{"error":"internal error"}');
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });
});

test("other routes can be mounted before the front", async () => {
  const store = createMemoryStore();
  await store.write("p/x.svg", { body: Buffer.from("<svg/>"), contentType: "", cacheControl: "" });
  const app = new Hono();
  app.post("/api/report", (context) => context.text("counted"));
  app.route("/", createFront(store, { routes: [{ pattern: /^p\/x\.svg$/ }] }));
  const mounted = await listenPreview(app.fetch, { port: 0 });
  onTestFinished(() => mounted.close());
  const report = await send(mounted.url, "POST", "/api/report", { "Content-Length": "0" });
  expect(report).toMatchObject({ status: 200, body: "counted" });
  expect(await send(mounted.url, "GET", "/p/x.svg")).toMatchObject({ status: 200, body: "<svg/>" });
  expect(await send(mounted.url, "GET", "/p/../p/x.svg")).toMatchObject({ status: 404 });
  expect(await send(mounted.url, "GET", "/api/v1/status")).toMatchObject({ status: 404 });
});
