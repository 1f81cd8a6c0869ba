import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Document, toDocument } from "../../src/model/service/snapshot.ts";
import { buildSite } from "../../src/site/site-files.ts";
import { ADDRESS, ASSETS, NOW_MS, serviceOf, SITE_FIXTURE } from "../site/site-fixture.ts";
import { readShippedCatalogue } from "../simulated-internet/shipped-catalogue.ts";
import { type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { FrontName } from "./fronts.ts";
import { verifyWebsite } from "./verify-front.ts";

/* The website checks of `verify`, on every shipped front, with our pages. */

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];

let harness: FrontHarness;
let slugs: readonly string[];

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
  slugs = (await readShippedCatalogue()).services.map(({ slug }) => slug);
});

afterAll(() => harness.close());

/** The website with an address, without the pages and feeds that `verify` does not request. */
function buildWebsite(origin: string): readonly Document[] {
  const services = slugs.map((slug) => serviceOf("ok", { slug }));
  const view = { ...SITE_FIXTURE, address: { ...ADDRESS, origin }, services, changes: [] };
  const files = ["site.css", "site.js", "favicon.svg", "icon-192.png"].map((key) =>
    toDocument(key, key),
  );
  const [sample = ""] = slugs;
  return buildSite(view, files, ASSETS, NOW_MS)
    .flat()
    .filter(({ key }) => !/(?:status|feed)\//u.test(key) || key.includes(sample));
}

test.each(FRONTS)("the website through %s passes every check at its own address", async (name) => {
  const front = await harness.start(name);
  // A new front, so that its cache has no pages with another address.
  await harness.publish(buildWebsite(front.url.origin));
  const found = await verifyWebsite(front.url);
  expect(found.filter(({ result }) => result !== "pass")).toEqual([]);
  expect(found.length).toBeGreaterThan(10);
  await front.stop();
});

test("a website that was published for another address fails the right checks", async () => {
  const front = await harness.start("nginx");
  await harness.publish(buildWebsite("http://127.0.0.1:8080"));
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
