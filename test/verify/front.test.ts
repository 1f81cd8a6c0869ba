import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { checkWith, idsOf, seenOf } from "./check.ts";
import { become, isList, isMissing, setHeader, when } from "./rows/corrupt.ts";
import { acceptsGzip, at, FRONT_ROWS } from "./rows/front-rows.ts";
import { testRows } from "./rows.ts";

testRows(FRONT_ROWS, isFull);

test("correct compression passes, with a warning if Vary is missing", async () => {
  const compress = when(
    (a) => isList(a) && acceptsGzip(a),
    (a) => {
      setHeader("Content-Encoding", "gzip")(a);
      Object.assign(a, { body: gzipSync(a.body).toString("latin1"), encoding: "latin1" });
    },
  );
  const report = await checkWith(compress);
  expect(report.checks.find(({ id }) => id === "list.encoding")).toMatchObject({
    result: "pass",
    seen: "gzip",
    warnings: ["compressed without Vary: Accept-Encoding: a cache may send the wrong variant"],
  });
});

test("without a 404 its body cannot be checked", async () => {
  const report = await checkWith(when(isMissing, become(403)));
  expect(seenOf(report, "missing.body")).toBe("no response was HTTP 404");
});

test("a 400 for a path above the root passes", async () => {
  const report = await checkWith(at("/../.state/state.json.gz", become(400)));
  expect(idsOf(report, "fail")).toEqual([]);
});

test("stale-while-revalidate is a warning", async () => {
  const report = await checkWith(
    when(isList, setHeader("Cache-Control", "public, max-age=60, stale-while-revalidate=60")),
  );
  expect(idsOf(report, "fail")).toEqual([]);
  expect(report.checks.find(({ id }) => id === "list.ttl")?.warnings).toEqual([
    "stale-while-revalidate lets caches serve older data",
  ]);
});
