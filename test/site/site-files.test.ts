import { describe, expect, test } from "vitest";
import { toDocument } from "../../src/model/service/snapshot.ts";
import { buildSite, designOf } from "../../src/site/site-files.ts";
import type { ServiceView } from "../../src/site/view.ts";
import { ADDRESS, ASSETS, NOW_MS, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";

const VIEW = { ...SITE_FIXTURE, services: [serviceOf("ok", { slug: "vtb" })], changes: [] };
const STYLE = toDocument("site.css", "a{}");

const HTML = "text/html; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";

describe("the website as objects", () => {
  const steps = buildSite(VIEW, [STYLE], ASSETS, NOW_MS);
  const stepOf = (key: string): number =>
    steps.findIndex((step) => step.some((object) => object.key === key));

  test("each has its content type and cache time", () => {
    const minute = (type: string) => [type, "max-age=60"];
    const objects = steps
      .flat()
      .map(({ key, contentType, cacheControl }) => [key, [contentType, cacheControl]]);
    expect(objects).toHaveLength(24);
    expect(Object.fromEntries(objects)).toEqual({
      "site.css": ["text/css; charset=utf-8", "max-age=3600"],
      "openapi.json": minute("application/json; charset=utf-8"),
      "names.json": minute("application/json; charset=utf-8"),
      "manifest.webmanifest": minute("application/manifest+json"),
      "robots.txt": minute("text/plain; charset=utf-8"),
      "operator.txt": minute("text/plain; charset=utf-8"),
      "404.html": minute(HTML),
      "checked.svg": minute("image/svg+xml; charset=utf-8"),
      "index.html": minute(HTML),
      "en/index.html": minute(HTML),
      "status/vtb": minute(HTML),
      "en/status/vtb": minute(HTML),
      "feed/vtb.atom": minute(ATOM),
      "feed.atom": minute(ATOM),
      "en/feed.atom": minute(ATOM),
      api: minute(HTML),
      "en/api": minute(HTML),
      about: minute(HTML),
      "en/about": minute(HTML),
      accuracy: minute(HTML),
      "en/accuracy": minute(HTML),
      data: minute(HTML),
      "en/data": minute(HTML),
      "sitemap.xml": minute("application/xml; charset=utf-8"),
    });
  });

  test("assets are published before pages, and pages before the list and sitemap", () => {
    expect([stepOf("site.css"), stepOf("status/vtb"), stepOf("en/about")]).toEqual([0, 1, 1]);
    expect([stepOf("index.html"), stepOf("sitemap.xml")]).toEqual([2, 2]);
  });

  test("a run without changes only changes the time of the last run", () => {
    const later = buildSite(VIEW, [STYLE], ASSETS, NOW_MS + 300_000).flat();
    const before = steps.flat().map(({ body }) => Buffer.from(body));
    const changed = later.filter(({ body }, at) => before[at]?.equals(body) !== true);
    expect(changed.map(({ key }) => key)).toEqual(["checked.svg"]);
  });

  test.each([
    [NOW_MS, "21 ноября, 12:05 МСК, верно до 12:20"],
    [Date.UTC(2026, 11, 31, 21, 30), "1 января, 00:30 МСК, верно до 00:45"],
  ])("the time of the last run is in Moscow time, %i", (atMs, text) => {
    const [first] = buildSite(VIEW, [STYLE], ASSETS, atMs);
    const checked = first?.find(({ key }) => key === "checked.svg");
    const svg = Buffer.from(checked?.body ?? "").toString();
    // Each language is a view of one file, and pages show their own.
    expect(svg).toContain(`<view id="ru" viewBox="0 0 320 20"/><text y="15">${text}</text>`);
    expect(svg).toContain('<view id="en" viewBox="0 20 320 20"/><text y="35">');
  });
});

test("the design of pages changes with the style, the script, the root and the program", () => {
  const others = [
    designOf(ADDRESS, ASSETS, "one"),
    designOf(ADDRESS, { ...ASSETS, css: "other" }, "one"),
    designOf(ADDRESS, { ...ASSETS, script: "other" }, "one"),
    designOf({ ...ADDRESS, root: "/s" }, ASSETS, "one"),
    designOf(ADDRESS, ASSETS, "other"),
    designOf(ADDRESS, ASSETS),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(designOf({ ...ADDRESS }, { ...ASSETS }, "one")).toBe(others[0]);
});

test("before anything was checked no page has a time of the last check", () => {
  const never = serviceOf("none", {
    slug: "vtb",
    verdict: { code: "none", color: "none", live: false, sinceMs: null },
  });
  const textsOf = (services: readonly ServiceView[]): ReadonlyMap<string, string> =>
    new Map(
      buildSite({ ...VIEW, services }, [], ASSETS, NOW_MS)
        .flat()
        .map(({ key, body }) => [key, new TextDecoder().decode(body)]),
    );
  const [before, after] = [textsOf([never]), textsOf(VIEW.services)];
  expect(before.get("checked.svg")).toContain("ещё не проверяли");
  expect(after.get("checked.svg")).not.toContain("ещё не проверяли");
  for (const key of ["index.html", "en/index.html", "status/vtb"]) {
    expect(before.get(key)).toContain("data-unchecked");
    expect(after.get(key)).not.toContain("data-unchecked");
  }
});
