import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { isInStore, locationsOverlap, parseLocation } from "../../src/store/location.ts";
import { makeScratchFolder } from "./scratch.ts";

describe("parseLocation", () => {
  test.each([
    ["file:public", "public"],
    ["file:./a/../b", "./a/../b"],
    ["file:/srv/status", "/srv/status"],
    ["file:/srv/100%25 status", "/srv/100%25 status"],
    ["file:///srv/my%20status", "/srv/my status"],
    ["file://localhost/srv/status", "/srv/status"],
  ])("%s is the directory %s", (url, path) => {
    expect(parseLocation(url)).toEqual({ kind: "directory", path });
  });

  test.each([
    ["", "Write file:DIR"],
    ["public", "Write file:DIR"],
    ["/srv/status", "Write file:DIR"],
    ["http://example.org/", "Write file:DIR"],
    ["S3://bucket", "Write file:DIR"],
    ["file:", "names no directory"],
    ["file:~/status", "is not expanded here"],
    ["file:public?keys=exact", "takes no options"],
    ["file:a\0b", "NUL"],
    ["file://server/share", "three slashes"],
    ["file:///a%00b", "NUL"],
    ["file:///a%2Fb", "three slashes"],
  ])("%j is not a store, and the problem says what to write", (url, words) => {
    expect(parseLocation(url)).toMatchObject({ kind: "unknown" });
    expect(parseLocation(url)).toHaveProperty("problem", expect.stringContaining(words));
    expect(parseLocation(url)).toMatchSnapshot();
  });
});

describe("locationsOverlap", () => {
  test.each([
    ["file:public", "file:.state", false],
    ["file:public", "file:public-state", false],
    ["file:a/..b", "file:a", true],
    ["file:public", "file:..public", false],
    ["file:public", "file:public", true],
    ["file:public", "file:./public/", true],
    ["file:public", "file:x/../public", true],
    ["file:public", "file:public/.state", true],
    ["file:public/site", "file:public", true],
    ["file:.", "file:.state", true],
    ["file:/srv", "file:/srv/a/b/c", true],
    ["file:/", "file:/srv", true],
    ["file:///srv/a%20b", "file:/srv/a b/state", true],
    ["s3://bucket/public", "file:public", false],
  ])("documents in %s, state in %s: %s", (publicUrl, stateUrl, expected) => {
    expect(locationsOverlap(publicUrl, stateUrl)).toBe(expected);
  });

  test("an overlap behind a symbolic link is found, even before the last folders exist", () => {
    const root = makeScratchFolder();
    mkdirSync(join(root, "public"));
    symlinkSync(join(root, "public"), join(root, "link"));
    const publicUrl = pathToFileURL(join(root, "public")).href;
    expect(locationsOverlap(publicUrl, `file:${join(root, "link")}`)).toBe(true);
    expect(locationsOverlap(publicUrl, `file:${join(root, "link/new/state")}`)).toBe(true);
    expect(locationsOverlap(publicUrl, `file:${join(root, "state")}`)).toBe(false);
  });
});

test.each([
  ["file:public", "public/monitors.yaml", true],
  ["file:public", "file:./public/deep/monitors.yaml", true],
  ["file:public", "public/2026-12-01T10:00.yaml", true],
  ["file:public", "public/monitors?.yaml", true],
  ["file:public", "monitors:public.yaml", false],
  ["file:public", "monitors.yaml", false],
  ["file:public", "publicity/monitors.yaml", false],
  ["s3://docs/site", "s3://docs/site/monitors.jsonl", true],
  ["s3://docs", "s3://docs/monitors.jsonl", true],
  ["s3://docs/site", "s3://docs/sites/monitors.jsonl", false],
  ["s3://docs/site", "s3://private/site/monitors.jsonl", false],
  ["s3://docs/site?endpoint=http://a.example", "s3://docs/site/m.jsonl", false],
  ["file:public", "s3://docs/monitors.jsonl", false],
  ["file:public", "public/", true],
  ["file:public", "public/shards/", true],
  ["s3://docs/site", "s3://docs/site/", true],
  ["s3://docs/site?endpoint=http://a/", "s3://docs/site/shards/?endpoint=http://a/", true],
  ["s3://docs/site", "s3://docs/sites/", false],
  ["s3://docs/site", "s3://docs/site", false],
])("a reader of %s can read %s: %s", (store, file, expected) => {
  expect(isInStore(store, file)).toBe(expected);
});
