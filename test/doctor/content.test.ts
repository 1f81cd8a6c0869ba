import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { checkContent, assessContent } from "../../src/doctor/content.ts";
import { NOTHING_PUBLISHED, type PublishedObject } from "../../src/model/publication.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { saveState } from "../../src/state/state-file.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const OURS = new Set(["api/v1/status", "api/v1/status/x", "site.css"]);
const NO_FACTS = { isShared: false, otherStore: undefined };

const judge = (names: readonly string[], facts = {}, isComplete = true) =>
  assessContent({ names, isComplete }, OURS, { ...NO_FACTS, ...facts });

test("a store with nothing but our objects is ok, and so is an empty one", () => {
  expect(judge([...OURS])).toEqual({
    name: "--store content",
    result: "ok",
    detail: "3 objects, none foreign.",
  });
  expect(judge([])).toMatchObject({ result: "ok", detail: "no objects yet." });
});

test("a foreign object is named, and of many a few", () => {
  const { result, detail } = judge([...OURS, "shop.html", "a.zip", "b.zip", "c.zip"]);
  expect(result).toBe("warn");
  expect(detail).toBe(
    "4 of 7 objects are not ours, and are served to everyone under the address of the site: a.zip, b.zip, c.zip and 1 more. Unless they are there on purpose, move them away; this program does not remove them.",
  );
});

test("up to three names are shown, and of each 80 characters", () => {
  const three = judge([...OURS, "a.zip", "b.zip", "c.zip"]).detail;
  expect(three).toContain("a.zip, b.zip, c.zip. Unless");
  expect(judge([...OURS, "x".repeat(80)]).detail).toContain(`${"x".repeat(80)}. Unless`);
  expect(judge([...OURS, "x".repeat(81)]).detail).toContain(`: ${"x".repeat(80)}…. Unless`);
});

test.each([
  "api/v1/status/other",
  "api/v1/status/other.json",
  "api/m/k3/badge.svg",
  "api/m/k3/badge-7d.svg",
  "status/other",
  "en/status/other.html",
  "m/k3.html",
  "card/other.fail.202611230258.png",
  "feed/other.atom",
  "feed/m/k3.atom",
  "badge/other.svg",
  "outages",
  "en/status/other/outages/202611230258.html",
  "outages/v1/other/202611230258.json",
  "archive/v1/2026-11-23/checks.parquet",
  "history/v1/m/k3.json",
  "accuracy/v1.json",
  "robots.txt",
  "en/index.html",
  "404.html",
])("%s, which the state does not know, may be of another installation", (name) => {
  const { result, detail } = judge([...OURS, name]);
  expect(result).toBe("warn");
  expect(detail).toBe(
    `1 objects look like ours, but this state does not know them: ${name}. If another installation publishes here, the two overwrite each other: give each a prefix or bucket of its own. Otherwise a lost state left them: the next run takes over those that it publishes. Delete the others after that run.`,
  );
});

test("a state of another store is reported", () => {
  const otherStore = "s3://old@https://store.example";
  expect(judge(["api/v1/status/other"], { otherStore }).detail).toContain(
    `this state is of another store, ${otherStore}`,
  );
});

