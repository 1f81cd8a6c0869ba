import { expect, onTestFinished, test } from "vitest";
import { createFront } from "../../src/serve/front.ts";
import { listen } from "../../src/serve/listen.ts";
import { buildSite } from "../../src/site/documents.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { decodeReferences, tagsOf } from "../../src/verify/html.ts";
import { createClient } from "../../src/verify/client.ts";
import { judgeSite } from "../../src/verify/site.ts";
import { SITE_ROWS as POINTS } from "../../src/verify/site-points.ts";
import { SPECIMEN, NOW_MS } from "../site/specimen.ts";
import { check, idsOf } from "./check.ts";
import { become, when } from "./corrupt.ts";
import { deploy } from "./good-deployment.ts";
import { testRows } from "./rows.ts";
import { SITE_ROWS } from "./site-rows.ts";

testRows(SITE_ROWS, false);

test("without a website one point fails and the others are skipped, for one reason", async () => {
  const deployment = await deploy(when(({ target }) => !target.startsWith("/api/"), become(404)));
  onTestFinished(() => deployment.close());
  const report = await check(deployment.url, { isApiOnly: false });
  expect(idsOf(report, "fail")).toEqual(["site.published"]);
  const ofSite = report.points.filter(({ id }) => id.startsWith("site."));
  expect(ofSite.slice(1).map(({ result, seen }) => [result, seen])).toEqual(
    Object.keys(POINTS)
      .slice(1)
      .map(() => ["skip", "no website is published"]),
  );
  expect(ofSite[0]?.mend).toContain("STATUS_SNAPSHOT_BASE_URL");
});

test("who has no website on purpose is asked for none", async () => {
  const asked: string[] = [];
  const deployment = await deploy(({ target }) => void asked.push(target));
  onTestFinished(() => deployment.close());
  const report = await check(deployment.url, { isApiOnly: true });
  expect(idsOf(report, "fail")).toEqual([]);
  expect(idsOf(report, "skip")).toEqual(["rate-limit", ...Object.keys(POINTS)]);
  expect(asked).not.toContain("/sitemap.xml");
});

/** The website that we build, at the address of a server and below a path of it. */
test.each(["", "/below"])("the website of the publisher passes every point at %j", async (root) => {
  const store = createMemoryStore();
  const front = createFront(store);
  const server = await listen(
    (request, bindings) => {
      // As a server before the front takes its own path off.
      const { incoming } = bindings;
      if (!incoming.url?.startsWith(`${root}/`)) return new Response(null, { status: 404 });
      incoming.url = incoming.url.slice(root.length);
      return front.fetch(request, bindings);
    },
    { port: 0 },
  );
  onTestFinished(() => server.close());
  const address = { origin: server.url, root };
  const files = ["site.css", "site.js", "favicon.svg", "icon-192.png"].map((key) => ({
    key,
    contentType: "",
    body: Buffer.from(key),
  }));
  const assets = { css: "c0ffee00", script: "deadbeef" };
  const site = buildSite({ ...SPECIMEN, address }, files, assets, NOW_MS).flat();
  for (const { key, ...object } of site) await store.write(key, object);
  const client = createClient(new URL(`${server.url}${root}`), {
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  onTestFinished(() => client.close());
  const slugs = SPECIMEN.services.map(({ slug }) => slug);
  const base = `${server.url}${root}`;
  const findings = await judgeSite(client, { base, slugs, unknown: "nothing-here" });
  expect(findings.filter(({ result }) => result !== "pass")).toEqual([]);
  expect(findings.map(({ id }) => id).toSorted()).toEqual(Object.keys(POINTS).toSorted());
  const moved = await judgeSite(client, { base: "https://a.example", slugs, unknown: "nothing" });
  expect(moved.filter(({ result }) => result === "fail").map(({ id }) => id)).toEqual(
    expect.arrayContaining(["site.canonical", "site.sitemap", "site.openapi", "site.snippets"]),
  );
});

test("tags are read as browsers read them", () => {
  const read = (html: string) => tagsOf(html, "link").map((tag) => Object.fromEntries(tag));
  expect(read('<link rel="a b" href=/x?y=1>')).toEqual([{ rel: "a b", href: "/x?y=1" }]);
  expect(read("<LINK\n REL = 'a'\tHREF='>'/>")).toEqual([{ rel: "a", href: ">" }]);
  expect(read("<link defer><linker rel=a><!-- <link> -->")).toEqual([{ defer: "" }]);
  expect(read('<link href="?a=1&amp;b=&#50;" href="/second">')).toEqual([{ href: "?a=1&b=2" }]);
  expect(decodeReferences("&quot;&#x2F;&#99999999;&nbsp;&#x110000;")).toBe(
    '"/&#99999999;&nbsp;&#x110000;',
  );
});
