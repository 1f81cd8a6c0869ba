import { describe, expect, test } from "vitest";
import { ANY_VERSION, type PublishedObject } from "../../src/model/publication.ts";
import {
  type GroupFamily,
  groupId,
  isAuditTurn,
  joinFamilies,
  placeOf,
} from "../../src/publish/object-groups.ts";
import { keysOf, publishGroups, storeWith } from "./publish-groups.ts";

const NOW_MS = 1_000;

const PUBLISHED: PublishedObject = {
  digest: "d",
  etag: ANY_VERSION,
  isPublished: true,
  suspectUntilMs: 0,
};
const CHANGED: PublishedObject = { ...PUBLISHED, isPublished: false };
const NEW: PublishedObject = { ...CHANGED, etag: null };
const OBSOLETE: PublishedObject = { ...CHANGED, digest: null };

describe("ids of groups", () => {
  test.each([
    ["", "shop", "shop"],
    ["page", "shop", "page:shop"],
  ] as const)("of the family %j: %s is %s", (family, id, group) => {
    expect(groupId(family, id)).toBe(group);
    expect(placeOf(group)).toEqual({ family, id });
  });
});

test("joined families ask each family about its own groups only", async () => {
  const family = (name: string): GroupFamily => ({
    signatures: new Map([["a", `${name} looks`]]),
    named: new Set(["b"]),
    isDeliberate: (id) => id === `${name}-off`,
    keysOf: (id) => [`${name}/${id}`],
    build: async (id) => [{ key: `${name}/${id}`, ...TEXT }],
  });
  const all = joinFamilies(
    new Map([
      ["", family("badge")],
      ["card", family("card")],
      ["evidence", { ...family("evidence"), hasMovingBytes: true }],
    ]),
    new Set(["card"]),
  );
  expect([...all.signatures]).toEqual([
    ["a", "badge looks"],
    ["card:a", "card looks"],
    ["evidence:a", "evidence looks"],
  ]);
  expect([...all.named]).toEqual(["b", "card:b", "evidence:b"]);
  expect(all.keysOf("card:a")).toEqual(["card/a"]);
  expect(await all.build("a")).toEqual([{ key: "badge/a", ...TEXT }]);
  expect(["badge-off", "card:card-off", "card:badge-off"].map(all.isDeliberate)).toEqual([
    true,
    true,
    false,
  ]);
  const some = ["a", "card:a", "evidence:a", "gone:a"];
  expect(some.map(all.isPicture)).toEqual([false, true, false, false]);
  expect(some.map(all.isOnlyLookedFor)).toEqual([false, true, true, false]);
  expect(all.keysOf("gone:a")).toEqual([]);
});

const TEXT = { body: Buffer.from("x"), contentType: "text/plain", cacheControl: "" };

describe("the turn of a group in audits", () => {
  const ids = Array.from({ length: 1_200 }, (_, at) => `m${at}`);

  test.each([1, 2, 3, 7])(
    "comes for every group if every %i-th generation audits some 400 of 1,200",
    (rhythm) => {
      const seen = new Set<string>();
      for (let audit = 1; audit <= 40; audit += 1) {
        const turn = ids.filter((id) => isAuditTurn(id, audit * rhythm, ids.length));
        expect(turn.length).toBeGreaterThan(300);
        expect(turn.length).toBeLessThan(500);
        for (const id of turn) seen.add(id);
      }
      expect(seen.size).toBe(ids.length);
    },
  );

  test("is in every audit while there are at most 500 groups", () => {
    expect(ids.slice(0, 500).every((id) => isAuditTurn(id, 9, 500))).toBe(true);
  });

  test("draws only the groups whose turn it is; an audit of everything draws all", async () => {
    const groups = new Map(ids.map((id) => [id, PUBLISHED]));
    const plan = { isAudit: true, generation: 5 };
    const { drawn } = await publishGroups(groups, { plan });
    expect(drawn).toEqual(ids.filter((id) => isAuditTurn(id, 5, ids.length)));
    const all = await publishGroups(groups, { plan: { ...plan, auditsAll: true } });
    expect(all.drawn).toEqual(ids);
  });
});

