import fc from "fast-check";
import { expect, test } from "vitest";
import type { Document } from "../../src/model/service/snapshot.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { countRequests } from "../../src/store/request-counter.ts";
import { createMemoryStore, type MemoryStore } from "../store/memory-store.ts";
import { publishAll } from "./publish-all.ts";

const LIST = "api/v1/status";

function toDocument(key: string, text = key): Document {
  return {
    key,
    body: new TextEncoder().encode(text),
    contentType: "application/json; charset=utf-8",
    cacheControl: "max-age=60",
  };
}

function detailsAndList(count: number, text?: string): readonly Document[] {
  const details = Array.from({ length: count }, (_, at) => toDocument(`${LIST}/s${at}`, text));
  return [...details, toDocument(LIST, text)];
}

/** The texts in the store by key. */
function textsOf(store: MemoryStore): Record<string, string> {
  const entries = [...store.objects].map(([key, { body }]) => [
    key,
    new TextDecoder().decode(body),
  ]);
  return Object.fromEntries(entries);
}

/** A slow memory store that records when each change begins and ends, and refuses the given keys. */
function createWatchedStore(refused: readonly string[] = []) {
  const store = createMemoryStore();
  const changes: string[] = [];
  let running = 0;
  let mostRunning = 0;
  async function watch<T>(
    operation: "write" | "remove",
    key: string,
    act: () => Promise<T>,
    endOf: (result: T) => string,
  ) {
    changes.push(`${operation} ${key} begins`);
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    // A refusal comes sooner than a success, so that other changes are running then.
    const turns = refused.includes(key) ? 1 : 20 + (key.length % 5);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    running -= 1;
    if (refused.includes(key)) throw new StoreError(operation, key, "refused");
    const result = await act();
    changes.push(`${operation} ${key} ${endOf(result)}`);
    return result;
  }
  const watched: ObjectStore = {
    name: "watched",
    identity: "watched",
    read: (key) => store.read(key),
    find: (key) => store.find(key),
    has: (key) => store.has(key),
    write: (key, object, precondition) =>
      watch(
        "write",
        key,
        () => store.write(key, object, precondition),
        ({ kind }) => (kind === "written" ? "ends" : "meets another"),
      ),
    remove: (key) =>
      watch(
        "remove",
        key,
        () => store.remove(key),
        () => "ends",
      ),
    list: (folder) => store.list(folder),
    listAll: (limit) => store.listAll(limit),
  };
  return { store, watched, changes, running: () => running, mostRunning: () => mostRunning };
}

test("writes everything first, then nothing, then only what changed", async () => {
  const { store, watched, changes } = createWatchedStore();
  const first = detailsAndList(3);
  const written = () => changes.splice(0).filter((change) => change.endsWith("ends"));

  expect(await publishAll(watched, first)).toMatchObject({ written: 4, unchanged: 0, removed: 0 });
  expect(written().toSorted()).toEqual(first.map(({ key }) => `write ${key} ends`).toSorted());
  expect(store.objects.get(LIST)).toMatchObject({
    contentType: "application/json; charset=utf-8",
    cacheControl: "max-age=60",
  });

  expect(await publishAll(watched, first)).toMatchObject({ written: 0, unchanged: 4, removed: 0 });
  expect(written()).toEqual([]);

  const changed = first.map(({ key }) => toDocument(key, key.endsWith("s1") ? "new" : key));
  expect(await publishAll(watched, changed)).toMatchObject({
    written: 1,
    unchanged: 3,
    removed: 0,
  });
  expect(written()).toEqual([`write ${LIST}/s1 ends`]);
});

test("an empty store costs one request for each object, and a published one no write", async () => {
  const counted = countRequests(createMemoryStore());
  await publishAll(counted, detailsAndList(9), { removeKeys: [] });
  expect(counted.requests()).toMatchObject({ read: 0, find: 0, write: 10 });
  expect(await publishAll(counted, detailsAndList(9), { removeKeys: [] })).toMatchObject({
    written: 0,
    unchanged: 10,
  });
});

test("the list begins after the last detail ended, and removals after the list", async () => {
  const { watched, changes } = createWatchedStore();
  const options = { removeKeys: ["api/m/gone/badge.svg", `${LIST}/gone`] };
  expect(await publishAll(watched, detailsAndList(20), options)).toMatchObject({ removed: 2 });
  const listBegins = changes.indexOf(`write ${LIST} begins`);
  expect(changes.slice(0, listBegins)).toHaveLength(40);
  expect(changes[listBegins + 1]).toBe(`write ${LIST} ends`);
  const removals = changes.slice(listBegins + 2);
  expect(removals).toHaveLength(4);
  for (const removal of removals) expect(removal).toMatch(/^remove /);
});

test("the website follows the list, step by step, and removals follow the website", async () => {
  const { watched, changes } = createWatchedStore();
  const steps = [["site.css", "site.js"], ["a.html", "b.html"], ["index.html"]];
  const site = steps.map((keys) => keys.map((key) => toDocument(key)));
  await publishAll(watched, detailsAndList(0), { site, removeKeys: ["old.html"] });
  const both = (key: string) => [`write ${key} begins`, `write ${key} ends`];
  const inSteps = [[LIST], ...steps].map((keys) => keys.flatMap(both).toSorted());
  let from = 0;
  const seen = inSteps.map(({ length }) => changes.slice(from, (from += length)).toSorted());
  expect(seen).toEqual(inSteps);
  expect(changes.slice(from)).toEqual(["remove old.html begins", "remove old.html ends"]);
});

