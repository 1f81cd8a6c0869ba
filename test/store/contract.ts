import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  StoreError,
  type ObjectStore,
  type Precondition,
  type StoredObject,
} from "../../src/model/store.ts";
import { findKeyProblem } from "../../src/store/key.ts";

/** An object with the given text or bytes and the headers of a document. */
export function toObject(body: string | Uint8Array): StoredObject {
  return {
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    contentType: "application/json; charset=utf-8",
    cacheControl: "max-age=60",
  };
}

export async function readText(store: ObjectStore, key: string): Promise<string | undefined> {
  const bytes = (await store.read(key))?.body;
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

const BAD_KEYS = {
  "an empty key": "",
  "a leading slash": "/api/v1/status",
  "a trailing slash": "api/v1/",
  "a doubled slash": "api//status",
  "a dot segment": "api/./status",
  "a parent segment": "api/../status",
  "a lone parent": "..",
  "a hidden file": "api/.htaccess",
  "the temporary folder": ".tmp/x.json",
  "a backslash": "api\\status",
  "a NUL": "api/st\0atus",
  "a line break": "api/status\n",
  "a lone surrogate": "api/\ud800",
  "a segment of 251 bytes, 256 with .json": "a".repeat(251),
  "a folder of 256 bytes": `${"a".repeat(256)}/x`,
  "a segment too long in bytes, not in characters": `${"я".repeat(126)}.svg`,
};

const GOOD_KEYS = {
  "one segment": "state",
  "a segment of 250 bytes, 255 with .json": "a".repeat(250),
  "a segment of 255 bytes": `${"a".repeat(251)}.svg`,
  "dots inside a segment": "api/m/a..b/badge.svg",
  "a space, a plus, a percent sign and Cyrillic": "api/m/a +%2e/имя.svg",
};

/** The tests that every store must pass. `open` returns an empty store each time. */
export function describeStore(name: string, open: () => Promise<ObjectStore>): void {
  describe(`${name} keeps the contract of a store`, () => {
    describeObjects(open);
    describeKeys(open);
    describeLists(open);
    describeConcurrency(open);
    test("any sequence of operations gives the same as a map", () => agreesWithMap(open));
  });
}

function describeObjects(open: () => Promise<ObjectStore>): void {
  test("an object that was never written is undefined", async () => {
    const store = await open();
    expect(await store.read("api/v1/status")).toBeUndefined();
  });

  test.each([
    ["every byte value", Uint8Array.from({ length: 256 }, (_, at) => at)],
    ["nothing at all", new Uint8Array()],
    ["a megabyte", new Uint8Array(1_048_576).fill(7)],
  ])("%s is read back as it was written", async (_, body) => {
    const store = await open();
    await store.write("api/m/x/badge.svg", toObject(body));
    expect(
      Buffer.compare((await store.read("api/m/x/badge.svg"))?.body ?? Buffer.of(1, 2), body),
    ).toBe(0);
  });

  test("a later write replaces an earlier, longer one completely", async () => {
    const store = await open();
    await store.write("state", toObject("a long first text"));
    await store.write("state", toObject("short"));
    expect(await readText(store, "state")).toBe("short");
  });

  test("an object may be the folder of others, whichever came first", async () => {
    const store = await open();
    await store.write("api/v1/status", toObject("list"));
    await store.write("api/v1/status/sberbank", toObject("detail"));
    await store.write("b/c/d", toObject("child"));
    await store.write("b/c", toObject("parent"));
    expect(await readText(store, "api/v1/status")).toBe("list");
    expect(await readText(store, "api/v1/status/sberbank")).toBe("detail");
    expect(await readText(store, "b/c/d")).toBe("child");
    expect(await readText(store, "b/c")).toBe("parent");
  });

  test("a removal leaves the parent, children and neighbours of the object", async () => {
    const store = await open();
    for (const key of ["a", "a/b", "a/b/c", "a/bb"]) await store.write(key, toObject(key));
    await store.remove("a/b");
    expect(await store.read("a/b")).toBeUndefined();
    for (const key of ["a", "a/b/c", "a/bb"]) expect(await readText(store, key)).toBe(key);
  });

  test("an absent object can be removed, and a removed one written again", async () => {
    const store = await open();
    await store.remove("never/was/there");
    await store.write("a/b", toObject("first"));
    await store.remove("a/b");
    await store.remove("a/b");
    await store.write("a/b", toObject("second"));
    expect(await readText(store, "a/b")).toBe("second");
  });

  test("bytes that are written or read are not shared with the store", async () => {
    const store = await open();
    const given = new TextEncoder().encode("intact");
    await store.write("a", toObject(given));
    given.fill(0);
    (await store.read("a"))?.body.fill(0);
    expect(await readText(store, "a")).toBe("intact");
  });
}

function describeKeys(open: () => Promise<ObjectStore>): void {
  test.each(Object.entries(BAD_KEYS))("refuses %s as a key", async (_, key) => {
    const store = await open();
    for (const [operation, act] of [
      ["read", () => store.read(key)],
      ["write", () => store.write(key, toObject("x"))],
      ["remove", () => store.remove(key)],
    ] as const) {
      const error = await act().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(StoreError);
      const message = `${store.name}: ${JSON.stringify(key)} is not a valid key: ${findKeyProblem(key)}.`;
      expect(error).toMatchObject({ operation, key, message });
    }
  });

  test.each(Object.entries(GOOD_KEYS))("takes %s as a key", async (_, key) => {
    const store = await open();
    await store.write(key, toObject("x"));
    expect(await readText(store, key)).toBe("x");
    await store.remove(key);
    expect(await store.read(key)).toBeUndefined();
  });
}

function describeConcurrency(open: () => Promise<ObjectStore>): void {
  test("an object that must be absent is created once", async () => {
    const store = await open();
    const first = await store.write("a", toObject("first"), { kind: "absent" });
    expect(first).toEqual({ kind: "written", etag: await store.find("a") });
    expect(await store.write("a", toObject("second"), { kind: "absent" })).toEqual({
      kind: "conflict",
    });
    expect(await readText(store, "a")).toBe("first");
  });

  test("an object that must be unchanged is replaced only while it is unchanged", async () => {
    const store = await open();
    const stale = await store.write("a", toObject("one"));
    if (stale.kind === "conflict") throw new Error("a write without precondition met a conflict");
    const current = await store.write("a", toObject("two"), {
      kind: "unchanged",
      etag: stale.etag,
    });
    expect(current.kind).toBe("written");
    const late = await store.write("a", toObject("three"), { kind: "unchanged", etag: stale.etag });
    expect(late).toEqual({ kind: "conflict" });
    expect(await readText(store, "a")).toBe("two");
    await store.remove("a");
    const gone = await store.write("a", toObject("four"), { kind: "unchanged", etag: stale.etag });
    expect(gone).toEqual({ kind: "conflict" });
    expect(await store.find("a")).toBeUndefined();
  });

  test("of many writers with the same precondition at most one wins", async () => {
    const store = await open();
    const race = (precondition: Precondition) =>
      Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          store
            .write("race", toObject(`${precondition.kind} ${at}`), precondition)
            .catch(() => ({ kind: "unknown" })),
        ),
      );
    const winners = (results: readonly { kind: string }[]) =>
      results.filter(({ kind }) => kind === "written").length;
    expect(winners(await race({ kind: "absent" }))).toBeLessThanOrEqual(1);
    const etag = (await store.find("race")) ?? "";
    expect(winners(await race({ kind: "unchanged", etag }))).toBeLessThanOrEqual(1);
    expect(await store.find("race")).not.toBe(etag);
  });

  test("find, read and write return the same tag", async () => {
    const store = await open();
    const written = await store.write("a", toObject("x"));
    const etag = written.kind === "written" ? written.etag : "";
    expect(await store.find("a")).toBe(etag);
    expect([await store.has("a"), await store.has("b")]).toEqual([true, false]);
    expect((await store.read("a"))?.etag).toBe(etag);
    expect(await store.find("b")).toBeUndefined();
  });

  test("concurrent writers of one key leave, and readers see, only whole objects", async () => {
    const store = await open();
    const bodies = Array.from({ length: 40 }, (_, at) => `${at}:`.repeat(5_000));
    await store.write("list", toObject(bodies[0] ?? ""));
    const writers = bodies.map((body) => store.write("list", toObject(body)));
    const seen = await Promise.all(bodies.map(() => readText(store, "list")));
    await Promise.all(writers);
    for (const text of [...seen, await readText(store, "list")]) expect(bodies).toContain(text);
  });

  test("writing into a folder succeeds while its other objects are removed", async () => {
    const store = await open();
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        await store.write(`m/x/${at % 3}`, toObject("x"));
        await store.remove(`m/x/${at % 3}`);
      }),
    );
    await store.write("m/x/last", toObject("here"));
    expect(await readText(store, "m/x/last")).toBe("here");
  });
}

