import { describe, expect, test } from "vitest";
import type { Document } from "../../src/model/service/snapshot.ts";
import type { ServiceView, SiteView } from "../../src/site/view.ts";
import type { Assets } from "../../src/site/pages/parts/head.tsx";
import { buildServicePages, buildSite } from "../../src/site/site-files.ts";
import { ASSETS, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";

const FIRST = serviceOf("fail");
const VIEW: SiteView = { ...SITE_FIXTURE, services: [FIRST, serviceOf("ok")] };

function pagesOf(
  view: SiteView,
  assets: Assets = ASSETS,
  build: string | undefined = "build",
): ReadonlyMap<string, Document> {
  return new Map(buildServicePages(view, assets, build).map((page) => [page.key, page]));
}

const signaturesOf = (...args: Parameters<typeof pagesOf>) =>
  new Map([...pagesOf(...args)].map(([key, { signature }]) => [key, signature]));

const BEFORE = signaturesOf(VIEW);

test("pages that are made late have the same bytes, and each its own signature", () => {
  const eager = new Map(buildServicePages(VIEW, ASSETS, undefined).map((one) => [one.key, one]));
  const late = pagesOf(VIEW);
  expect([...late.keys()]).toEqual([...eager.keys()]);
  for (const [key, { body, signature }] of late) {
    expect(Buffer.compare(body, eager.get(key)?.body ?? new Uint8Array()), key).toBe(0);
    expect(eager.get(key)?.signature).toBeUndefined();
    expect(signature).toMatch(/^[0-9a-f]{64}$/u);
  }
  expect(new Set(BEFORE.values()).size).toBe(4);
});

test("a page is made when it is read first, and once", () => {
  const [page] = pagesOf(VIEW).values();
  expect(page?.body).toBe(page?.body);
  const broken = { ...FIRST, endpoints: undefined } as unknown as ServiceView; // cannot be rendered
  const [late] = pagesOf({ ...VIEW, services: [broken] }).values();
  expect(() => late?.body).toThrow(TypeError);
});

test.each<readonly [string, ReturnType<typeof signaturesOf>]>([
  ["build", signaturesOf(VIEW, ASSETS, "other")],
  ["style sheet", signaturesOf(VIEW, { ...ASSETS, css: "other" })],
  ...Object.entries({
    address: { ...VIEW.address, reportUrl: null },
    connectivityIssue: "lossy",
    whiteLists: ["МТС"],
    slowNetworks: [{ network: "Selectel", services: [] }],
    failingOperators: [{ operator: "mts", services: 3 }],
    services: VIEW.services.map((one) => ({ ...one, verdict: { ...one.verdict, sinceMs: null } })),
  }).map(([key, value]) => [key, signaturesOf({ ...VIEW, [key]: value })] as const),
])("another %s gives every page another signature", (_what, after) => {
  expect(after.size).toBe(4);
  for (const [key, signature] of after) expect(signature).not.toBe(BEFORE.get(key));
});

test("what other pages show changes no page of a service", () => {
  expect(signaturesOf({ ...VIEW, changes: [], categories: [], outagePaths: [] })).toEqual(BEFORE);
});

test("whatever changes of a service gives its pages alone other signatures", () => {
  const keys = Object.keys(FIRST) as (keyof ServiceView)[]; // those of the fixture
  for (const key of keys.filter((one) => one !== "slug")) {
    // The value has another type: what matters here is that it differs.
    const changed = { ...FIRST, [key]: { verdict: 1, sinceMs: 0 } } as unknown as ServiceView;
    const after = signaturesOf({ ...VIEW, services: [changed, ...VIEW.services.slice(1)] });
    expect(after.get("status/fail"), key).not.toBe(BEFORE.get("status/fail"));
    expect(after.get("status/ok"), key).toBe(BEFORE.get("status/ok"));
  }
});

describe("pages that no verdict changes", () => {
  const NAMES = ["api", "about", "data", "openapi.json"];
  const SELF_SERVICE: SiteView = { ...VIEW, address: { ...VIEW.address, isSelfService: true } };
  const build = (view: SiteView, assets: Assets, program?: string): readonly Document[] =>
    buildSite(view, [], assets, 0, program).flat();
  const signed = (view: SiteView, assets: Assets = ASSETS, program = "build") =>
    build(view, assets, program).flatMap(({ key, signature }) =>
      signature === undefined || key.includes("status/") ? [] : [[key, signature] as const],
    );
  const before = signed(SELF_SERVICE);

  test("have the bytes of those that are made at once", () => {
    const eager = build(SELF_SERVICE, ASSETS);
    const late = build(SELF_SERVICE, ASSETS, "build");
    expect(late.map(({ key }) => key)).toEqual(eager.map(({ key }) => key));
    for (const [place, { key, body }] of late.entries())
      expect(Buffer.compare(body, eager[place]?.body ?? new Uint8Array()), key).toBe(0);
    expect(before.map(([key]) => key.replace("en/", ""))).toEqual(
      expect.arrayContaining([...NAMES, "monitor/new", "monitor/index.html"]),
    );
    expect(new Set(before.map(([, signature]) => signature)).size).toBe(before.length);
  });

  test.each<readonly [string, typeof before, RegExp]>([
    ["build", signed(SELF_SERVICE, ASSETS, "other"), /./u],
    ["script", signed(SELF_SERVICE, { ...ASSETS, script: "other" }), /./u],
    [
      "address",
      signed({ ...SELF_SERVICE, address: { ...SELF_SERVICE.address, root: "/x" } }),
      /./u,
    ],
    ["archive", signed({ ...SELF_SERVICE, archive: { days: [], months: [] } }), /data$/u],
    ["verdict", signed({ ...SELF_SERVICE, services: [] }), /^$/u],
  ])("another %s gives others to those that follow from it", (_what, after, expected) => {
    const changed = after.filter(([, signature], place) => signature !== before[place]?.[1]);
    expect(changed).toEqual(after.filter(([key]) => expected.test(key)));
  });
});
