import { expect, onTestFinished, test } from "vitest";
import { toDocument } from "../../src/model/service/snapshot.ts";
import { createFront } from "../../src/preview/front.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { buildSite } from "../../src/site/site-files.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { createVerifyClient } from "../../src/verify/http/client.ts";
import { connectSockets } from "../../src/verify/http/sockets.ts";
import { checkSite } from "../../src/verify/site/check-site.ts";
import { SITE_FIXTURE, NOW_MS } from "../site/site-fixture.ts";
import { checkWith, idsOf, seenOf } from "./check.ts";
import { become, isOfSite, when } from "./rows/corrupt.ts";
import { testRows } from "./rows.ts";
import { SITE_ROWS } from "./rows/site-rows.ts";
import { attributesOf, readTags } from "../../src/verify/site/site-reading.ts";
import { CHECKS } from "../../src/verify/checks.ts";

testRows(SITE_ROWS, false);

const SITE_CHECKS = [...CHECKS.keys()].filter((id) => id.startsWith("site."));

test("without a website one check fails, and the others are skipped with a reason", async () => {
  const report = await checkWith(when(isOfSite, become(404)), { isApiOnly: false });
  expect(idsOf(report, "fail")).toEqual(["site.published"]);
  const ofSite = report.checks.filter(({ id }) => id.startsWith("site."));
  expect(ofSite.slice(1).map(({ result, seen }) => [result, seen])).toEqual(
    SITE_CHECKS.slice(1).map(() => ["skip", "no website is published"]),
  );
  expect(ofSite[0]?.fix).toContain("STATUS_SNAPSHOT_BASE_URL");
});

test("isApiOnly skips the checks of the website without requests", async () => {
  const asked: string[] = [];
  const report = await checkWith(({ target }) => void asked.push(target), { isApiOnly: true });
  expect(idsOf(report, "fail")).toEqual([]);
  expect(idsOf(report, "skip")).toEqual(["rate-limit", ...SITE_CHECKS]);
  expect(seenOf(report, "site.published")).toBe("--api-only was given");
  expect(asked).not.toContain("/sitemap.xml");
});

/** The website of the publisher, at the root of a server and below a path. */
test.each(["", "/below"])("the website of the publisher passes every check at %j", async (root) => {
  const store = createMemoryStore();
  const front = createFront(store);
  const server = await listenPreview(
    (request, bindings) => {
      // As a proxy before the front, which removes the path.
      const { incoming } = bindings;
      if (!incoming.url?.startsWith(`${root}/`)) return new Response(null, { status: 404 });
      incoming.url = incoming.url.slice(root.length);
      return front.fetch(request, bindings);
    },
    { port: 0 },
  );
  onTestFinished(() => server.close());
  const address = { ...SITE_FIXTURE.address, origin: server.url, root };
  const files = ["site.css", "site.js", "favicon.svg", "icon-192.png"].map((key) =>
    toDocument(key, key),
  );
  const assets = {
    css: "c0ffee00",
    script: "deadbeef",
    ownerScript: "0ddba115",
    followScript: "f0110e00",
  };
  const site = buildSite({ ...SITE_FIXTURE, address }, files, assets, NOW_MS).flat();
  for (const { key, ...object } of site) await store.write(key, object);
  const timeoutMs = 60_000;
  const transport = connectSockets(new URL(`${server.url}${root}`), timeoutMs);
  onTestFinished(() => transport.close());
  const { signal } = new AbortController();
  const client = createVerifyClient(transport, { timeoutMs, signal });
  const slugs = SITE_FIXTURE.services.map(({ slug }) => slug);
  const base = `${server.url}${root}`;
  const findings = await checkSite(client, base, slugs, "nothing-here");
  expect(findings.filter(({ result }) => result !== "pass")).toEqual([]);
  expect(findings.map(({ id }) => id).toSorted()).toEqual(SITE_CHECKS.toSorted());
  const moved = await checkSite(client, "https://a.example", slugs, "nothing");
  expect(moved.filter(({ result }) => result === "fail").map(({ id }) => id)).toEqual(
    expect.arrayContaining(["site.canonical", "site.sitemap", "site.openapi", "site.snippets"]),
  );
});

test("tags are parsed as browsers parse them", () => {
  const read = (html: string) =>
    attributesOf(readTags(html), "link").map((tag) => Object.fromEntries(tag));
  expect(read('<link rel="a b" href=/x?y=1>')).toEqual([{ rel: "a b", href: "/x?y=1" }]);
  expect(read("<LINK\n REL = 'a'\tHREF='>'/>")).toEqual([{ rel: "a", href: ">" }]);
  expect(read("<link defer><linker rel=a><!-- <link> -->")).toEqual([{ defer: "" }]);
  expect(read('<link href="?a=1&amp;b=&#50;" href="/second">')).toEqual([{ href: "?a=1&b=2" }]);
  expect(read("<script>'<link>'</script><link href='&quot;&#x2F;&nbsp;&#x110000;'>")).toEqual([
    { href: '"/\u00A0\uFFFD' },
  ]);
});