describe("what is published of groups", () => {
  test("is written if new, compared if it may exist, and left alone if confirmed", async () => {
    const store = await storeWith(["changed", "left", "confirmed"]);
    const left = { ...NEW, suspectUntilMs: NOW_MS + 1 };
    const groups = new Map([
      ["new", NEW],
      ["changed", CHANGED],
      // An earlier writer died: the bytes may be published.
      ["left", left],
      ["confirmed", PUBLISHED],
    ]);
    const result = await publishGroups(groups, { store, plan: { nowMs: NOW_MS } });
    expect(result.drawn).toEqual(["new", "changed", "left"]);
    expect(result).toMatchObject({ written: 2, unchanged: 6, postponedGroups: 0 });
    expect([...result.touched.groups]).toEqual(["new"]);
    expect([...result.groups.values()].every(({ isPublished }) => isPublished)).toBe(true);
    expect(result.groups.get("new")?.etag).toBe(ANY_VERSION);
  });

  test("stays as it is when it can no longer be drawn", async () => {
    const groups = new Map([["odd", CHANGED]]);
    const { groups: after } = await publishGroups(groups, { wanted: { build: async () => [] } });
    expect(after.get("odd")).toEqual(CHANGED);
  });

  test("is postponed and counted when the time runs out, except named groups", async () => {
    const groups = new Map(["a", "b", "c"].map((id) => [id, NEW]));
    const result = await publishGroups(groups, {
      isOutOfGroupTime: () => true,
      wanted: { named: new Set(["c"]) },
    });
    expect(result.drawn).toEqual(["c"]);
    expect(result).toMatchObject({ postponedGroups: 2, isOutOfTime: false, written: 2 });
  });

  test("is drawn with named groups first and pictures last", async () => {
    const groups = new Map(["card:a", "b", "card:c", "d"].map((id) => [id, NEW]));
    const wanted = {
      isPicture: (id: string) => id.startsWith("card:"),
      named: new Set(["card:c", "d"]),
    };
    expect((await publishGroups(groups, { wanted })).drawn).toEqual(["d", "card:c", "b", "card:a"]);
  });

  test("stays unpublished and is touched when the time runs out between its objects", async () => {
    let writes = 0;
    const result = await publishGroups(new Map([["a", NEW]]), {
      // Called before each object.
      isOutOfTime: () => (writes += 1) > 1,
    });
    expect(result).toMatchObject({ written: 1, isOutOfTime: false, postponedGroups: 1 });
    expect(result.groups.get("a")).toEqual(NEW);
    expect([...result.touched.groups]).toEqual(["a"]);
  });
});

describe("an obsolete group", () => {
  const obsolete = (count: number, others: number): Map<string, PublishedObject> =>
    new Map([
      ...Array.from({ length: count }, (_, at) => [`gone${at}`, OBSOLETE] as const),
      ...Array.from({ length: others }, (_, at) => [`kept${at}`, PUBLISHED] as const),
    ]);

  test("is removed with all its objects, and is suspect for a while", async () => {
    const store = await storeWith(["gone0"]);
    const result = await publishGroups(obsolete(1, 0), { store, plan: { nowMs: NOW_MS } });
    expect(result).toMatchObject({ removed: 2, withheldRemovals: 0, unchanged: 0 });
    expect(result.groups.get("gone0")).toEqual({
      digest: null,
      etag: null,
      isPublished: true,
      suspectUntilMs: NOW_MS + 600_000,
    });
    for (const key of keysOf("gone0")) expect(await store.find(key)).toBeUndefined();
  });

  test("is not recorded as removed when another writer was faster or the time ran out", async () => {
    const store = await storeWith(["gone0"]);
    const overtaken = await publishGroups(obsolete(1, 0), {
      store,
      isOvertaken: () => Promise.resolve(true),
    });
    expect(overtaken).toMatchObject({ removed: 0, isOvertaken: true, postponedGroups: 0 });
    expect(overtaken.groups.get("gone0")).toEqual(OBSOLETE);
    let objects = 0;
    const late = await publishGroups(obsolete(1, 0), {
      store,
      isOutOfTime: () => (objects += 1) > 1,
    });
    expect(late).toMatchObject({ removed: 1, postponedGroups: 1 });
    expect(late.groups.get("gone0")).toEqual(OBSOLETE);
    expect([...late.touched.groups]).toEqual(["gone0"]);
  });

  test("is withheld and counted if too many go at once, unless deliberate", async () => {
    const isDeliberate = (id: string): boolean => id === "gone3" || id === "gone4";
    const plan = { maxRemovalShare: 0.2 };
    const store = await storeWith(["gone0", "gone3"]);
    const result = await publishGroups(obsolete(8, 10), { store, plan, wanted: { isDeliberate } });
    expect(result).toMatchObject({ withheldRemovals: 6, removed: 4, postponedGroups: 0 });
    expect(await store.find(keysOf("gone0")[0] ?? "")).toBeDefined();
    expect(await store.find(keysOf("gone3")[0] ?? "")).toBeUndefined();
    expect(result.groups.get("gone0")).toEqual(OBSOLETE);
    const few = await publishGroups(obsolete(8, 32), { plan });
    expect(few).toMatchObject({ withheldRemovals: 0, removed: 16 });
  });
});

describe("removals of groups without an operator's wish", () => {
  const FAMILIES = ["", "page:", "card:", "feed:"];
  const groupsOf = (ids: readonly string[], group: PublishedObject) =>
    ids.flatMap((id) => FAMILIES.map((family) => [family + id, group] as const));
  /** A publish in which these monitors are obsolete, and five others stay. */
  const removeMonitors = async (ids: readonly string[]) => {
    const groups = new Map([
      ...groupsOf(["a", "b", "c", "d", "e"], PUBLISHED),
      ...groupsOf(ids, OBSOLETE),
    ]);
    const store = await storeWith([...groups.keys()]);
    return await publishGroups(groups, { store, plan: { maxRemovalShare: 0.2 } });
  };

  test("three monitors may go at once, however many groups each has", async () => {
    expect(await removeMonitors(["x"])).toMatchObject({ withheldRemovals: 0 });
    expect(await removeMonitors(["x", "y", "z"])).toMatchObject({ withheldRemovals: 0 });
  });

  test("four of nine are withheld, with all of their groups", async () => {
    expect((await removeMonitors(["w", "x", "y", "z"])).withheldRemovals).toBeGreaterThan(0);
  });
});
