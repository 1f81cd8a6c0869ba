import { chmod } from "node:fs/promises";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkInbox, checkKeys, checkStores } from "../../src/doctor/store.ts";
import {
  KEYS_CURE,
  type ObjectStore,
  StoreError,
  type StoredObject,
} from "../../src/model/store.ts";
import type { StoreRole } from "../../src/store/store-error.ts";
import { type LoopbackS3, startLoopbackS3 } from "../cli/loopback-s3.ts";
import { listenOnOff } from "../cli/on-off-server.ts";
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
    expect(checks.map(({ detail }) => detail)).toEqual([
      "memory: can be read, written and removed from",
      "enforces create-if-absent and compare-and-swap: several writers are safe",
    ]);
    expect(new Set(written.map(({ contentType }) => contentType))).toEqual(
      new Set(["text/plain; charset=utf-8"]),
    );
    expect([...store.objects.keys()]).toEqual([]);
  });

  test("that returns something else has a cache in between", async () => {
    const store = createMemoryStore();
    const other = { ...store, read: async () => ({ body: Buffer.from("x"), etag: "e" }) };
    const [check] = await checkStore("public", DIRECTORY, other);
    expect(check).toEqual({
      name: "--store",
      result: "fail",
      detail: "memory: the store did not return what was written. Is there a cache in between?",
    });
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
    ["creates twice", (kind) => kind === "absent", "creates an object twice"],
    ["overwrites", (kind) => kind === "unchanged", "overwrites a version that is no longer there"],
    [
      "ignores all conditions",
      () => true,
      "creates an object twice and overwrites a version that is no longer there",
    ],
  ])("that %s is for one writer at a time", async (_, ignores, words) => {
    const memory = createMemoryStore();
    const store: ObjectStore = {
      ...memory,
      write: (key, object, condition) =>
        memory.write(key, object, ignores(condition?.kind) ? undefined : condition),
    };
    const checks = await checkStore("public", DIRECTORY, store);
    expect(checks[1]).toEqual({
      name: "--store writers",
      result: "warn",
      detail: `the store ${words}. Let one writer at a time use it: no overlapping runs, no intake.`,
    });
  });

  test("that never replaces an object cannot be published to", async () => {
    const memory = createMemoryStore();
    const store: ObjectStore = {
      ...memory,
      write: async (key, object, condition) =>
        condition?.kind === "unchanged"
          ? { kind: "conflict" }
          : memory.write(key, object, condition),
    };
    expect((await checkStore("public", DIRECTORY, store))[1]).toEqual({
      name: "--store writers",
      result: "fail",
      detail:
        "the store refuses to replace the current version of an object, so no run can publish. Some stores do so where versioning is on: use a bucket that never had versioning.",
    });
  });

  test.each([
    [0o700, "ok"],
    [0o740, "warn"],
    [0o701, "warn"],
  ])("of the state with mode %o is private: %s", async (mode, result) => {
    const folder = makeScratchFolder();
    await chmod(folder, mode);
    const checks = await checkStore("private", `file:${folder}`, createMemoryStore());
    const detail =
      result === "ok"
        ? `${folder} is for its owner alone`
        : `${folder} can be read by other users of this machine: chmod 700 it.`;
    expect(checks[2]).toEqual({ name: "--state privacy", result, detail });
    expect(await checkStore("public", `file:${folder}`, createMemoryStore())).toHaveLength(2);
  });
});