test("every kind of doubt is told, in one order", () => {
  const { detail } = judge(["x.zip", "api/v1/status/other"], { isShared: true }, false);
  const parts = [
    "the list is not the one that this state published.",
    " 1 objects look like ours",
    " 1 of 2 objects are not ours",
    " Only the first 2 names were checked; there are more.",
  ];
  const places = parts.map((part) => detail.indexOf(part));
  expect(places[0]).toBe(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("a check of only the first names says so", () => {
  expect(judge([...OURS], {}, false)).toMatchObject({
    result: "ok",
    detail: "3 objects, none foreign. Only the first 3 names were checked; there are more.",
  });
  expect(judge(["x.zip"], {}, false).detail).toMatch(/there are more\.$/u);
});

test("objects that `doctor` left are not foreign, and are reported", () => {
  const id = "0b0e7a52-96b2-4f7a-9d7e-6e9a3f1c2d4e";
  const names = [`doctor/${id}`, `doctor/${id}.json`, `doctor/races-${id}/7.json`];
  expect(judge([...OURS, ...names])).toMatchObject({
    result: "ok",
    detail:
      "6 objects, none foreign. 3 of them remain from a doctor that was stopped: delete doctor/.",
  });
  expect(judge([...OURS, "doctor/house.txt"])).toMatchObject({ result: "warn" });
});

test("a foreign name cannot steer the terminal", () => {
  const { detail } = judge([`\u{1B}[2J\u{202E}${"x".repeat(200)}`]);
  expect(detail).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(detail).not.toContain("x".repeat(100));
});

const LIST = Buffer.from('{"updated":1,"services":[]}');

const published = (body: Uint8Array): PublishedObject => ({
  digest: createHash("sha256").update(body).digest("hex"),
  etag: "e",
  isPublished: true,
  suspectUntilMs: 0,
});

/** A state that has published the list and groups. */
async function openStores(more: Partial<typeof NOTHING_PUBLISHED> = {}) {
  const [publicStore, stateStore] = [createMemoryStore(), createMemoryStore()];
  const publication = {
    ...NOTHING_PUBLISHED,
    generation: 1,
    store: publicStore.identity,
    objects: new Map([["api/v1/status", published(LIST)]]),
    groups: new Map(
      ["k3", "page:k3", "card:k3", "feed:k3", "service:x", "service:badge"].map((id) => [
        id,
        published(LIST),
      ]),
    ),
    ...more,
  };
  await saveState(stateStore, { ...EMPTY_STATE, publication }, undefined);
  const put = (key: string, body: Uint8Array = LIST) =>
    publicStore.write(key, { body, contentType: "text/plain", cacheControl: "no-store" });
  await put("api/v1/status");
  return { publicStore, stateStore, put };
}

test("objects of groups are not foreign", async () => {
  const stores = await openStores();
  const keys = ["api/m/k3/badge.svg", "api/m/k3/badge-90d.svg", "m/k3", "en/m/k3", "card/m/k3.png"];
  for (const key of [...keys, "card/x.png", "badge.svg", "feed/m/k3.atom"]) await stores.put(key);
  const names = await checkContent("s3://bucket", stores);
  expect(names).toMatchObject({ result: "ok", detail: "9 objects, none foreign." });
  await stores.put("card/y.png");
  expect((await checkContent("s3://bucket", stores)).detail).toContain("card/y.png");
});

test("a list that another state published shows that two installations share the store", async () => {
  const stores = await openStores();
  await stores.put("api/v1/status", Buffer.from("another"));
  expect(await checkContent("s3://bucket", stores)).toEqual({
    name: "--store content",
    result: "warn",
    detail:
      "the list is not the one that this state published. If the state was restored from a backup, the next run repairs that; if not, another installation publishes here, and the two overwrite each other: give each a prefix or bucket of its own.",
  });
});

test("a publish in progress is no sign of another installation", async () => {
  const unconfirmed = new Map([["api/v1/status", { ...published(LIST), isPublished: false }]]);
  const waiting = await openStores({ objects: unconfirmed });
  await waiting.put("api/v1/status", Buffer.from("the one before"));
  expect(await checkContent("s3://bucket", waiting)).toMatchObject({ result: "ok" });
  const { publicStore, stateStore, put } = await openStores();
  await put("api/v1/status", Buffer.from("the next one"));
  // Another generation is published between the two reads of the state.
  const reading: ObjectStore = {
    ...publicStore,
    read: async (key) => {
      const found = await stateStore.read("state.json.gz");
      const publication = { ...NOTHING_PUBLISHED, generation: 2 };
      await saveState(stateStore, { ...EMPTY_STATE, publication }, found?.etag);
      return publicStore.read(key);
    },
  };
  const check = await checkContent("s3://bucket", { publicStore: reading, stateStore });
  expect(check).toMatchObject({ result: "ok" });
});

test.each([
  ["list", "s3://bucket", " It needs s3:ListBucket on the bucket."],
  ["list", "file:public", ""],
  ["read", "s3://bucket", ""],
] as const)(
  "of a store that fails to %s, %s, the content is unknown",
  async (operation, url, right) => {
    const { publicStore, stateStore } = await openStores();
    const fail = async (): Promise<never> => {
      throw new StoreError(operation, "x", "refused.");
    };
    const stores = {
      publicStore: { ...publicStore, ...(operation === "list" ? { listAll: fail } : {}) },
      stateStore: { ...stateStore, ...(operation === "read" ? { read: fail } : {}) },
    };
    expect(await checkContent(url, stores)).toEqual({
      name: "--store content",
      result: "warn",
      detail: `the content is unknown: refused.${right}`,
    });
  },
);

test("as many names as the limit are checked", async () => {
  const stores = await openStores();
  await stores.put("shop.html");
  expect((await checkContent("s3://bucket", stores, 1)).detail).toContain("there are more.");
  expect((await checkContent("s3://bucket", stores, 2)).detail).not.toContain("there are more.");
});

test("a store that the state does not name has nothing of ours, whatever its list is", async () => {
  const stores = await openStores({ store: "s3://old@https://store.example" });
  await stores.put("api/v1/status", Buffer.from("another"));
  const { result, detail } = await checkContent("s3://bucket", stores);
  expect(result).toBe("warn");
  expect(detail).toContain(
    "1 objects look like ours, but this state is of another store, s3://old@https://store.example: api/v1/status.",
  );
  expect(detail).not.toContain("the list is not the one");
});

test("a store without the list does not belong to another installation", async () => {
  const stores = await openStores();
  await stores.publicStore.remove("api/v1/status");
  expect(await checkContent("s3://bucket", stores)).toMatchObject({
    result: "ok",
    detail: "no objects yet.",
  });
});

test("a state that has published nowhere knows the names of any store", async () => {
  const stores = await openStores({ store: "" });
  expect(await checkContent("s3://bucket", stores)).toMatchObject({ result: "ok" });
});

test("objects of every family are known, by their names in the store", async () => {
  const groups = ["history:x", "evidence:x", "archive:2026-11-23", "outage:2026-11"];
  const stores = await openStores({
    groups: new Map(groups.map((id) => [id, published(LIST)] as const)),
    objects: new Map(),
  });
  await stores.publicStore.remove("api/v1/status");
  const keys = [
    "history/v1/x.json",
    "evidence/v1/x.json",
    "archive/v1/2026-11-23/checks.parquet",
    "outages/v1/2026-11.json",
  ];
  for (const key of keys) await stores.put(key);
  expect(await checkContent("s3://bucket", stores)).toMatchObject({
    result: "ok",
    detail: "4 objects, none foreign.",
  });
});
