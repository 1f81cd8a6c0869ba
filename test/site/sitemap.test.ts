import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { describe, expect, test } from "vitest";
import { buildManifest, buildRobots } from "../../src/site/site-files.ts";
import { buildSitemap } from "../../src/site/sitemap.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { readXml } from "./read-xml.ts";
import { NOW_MS, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";
import type { SiteView } from "../../src/site/view.ts";

const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "/s" };
const VIEW = {
  ...SITE_FIXTURE,
  address: ADDRESS,
  services: [serviceOf("ok", { slug: "vtb" }), serviceOf("fail", { slug: "t-bank" })],
};

function locationsOf(root: XmlElement): readonly (string | undefined)[] {
  return root.children.map(({ children }) => children.find(({ name }) => name === "loc")?.text);
}

describe("the sitemap", () => {
  test("has every page in both languages, once", () => {
    const root = readXml(buildSitemap(VIEW));
    expect(root.name).toBe("urlset");
    expect(root.attributes.get("xmlns")).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
    expect(locationsOf(root)).toEqual([
      "https://status.example.ru/s/",
      "https://status.example.ru/s/en/",
      "https://status.example.ru/s/status/vtb",
      "https://status.example.ru/s/en/status/vtb",
      "https://status.example.ru/s/status/t-bank",
      "https://status.example.ru/s/en/status/t-bank",
      "https://status.example.ru/s/api",
      "https://status.example.ru/s/en/api",
      "https://status.example.ru/s/about",
      "https://status.example.ru/s/en/about",
      "https://status.example.ru/s/accuracy",
      "https://status.example.ru/s/en/accuracy",
      "https://status.example.ru/s/data",
      "https://status.example.ru/s/en/data",
      "https://status.example.ru/s/outages",
      "https://status.example.ru/s/en/outages",
      "https://status.example.ru/s/status/fail/outages/202611210730",
      "https://status.example.ru/s/en/status/fail/outages/202611210730",
    ]);
  });

  test("each page lists all its languages, including its own", () => {
    for (const { children } of readXml(buildSitemap(VIEW)).children) {
      const [location, ...others] = children;
      const links = others.filter(({ name }) => name !== "lastmod");
      const versions = links.map(({ name, attributes }) => {
        expect(name).toBe("xhtml:link");
        expect(attributes.get("rel")).toBe("alternate");
        return [attributes.get("hreflang"), attributes.get("href")] as const;
      });
      expect(versions.map(([language]) => language)).toEqual(["ru", "en", "x-default"]);
      const [ru, en, other] = versions.map(([, href]) => href);
      expect([ru, en]).toContain(location?.text);
      expect(en).toBe(ru?.replace("/s/", "/s/en/"));
      expect(other).toBe(ru);
    }
  });

  test("has the time of the last change of a verdict on each page, and of nothing else", () => {
    const changed = (slug: string, atMs: number): SiteView["changes"][number] => {
      return { slug, name: slug, atMs, code: "fail", before: "ok" };
    };
    const changes = [changed("vtb", NOW_MS), changed("vtb", 0), changed("t-bank", 60_000)];
    const dates = readXml(buildSitemap({ ...VIEW, changes })).children.map(({ children }) => [
      children[0]?.text.replace("https://status.example.ru/s", ""),
      children.find(({ name }) => name === "lastmod")?.text,
    ]);
    const [now, minute] = ["2026-11-21T09:05:00Z", "1970-01-01T00:01:00Z"];
    expect(dates).toEqual([
      ["/", now],
      ["/en/", now],
      ["/status/vtb", now],
      ["/en/status/vtb", now],
      ["/status/t-bank", minute],
      ["/en/status/t-bank", minute],
      ...["/api", "/about", "/accuracy", "/data", "/outages", ...VIEW.outagePaths]
        .flatMap((path) => [path, `/en${path}`])
        .map((path) => [path, undefined]),
    ]);
  });
});

test("robots.txt allows everything except reports, and names the sitemap", () => {
  expect(buildRobots(ADDRESS)).toBe(
    "User-agent: *\nDisallow: /s/report/\n\nSitemap: https://status.example.ru/s/sitemap.xml\n",
  );
});

test("the manifest has pages and icons below the root of the site", () => {
  const manifest = JSON.parse(buildManifest(ADDRESS));
  expect([manifest.start_url, manifest.scope, manifest.id]).toEqual(["/s/", "/s/", "/s/"]);
  expect(manifest.icons.map(({ src }: { readonly src: string }) => src)).toEqual([
    "/s/favicon.svg",
    "/s/icon-192.png",
    "/s/icon-512.png",
    "/s/icon-maskable.png",
  ]);
  expect(manifest.name.length).toBeLessThanOrEqual(30);
  expect(manifest.short_name.length).toBeLessThanOrEqual(12);
});
