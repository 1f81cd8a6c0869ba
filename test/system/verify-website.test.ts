import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Document } from "../../src/model/snapshot.ts";
import { buildSite } from "../../src/site/documents.ts";
import { ADDRESS, ASSETS, NOW_MS, serviceOf, SPECIMEN } from "../site/specimen.ts";
import { readShippedCatalogue } from "../world/shipped-catalogue.ts";
import { type FrontLab, openFrontLab } from "./front-lab.ts";
import type { FrontName } from "./fronts.ts";
import { verifyWebsite } from "./verify-front.ts";

/* The points of verify that are about the website, on every shipped front, with the pages that we publish. */

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];

let lab: FrontLab;
let slugs: readonly string[];

beforeAll(async () => {
  lab = await openFrontLab(inject("ceph"));
  slugs = (await readShippedCatalogue()).services.map(({ slug }) => slug);
});

afterAll(() => lab.close());

/** The website at an address, without the pages and feeds that verify does not ask for. */
function buildWebsite(origin: string): readonly Document[] {
  const services = slugs.map((slug) => serviceOf("ok", { slug }));
  const view = { ...SPECIMEN, address: { ...ADDRESS, origin }, services, changes: [] };
  const files = [
    ["site.css", "text/css; charset=utf-8"],
    ["site.js", "text/javascript; charset=utf-8"],
    ["favicon.svg", "image/svg+xml; charset=utf-8"],
    ["icon-192.png", "image/png"],
  ].map(([key = "", contentType = ""]) => ({ key, contentType, body: Buffer.from(key) }));
  const [sample = ""] = slugs;
  return buildSite(view, files, ASSETS, NOW_MS)
    .flat()
    .filter(({ key }) => !/(?:status|feed)\//u.test(key) || key.includes(sample));
}

test.each(FRONTS)("the website through %s passes every point at its own address", async (name) => {
  const front = await lab.start(name);
  // A front that has not been asked for them yet has nothing of those of another address in its cache.
  await lab.publish(buildWebsite(front.url.origin));
  const found = await verifyWebsite(front.url);
  expect(found.filter(({ result }) => result !== "pass")).toEqual([]);
  expect(found.length).toBeGreaterThan(10);
  await front.stop();
});

test("a website that was published for another address fails, and no point that names none", async () => {
  const front = await lab.start("nginx");
  await lab.publish(buildWebsite("http://127.0.0.1:8080"));
  const found = await verifyWebsite(front.url);
  expect(found.flatMap(({ id, result }) => (result === "fail" ? [id] : []))).toEqual([
    "site.canonical",
    "site.languages",
    "site.snippets",
    "site.feeds",
    "site.sitemap",
    "site.robots",
    "site.openapi",
  ]);
  await front.stop();
});