test("too many removals at once are withheld, and only pending ones count", async () => {
  const store = createMemoryStore();
  const removeKeys = Array.from({ length: 6 }, (_, at) => `old-${at}.html`);
  for (const key of removeKeys) await store.write(key, toDocument(key));
  const some = detailsAndList(9);
  const all = { removeKeys, removedKeys: ["long-gone.html"], maxRemovalShare: 0.2 };
  const held = await publishAll(store, some, all);
  expect(held).toMatchObject({ withheldRemovals: 6, removed: 0, written: 10 });
  expect(Object.keys(textsOf(store))).toHaveLength(16);
  const few = { removeKeys: removeKeys.slice(0, 3), maxRemovalShare: 0.2 };
  expect(await publishAll(store, some, few)).toMatchObject({ withheldRemovals: 0, removed: 3 });
});

test("at most sixteen operations run at once", async () => {
  const { watched, mostRunning } = createWatchedStore();
  const removeKeys = Array.from({ length: 30 }, (_, at) => `gone/${at}`);
  await publishAll(watched, detailsAndList(40), { removeKeys });
  expect(mostRunning()).toBe(16);
});

test("an unwritable detail stops list and removals; the next publish repairs it", async () => {
  const { store, watched, changes, running } = createWatchedStore([`${LIST}/s5`]);
  const old = detailsAndList(30, "old");
  await publishAll(store, [...old.slice(0, -1), toDocument("gone"), old[30] ?? toDocument("x")], {
    removeKeys: [],
  });

  const options = { removeKeys: ["gone"] };
  const failing = publishAll(watched, detailsAndList(30, "new"), options);
  await expect(failing).rejects.toThrow(new StoreError("write", `${LIST}/s5`, "refused"));
  expect(running()).toBe(0);
  const begun = changes.filter((change) => change.endsWith("begins"));
  expect(new Set(begun).size).toBeLessThan(30);
  expect(textsOf(store)).toMatchObject({
    [LIST]: "old",
    gone: "gone",
    [`${LIST}/s0`]: "new",
    [`${LIST}/s29`]: "old",
  });

  await publishAll(store, detailsAndList(30, "new"), options);
  expect(new Set(Object.values(textsOf(store)))).toEqual(new Set(["new"]));
});

test("a list that cannot be written leaves everything that the old list names", async () => {
  const { store, watched } = createWatchedStore([LIST]);
  await store.write("gone", toDocument("gone"));
  const failing = publishAll(watched, detailsAndList(2), { removeKeys: ["gone"] });
  await expect(failing).rejects.toThrow(StoreError);
  expect(Object.keys(textsOf(store)).toSorted()).toEqual(
    [`${LIST}/s0`, `${LIST}/s1`, "gone"].toSorted(),
  );
});

test("a store that cannot be read stops the publish as well", async () => {
  const store = createMemoryStore();
  const unreadable: ObjectStore = {
    ...store,
    read: async (key) => {
      throw new StoreError("read", key, "refused");
    },
  };
  await publishAll(store, detailsAndList(2, "old"), { removeKeys: [] });
  const publishing = publishAll(unreadable, detailsAndList(2, "new"), { removeKeys: [] });
  await expect(publishing).rejects.toThrow("refused");
  expect(new Set(Object.values(textsOf(store)))).toEqual(new Set(["old"]));
});

test("a published key is not removed, and a repeated one counts once", async () => {
  const store = createMemoryStore();
  const options = { removeKeys: [LIST, "gone", "gone"] };
  expect(await publishAll(store, detailsAndList(1), options)).toMatchObject({ removed: 1 });
  expect(store.objects.has(LIST)).toBe(true);
});

test("a document that was not planned is a defect", async () => {
  const publishing = publishAll(createMemoryStore(), [toDocument("a")], { isPlanned: false });
  await expect(publishing).rejects.toThrow(new RangeError("a is not in the plan"));
});

test("an empty publish succeeds", async () => {
  expect(await publishAll(createMemoryStore(), [])).toMatchObject({
    written: 0,
    unchanged: 0,
    removed: 0,
  });
});

test("the store then has the documents, no removed objects, and unchanged foreign ones", async () => {
  const keys = ["a", "b", "a/b", "c.svg", "d/e/f.png", "g"];
  const objects = fc.dictionary(fc.constantFrom(...keys), fc.string());
  await fc.assert(
    fc.asyncProperty(objects, objects, fc.subarray(keys), async (held, wanted, removeKeys) => {
      const store = createMemoryStore();
      for (const [key, text] of Object.entries(held)) await store.write(key, toDocument(key, text));
      const documents = Object.entries(wanted).map(([key, text]) => toDocument(key, text));

      const result = await publishAll(store, documents, { removeKeys });

      const kept = Object.entries(held).filter(([key]) => !removeKeys.includes(key));
      const expected = [...kept, ...Object.entries(wanted)].map(
        ([key, text]) => [key, new TextDecoder().decode(toDocument(key, text).body)] as const,
      );
      expect(textsOf(store)).toEqual(Object.fromEntries(expected));
      const same = documents.filter(({ key }) => held[key] === wanted[key]);
      expect(result.unchanged).toBe(same.length);
      expect(result.written).toBe(documents.length - same.length);
    }),
  );
});

test("an object that is known to be gone is looked for by audits alone", async () => {
  const asked = async (isAudit: boolean): Promise<readonly string[]> => {
    const memory = createMemoryStore();
    const requests: string[] = [];
    const store: ObjectStore = {
      ...memory,
      has: (key) => (requests.push(`has ${key}`), memory.has(key)),
      remove: (key) => (requests.push(`remove ${key}`), memory.remove(key)),
    };
    await publishAll(store, [], { removedKeys: ["gone.html"], isAudit });
    return requests;
  };
  expect(await asked(false)).toEqual([]);
  expect(await asked(true)).toEqual(["has gone.html"]);
});
