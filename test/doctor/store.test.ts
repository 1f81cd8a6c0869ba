import { chmod } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { checkInbox, checkKeys, checkStores } from "../../src/doctor/store.ts";
import { type ObjectStore, StoreError, type StoredObject } from "../../src/model/store.ts";
import type { StoreRole } from "../../src/store/store-error.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const DIRECTORY = "file:public";
const EXACT = "s3://bucket?endpoint=http://127.0.0.1:1/&keys=exact";

const checkStore = async (role: StoreRole, url: string, store: ObjectStore) =>
  (await checkStores([{ role, url, store }], () => 0)).get(role) ?? [];

const brief = (checks: readonly { readonly name: string; readonly result: string }[]) =>
  checks.map(({ name, result }) => `${name} ${result}`);

describe("a store", () => {
  test("that keeps what is written and its conditions is good, and stays empty", async () => {
    const store = createMemoryStore();
    const written: StoredObject[] = [];
    const noted: ObjectStore = {
      ...store,
      write: (key, object, precondition) => {
        written.push(object);
        return store.write(key, object, precondition);
      },
    };
    const checks = await checkStore("public", DIRECTORY, noted);
    expect(brief(checks)).toEqual(["--store ok", "--store writers ok"]);
    // A cache that keeps what is tried would serve it for the next check.
    expect(new Set(written.map(({ cacheControl }) => cacheControl))).toEqual(new Set(["no-store"]));
    expect(checks[0]?.detail).toBe("memory: can be read, written and removed from");
    expect([...store.objects.keys()]).toEqual([]);
  });

  test("that returns something else has a cache in between", async () => {
    const store = createMemoryStore();
    const other = { ...store, read: async () => ({ body: Buffer.from("x"), etag: "e" }) };
    const [check] = await checkStore("public", DIRECTORY, other);
    expect(check).toMatchObject({ result: "fail", detail: expect.stringContaining("cache") });
    const none: ObjectStore = { ...store, read: async () => undefined };
    expect(brief(await checkStore("private", DIRECTORY, none))).toEqual(["--state fail"]);
  });

  test("that is down says so", async () => {
    const fail = (): never => {
      throw new StoreError("write", "x", "the disk is full");
    };
    const store: ObjectStore = { ...createMemoryStore(), write: async () => fail() };
    expect(await checkStore("public", DIRECTORY, store)).toEqual([
      { name: "--store", result: "fail", detail: "the disk is full" },
    ]);
  });

  test.each<readonly [string, (kind: string | undefined) => boolean, string]>([
    ["creates twice", (kind) => kind === "absent", "the store creates an object twice. Let"],
    [
      "overwrites",
      (kind) => kind === "unchanged",
      "the store overwrites a version that is no longer there. Let",
    ],
    [
      "ignores all conditions",
      () => true,
      "creates an object twice and overwrites a version that is no longer there.",
    ],
  ])("that %s is for one writer at a time", async (_, ignores, words) => {
    const memory = createMemoryStore();
    const store: ObjectStore = {
      ...memory,
      write: (key, object, condition) =>
        memory.write(key, object, ignores(condition?.kind) ? undefined : condition),
    };
    const checks = await checkStore("public", DIRECTORY, store);
    expect(checks[1]).toMatchObject({ result: "warn", detail: expect.stringContaining(words) });
  });

  test.each([
    [0o700, "ok"],
    [0o740, "warn"],
    [0o701, "warn"],
  ])("of the state with mode %o is private: %s", async (mode, result) => {
    const folder = makeScratchFolder();
    await chmod(folder, mode);
    const checks = await checkStore("private", `file:${folder}`, createMemoryStore());
    expect(checks[2]).toMatchObject({ name: "--state privacy", result });
  });
});

describe("a fault of two stores", () => {
  const failing = (message: string, sharedFault?: string): ObjectStore => ({
    ...createMemoryStore(),
    write: async () => {
      throw new StoreError("write", "x", message, { sharedFault });
    },
  });
  const details = async (other: string, fault: string | undefined) => {
    const checked = await checkStores(
      [
        { role: "public", url: EXACT, store: failing("public: wrong key", fault) },
        { role: "private", url: other, store: failing("private: wrong key", fault) },
      ],
      () => 0,
    );
    return [...checked.values()].flat().map(({ detail }) => detail);
  };

  test("in what they share is told once", async () => {
    expect(await details(EXACT, "WrongKey")).toEqual([
      "public: wrong key",
      "the same fault as of --store.",
    ]);
  });

  test("is told of each, if the endpoint or the fault is its own", async () => {
    const both = ["public: wrong key", "private: wrong key"];
    expect(await details(EXACT.replace(":1/", ":2/"), "WrongKey")).toEqual(both);
    expect(await details(EXACT, undefined)).toEqual(both);
  });
});

describe("keys of which one is the folder of another", () => {
  test("are checked only where keys are exact", async () => {
    const store = createMemoryStore();
    expect(await checkKeys(DIRECTORY, store)).toEqual([]);
    expect(await checkKeys(EXACT.replace("exact", "suffixed"), store)).toEqual([]);
    expect(brief(await checkKeys(EXACT, store))).toEqual(["--store keys ok"]);
    expect([...store.objects.keys()]).toEqual([]);
  });

  test("that get lost are a failure, those that are not listed a doubt", async () => {
    const store = createMemoryStore();
    const losing: ObjectStore = {
      ...store,
      read: async (key) => (key.endsWith("/detail") ? store.read(key) : undefined),
    };
    expect(brief(await checkKeys(EXACT, losing))).toEqual(["--store keys fail"]);
    const blind: ObjectStore = { ...store, list: async () => [] };
    expect(brief(await checkKeys(EXACT, blind))).toEqual(["--store keys warn"]);
  });
});

describe("the inbox", () => {
  const S3 = "s3://bucket?endpoint=http://127.0.0.1:1/";
  const failing = (operation: "write" | "list" | "find" | "remove"): ObjectStore => ({
    ...createMemoryStore(),
    [operation]: async () => {
      throw new StoreError(operation, "inbox", "refused.");
    },
  });

  test("can be written, listed and removed from, and stays empty", async () => {
    const store = createMemoryStore();
    expect(await checkInbox(DIRECTORY, store, 0)).toEqual([
      {
        name: "--state inbox",
        result: "ok",
        detail: "reports can be written, listed and removed",
      },
    ]);
    expect([...store.objects.keys()]).toEqual([]);
  });

  test.each([
    ["write", "s3:PutObject on inbox/*"],
    ["list", "s3:ListBucket on the bucket"],
    ["remove", "s3:DeleteObject on inbox/*"],
  ] as const)("without the right to %s says which one it needs", async (operation, right) => {
    const [check, ...more] = await checkInbox(S3, failing(operation), 0);
    expect([check?.result, check?.detail, more]).toEqual([
      "fail",
      `refused. It needs ${right}.`,
      [],
    ]);
    expect((await checkInbox(DIRECTORY, failing(operation), 0))[0]?.detail).toBe("refused.");
  });

  test("that lists nothing of what it has is a failure", async () => {
    const store: ObjectStore = { ...createMemoryStore(), list: async () => [] };
    expect((await checkInbox(S3, store, 0))[0]).toMatchObject({
      result: "fail",
      detail: expect.stringContaining("a written object is not listed. It needs s3:ListBucket"),
    });
  });

  test("whose object a publish has taken meanwhile is fine", async () => {
    const store: ObjectStore = {
      ...createMemoryStore(),
      list: async () => [],
      has: async () => false,
    };
    expect(brief(await checkInbox(S3, store, 0))).toEqual(["--state inbox ok"]);
  });
});