async function agreesWithMap(open: () => Promise<ObjectStore>): Promise<void> {
  const keys = ["a", "a/b", "a/b/c", "a/b.svg", "b/c/d", "b/c/e.png"];
  const operation = fc.record({
    key: fc.constantFrom(...keys),
    text: fc.option(fc.string(), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 20 }), async (operations) => {
      const store = await open();
      const expected = new Map<string, string>();
      for (const { key, text } of operations) {
        if (text === undefined) {
          await store.remove(key);
          expected.delete(key);
        } else {
          const object = toObject(text);
          await store.write(key, object);
          expected.set(key, new TextDecoder().decode(object.body));
        }
      }
      for (const key of keys) expect(await readText(store, key)).toBe(expected.get(key));
    }),
    { numRuns: 40 },
  );
}

function describeLists(open: () => Promise<ObjectStore>): void {
  test("a folder lists only the objects directly below it", async () => {
    const store = await open();
    const inside = ["inbox/a.gz", "inbox/b +%2e.gz", "inbox/имя.gz"];
    const outside = ["inbox/deep/c.gz", "inboxes/d.gz", "e.gz"];
    for (const key of [...inside, ...outside]) await store.write(key, toObject(key));
    expect([...(await store.list("inbox"))].toSorted()).toEqual(inside.toSorted());
    await store.remove("inbox/a.gz");
    expect([...(await store.list("inbox"))].toSorted()).toEqual(inside.slice(1).toSorted());
  });

  test("a folder without objects is empty", async () => {
    expect(await (await open()).list("inbox")).toEqual([]);
  });

  test("listAll returns all names, and no more than its limit", async () => {
    const store = await open();
    expect(await store.listAll(1)).toEqual({ names: [], isComplete: true });
    const keys = ["a.gz", "b/c/d.gz", "b/имя +%2e.gz"];
    for (const key of keys) await store.write(key, toObject(key));
    const all = await store.listAll(100);
    expect(all.names.toSorted()).toEqual(keys.toSorted());
    expect(all.isComplete).toBe(true);
    const some = await store.listAll(2);
    expect(some.isComplete).toBe(false);
    expect(some.names.length).toBeLessThanOrEqual(2);
    expect(keys).toEqual(expect.arrayContaining([...some.names]));
  });
}