describe("a bucket", () => {
  /** The checks of a store in memory whose URL is that of a server. */
  async function check(role: StoreRole, changes: Partial<LoopbackS3["moods"]>, aheadMs = 0) {
    const s3 = await startLoopbackS3();
    Object.assign(s3.moods, changes);
    // The server says whole seconds.
    const wallMs = () => Math.floor(Date.now() / 1_000) * 1_000 + aheadMs;
    const url = s3.url("x");
    const checked = await checkStores([{ role, url, store: createMemoryStore() }], wallMs);
    return (checked.get(role) ?? []).slice(2);
  }

  test("of the state is private if strangers get nothing from it", async () => {
    expect((await check("private", {}))[0]).toEqual({
      name: "--state privacy",
      result: "ok",
      detail: "anonymous clients get HTTP 404",
    });
    expect((await check("private", { isRefused: () => true }))[0]?.detail).toBe(
      "anonymous clients get HTTP 403",
    );
    const names = (await check("public", {})).map(({ name }) => name);
    expect(names).toEqual(["--store clock"]);
  });

  test("of the state that strangers can read is a failure", async () => {
    const s3 = await startLoopbackS3();
    const memory = createMemoryStore();
    const store: ObjectStore = {
      ...memory,
      write: (key, object, condition) => {
        s3.objects.set(`x/${key}`, Buffer.from(object.body));
        return memory.write(key, object, condition);
      },
    };
    expect((await checkStore("private", s3.url("x"), store))[2]).toEqual({
      name: "--state privacy",
      result: "fail",
      detail:
        "anonymous clients get HTTP 200: everyone can read the state. Remove the anonymous right to read from that bucket or prefix.",
    });
  });

  test.each([
    [27_000, "ok", /^2[678] s from the store's$/u],
    [-27_000, "ok", /^2[678] s from the store's$/u],
    [33_000, "warn", /^3[234] s from the store's\. Set the clock of this machine \(NTP\)\.$/u],
    [290_000, "warn", /^(?:289|290|291) s from/u],
    [303_000, "fail", /^30[234] s from/u],
    [-303_000, "fail", /^30[234] s from/u],
  ])("whose clock differs by %i ms is %s", async (aheadMs, result, words) => {
    expect((await check("public", {}, aheadMs))[0]).toEqual({
      name: "--store clock",
      result,
      detail: expect.stringMatching(words),
    });
  });

  test("that does not send its time is a doubt", async () => {
    const server = createServer((_, response) => {
      response.sendDate = false;
      response.writeHead(404).end();
    });
    const { port, setUp } = await listenOnOff(server);
    onTestFinished(() => setUp(false));
    const url = `s3://bucket?endpoint=http://127.0.0.1:${port}/`;
    const given = { role: "public", url, store: createMemoryStore() } as const;
    const checked = await checkStores([given], () => 0);
    const detail = "the store does not send its time";
    expect(checked.get("public")?.[2]).toEqual({ name: "--store clock", result: "warn", detail });
  });

  test("that gives no answer has no clock", async () => {
    expect((await checkStore("private", EXACT, createMemoryStore())).slice(2)).toEqual([
      {
        name: "--state clock",
        result: "fail",
        detail: "http://127.0.0.1:1 gave no answer.",
      },
    ]);
  });

  test.each([
    ["auto", "unquoted", "; etag=unquoted in its URL saves two requests in each run"],
    ["auto", "quoted", ""],
    ["unquoted", "unquoted", ""],
  ] as const)("with etag=%s and tags that are %s is advised: %j", async (set, seen, advice) => {
    const store: ObjectStore = { ...createMemoryStore(), etagStyle: () => seen };
    const [first] = await checkStore("public", `${EXACT}&etag=${set}`, store);
    expect(first?.detail).toBe(`memory: can be read, written and removed from${advice}`);
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
    expect(await details(DIRECTORY, "WrongKey")).toEqual(both);
  });

  test("in the one bucket of both, at the place that all have, is told once", async () => {
    const bucket = "s3://bucket";
    const stores = (["public", "private", "exchange"] as const).map((role) => ({
      role,
      url: bucket,
      store: failing(`${role}: wrong key`, "WrongKey"),
    }));
    const checked = await checkStores(stores, () => 0);
    expect([...checked.values()].flat().map(({ detail }) => detail)).toEqual([
      "public: wrong key",
      "the same fault as of --store.",
      "the same fault as of --store.",
    ]);
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
    expect(await checkKeys(EXACT, losing)).toEqual([
      {
        name: "--store keys",
        result: "fail",
        detail: `the store loses x or x/y if both exist. ${KEYS_CURE}`,
      },
    ]);
    const blind: ObjectStore = { ...store, list: async () => [] };
    expect(await checkKeys(EXACT, blind)).toEqual([
      {
        name: "--store keys",
        result: "warn",
        detail: `the store does not list x if there is x/y, so a backup made by listing loses x. ${KEYS_CURE}`,
      },
    ]);
    expect([...store.objects.keys()]).toEqual([]);
  });

  test("are written as a run does: the deepest first, each only if it is absent", async () => {
    const memory = createMemoryStore();
    const written: string[] = [];
    const store: ObjectStore = {
      ...memory,
      write: async (key, object, condition) => {
        written.push(`${key.replace(/[\da-f-]{36}/u, "ID")} ${condition?.kind}`);
        return memory.write(key, object, condition);
      },
    };
    expect(await checkKeys(EXACT, store)).toEqual([
      {
        name: "--store keys",
        result: "ok",
        detail: "keeps x, x/y and x/y/z, and lists all of them",
      },
    ]);
    expect(written).toEqual([
      "doctor/ID.list/detail.json/part.json absent",
      "doctor/ID.list/detail.json absent",
      "doctor/ID.list absent",
    ]);
  });

  test("that cannot be created or removed are a failure", async () => {
    const memory = createMemoryStore();
    const held: ObjectStore = { ...memory, write: async () => ({ kind: "conflict" }) };
    expect((await checkKeys(EXACT, held))[0]).toMatchObject({
      result: "fail",
      detail: `the store refuses to create x while there is x/y. ${KEYS_CURE}`,
    });
    const down: ObjectStore = {
      ...memory,
      write: () => Promise.reject(new StoreError("write", "x", "the disk is full")),
      remove: () => Promise.reject(new StoreError("remove", "x", "refused.")),
    };
    expect((await checkKeys(EXACT, down))[0]).toMatchObject({
      result: "fail",
      detail: "the disk is full",
    });
  });
});

describe("the inbox", () => {
  const S3 = "s3://bucket?endpoint=http://127.0.0.1:1/";
  const failing = (operation: "write" | "list" | "remove"): ObjectStore => ({
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

  test("without the right to find what is not listed says so", async () => {
    const store: ObjectStore = {
      ...createMemoryStore(),
      list: async () => [],
      has: () => Promise.reject(new StoreError("find", "inbox", "refused.")),
    };
    expect((await checkInbox(S3, store, 0))[0]?.detail).toBe(
      "refused. It needs s3:GetObject on inbox/*.",
    );
  });

  test("is told of each right that is missing", async () => {
    const store: ObjectStore = {
      ...failing("list"),
      remove: (key) => failing("remove").remove(key),
    };
    expect((await checkInbox(S3, store, 0)).map(({ detail }) => detail)).toEqual([
      "refused. It needs s3:ListBucket on the bucket.",
      "refused. It needs s3:DeleteObject on inbox/*.",
    ]);
  });

  test("gets a batch without reports, of the time of the check", async () => {
    const memory = createMemoryStore();
    const written: string[] = [];
    const store: ObjectStore = {
      ...memory,
      write: (key, object, condition) => {
        written.push(`${key.slice(0, 20)} ${condition?.kind}`);
        return memory.write(key, object, condition);
      },
    };
    await checkInbox(DIRECTORY, store, 1_800_000_000_000);
    expect(written).toEqual(["inbox/1800000000000- absent"]);
  });

  test("that lists nothing of what it has is a failure", async () => {
    const store: ObjectStore = { ...createMemoryStore(), list: async () => [] };
    expect((await checkInbox(S3, store, 0))[0]).toMatchObject({
      result: "fail",
      detail: "memory: a written object is not listed. It needs s3:ListBucket on the bucket.",
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
