import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { StoreError } from "../../src/model/store.ts";
import { publishAll } from "../publish/publish-all.ts";
import { removeLeftovers } from "../../src/store/atomic-file.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { describeStore, readText, toObject } from "./contract.ts";
import { makeScratchFolder } from "./scratch.ts";

const isRoot = process.geteuid?.() === 0;

describeStore("the directory store", async () => createDirectoryStore(makeScratchFolder()));

test("lists neither temporary files nor the target of a link", async () => {
  const [root, elsewhere] = [makeScratchFolder(), makeScratchFolder()];
  const store = createDirectoryStore(root);
  await store.write("api/v1/status", toObject("list"));
  writeFileSync(join(root, ".tmp", "half-written"), "x");
  writeFileSync(join(elsewhere, "private"), "x");
  symlinkSync(elsewhere, join(root, "link"));
  mkdirSync(join(root, "a/b/c"), { recursive: true });
  writeFileSync(join(root, ".hidden"), "x");
  const { names, isComplete } = await store.listAll(100);
  expect(names.toSorted()).toEqual([".hidden", "api/v1/status.json", "link"]);
  expect(isComplete).toBe(true);
  // Folders count: there may be millions of empty ones.
  expect((await store.listAll(4)).isComplete).toBe(false);
});

/** The message of the `StoreError` that the action must end with. */
async function failureOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreError);
  return error instanceof StoreError ? error.message : "";
}

/** Mounts a file system of 64 KiB in memory, until the test is over; false where that is not allowed. */
function tryMount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder], { stdio: "ignore" }));
  return true;
}

describe("files", () => {
  test("every write succeeds while many writers make and prune the same folders", async () => {
    const store = createDirectoryStore(makeScratchFolder());
    const writeAndRemove = async (key: string, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await store.write(key, toObject("x"));
        await store.remove(key);
      }
    };
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => writeAndRemove(`m/${at % 3}/a/b/c/d`, 12)),
    );
    await store.write("m/0/a/b/c/d", toObject("here"));
    expect(await readText(store, "m/0/a/b/c/d")).toBe("here");
  });

  test("a key without an extension becomes a .json file, any other keeps its name", async () => {
    const root = makeScratchFolder();
    const store = createDirectoryStore(root);
    for (const key of ["api/v1/status", "api/v1/status/sberbank", "api/m/x/badge.svg", "state"]) {
      await store.write(key, toObject(key));
    }
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    expect(files.toSorted()).toEqual([
      "api/m/x/badge.svg",
      "api/v1/status.json",
      "api/v1/status/sberbank.json",
      "state.json",
    ]);
  });

  test("creating a store, reading and removing make no folder", async () => {
    const root = join(makeScratchFolder(), "public");
    const store = createDirectoryStore(root);
    expect(await store.read("api/v1/status")).toBeUndefined();
    await store.remove("api/v1/status");
    expect(existsSync(root)).toBe(false);
  });

  test.each([
    ["public", 0o644, 0o755],
    ["private", 0o600, 0o700],
    ["registry", 0o600, 0o700],
    ["exchange", 0o644, 0o755],
    ["ask", 0o644, 0o755],
    ["evidence", 0o644, 0o755],
  ] as const)("a %s store sets the modes of files and folders", async (role, file, folder) => {
    const root = join(makeScratchFolder(), "new");
    const before = process.umask(0o022);
    onTestFinished(() => void process.umask(before));
    await createDirectoryStore(root, { role }).write("a/b.svg", toObject("x"));
    expect(statSync(join(root, "a/b.svg")).mode & 0o777).toBe(file);
    expect(statSync(join(root, "a")).mode & 0o777).toBe(folder);
    expect(statSync(root).mode & 0o777).toBe(folder);
  });

  test("removing the last object of a folder removes the folder, but never the root", async () => {
    const root = makeScratchFolder();
    const store = createDirectoryStore(root);
    await store.write("api/m/x/badge.svg", toObject("x"));
    await store.write("api/v1/status", toObject("x"));
    await store.remove("api/m/x/badge.svg");
    expect(readdirSync(join(root, "api"))).toEqual(["v1"]);
    await store.remove("api/v1/status");
    expect(readdirSync(root)).toEqual([".tmp"]);
  });

  test("a file that became a link is replaced, and its target is not", async () => {
    const root = makeScratchFolder();
    const target = join(makeScratchFolder(), "precious");
    writeFileSync(target, "precious");
    symlinkSync(target, join(root, "state.json"));
    await createDirectoryStore(root).write("state", toObject("new"));
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(readFileSync(join(root, "state.json"), "utf8")).toBe("new");
  });

  test("publishing the same again does not touch files: same inode, same time", async () => {
    const root = makeScratchFolder();
    const documents = ["api/v1/status/a", "api/v1/status"].map((key) => ({
      key,
      ...toObject(key),
    }));
    const paths = ["api/v1/status/a.json", "api/v1/status.json"].map((path) => join(root, path));
    const publishOnce = () => publishAll(createDirectoryStore(root), documents, { removeKeys: [] });
    await publishOnce();
    const longAgo = new Date("2020-01-01T00:00:00Z");
    for (const path of paths) utimesSync(path, longAgo, longAgo);
    const before = paths.map((path) => statSync(path, { bigint: true }));
    expect(await publishOnce()).toMatchObject({ written: 0, unchanged: 2, removed: 0 });
    const after = paths.map((path) => statSync(path, { bigint: true }));
    expect(after.map(({ ino, mtimeNs, ctimeNs }) => [ino, mtimeNs, ctimeNs])).toEqual(
      before.map(({ ino, mtimeNs, ctimeNs }) => [ino, mtimeNs, ctimeNs]),
    );
  });
});

describe("leftovers of crashed writers", () => {
  test("the first write removes those older than an hour, and no newer ones", async () => {
    const root = makeScratchFolder();
    mkdirSync(join(root, ".tmp"));
    const [old, young] = [join(root, ".tmp/old"), join(root, ".tmp/young")];
    for (const path of [old, young]) writeFileSync(path, "half a docum");
    const hourAgo = Date.now() / 1_000 - 3_700;
    utimesSync(old, hourAgo, hourAgo);
    await createDirectoryStore(root).write("a", toObject("x"));
    expect(readdirSync(join(root, ".tmp"))).toEqual(["young"]);
  });

  test("an hour is not too old, a millisecond more is", async () => {
    const folder = makeScratchFolder();
    const nowMs = 1_800_000_000_000;
    for (const [name, ageMs] of Object.entries({ old: 3_600_001, young: 3_600_000 })) {
      writeFileSync(join(folder, name), "half a docum");
      utimesSync(join(folder, name), nowMs / 1_000, (nowMs - ageMs) / 1_000);
    }
    await removeLeftovers(folder, nowMs);
    expect(readdirSync(folder)).toEqual(["young"]);
  });

  test("forty writes at once have their own ends", async () => {
    const store = createDirectoryStore(makeScratchFolder());
    await store.write("7.txt", toObject("earlier"));
    const ends = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        store.write(`${at % 20}.txt`, toObject(String(at)), { kind: "absent" }),
      ),
    );
    const written = ends.flatMap(({ kind }, at) => (kind === "written" ? [at % 20] : []));
    const others = Array.from({ length: 20 }, (_, at) => at).filter((at) => at !== 7);
    expect(written.toSorted((a, b) => a - b)).toEqual(others);
    for (const [at, end] of ends.entries()) {
      if (end.kind !== "written") continue;
      expect((await store.read(`${at % 20}.txt`))?.body.toString()).toBe(String(at));
    }
  });

  test("a lock that its holder refreshes is waited for, a stale one taken over", async () => {
    const root = makeScratchFolder();
    const lock = join(root, ".tmp/lock");
    mkdirSync(lock, { recursive: true });
    const ageTo = (seconds: number): void => {
      const bornAtSeconds = Date.now() / 1_000 - seconds;
      utimesSync(lock, bornAtSeconds, bornAtSeconds);
    };
    ageTo(0);
    let isWritten = false;
    const write = createDirectoryStore(root).write("a", toObject("x"), { kind: "absent" });
    const written = write.finally(() => (isWritten = true));
    for (let times = 0; times < 10; times += 1) {
      await sleep(50);
      ageTo(1);
      expect(isWritten).toBe(false);
    }
    ageTo(6);
    expect(await written).toMatchObject({ kind: "written" });
  });

  test("no write leaves a temporary file, not even one that fails or loses", async () => {
    const root = makeScratchFolder();
    const store = createDirectoryStore(root);
    await store.write("a", toObject("x"));
    const lost = await store.write("a", toObject("y"), { kind: "absent" });
    expect(lost).toEqual({ kind: "conflict" });
    mkdirSync(join(root, "b.svg/full"), { recursive: true });
    await failureOf(store.write("b.svg", toObject("x")));
    expect(readdirSync(join(root, ".tmp"))).toEqual([]);
  });
});

describe("failures say what to fix", () => {
  test("a root that is a file", async () => {
    const root = join(makeScratchFolder(), "public");
    writeFileSync(root, "");
    const store = createDirectoryStore(root);
    for (const act of [
      () => store.read("a/b"),
      () => store.write("a/b", toObject("x")),
      () => store.remove("a/b"),
    ]) {
      const message = await failureOf(act());
      expect(message).toMatch(/\((ENOTDIR|EEXIST)\): a file is in the place of a folder/);
      expect(message).toContain(root);
      expect(message).toContain("point --store at a folder");
    }
  });

  test("a place where no folder can be made, although its parent exists", async () => {
    // Node's recursive mkdir never returns here.
    const store = createDirectoryStore("/proc/status-snapshot-test");
    const precondition = { kind: "absent" } as const;
    for (const act of [
      () => store.write("a/b", toObject("x")),
      () => store.write("a/b", toObject("x"), precondition),
    ]) {
      expect(await failureOf(act())).toMatch(/cannot write a\/b \((ENOENT|EACCES|EPERM|EROFS)\)/);
    }
  });

  test("a folder in the place of an object", async () => {
    const root = makeScratchFolder();
    mkdirSync(join(root, "state.json"));
    const store = createDirectoryStore(root, { role: "private" });
    for (const act of [() => store.read("state"), () => store.write("state", toObject("x"))]) {
      const message = await failureOf(act());
      expect(message).toContain("a folder is in the place of the file");
      expect(message).toContain(join(root, "state.json"));
    }
  });

  // Root may do everything, so for this test alone the process runs as the user `nobody`.
  test("a folder that this user is not allowed to use", async () => {
    const root = makeScratchFolder();
    mkdirSync(join(root, "locked"));
    chmodSync(root, 0o755);
    chmodSync(join(root, "locked"), isRoot ? 0o700 : 0o000);
    onTestFinished(() => {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(root, "locked"), 0o700);
    });
    if (isRoot) process.seteuid?.(65_534);
    const store = createDirectoryStore(join(root, "locked"), { role: "private" });
    for (const act of [() => store.read("state"), () => store.write("state", toObject("x"))]) {
      const message = await failureOf(act());
      expect(message).toContain("(EACCES): this user is not allowed to use");
      expect(message).toContain(join(root, "locked"));
      expect(message).toContain("--state");
    }
  });

  test("a full disk: the old object and no temporary file remain", async (context) => {
    const root = makeScratchFolder();
    if (!tryMount(root)) context.skip("mounting is not allowed here");
    const store = createDirectoryStore(root);
    await store.write("api/v1/status", toObject("old"));
    const message = await failureOf(
      store.write("api/v1/status", toObject(new Uint8Array(1_000_000))),
    );
    expect(message).toContain("cannot write api/v1/status (ENOSPC): no space");
    expect(message).toContain(root);
    expect(message).toContain("point --store at another disk");
    expect(await readText(store, "api/v1/status")).toBe("old");
    expect(readdirSync(join(root, ".tmp"))).toEqual([]);
    await store.write("api/v1/status", toObject("new"));
    expect(await readText(store, "api/v1/status")).toBe("new");
  });

  test("a read-only file system", async (context) => {
    const root = makeScratchFolder();
    if (!tryMount(root)) context.skip("mounting is not allowed here");
    const store = createDirectoryStore(root);
    await store.write("a", toObject("old"));
    execFileSync("mount", ["-o", "remount,ro", root]);
    expect(await failureOf(store.write("a", toObject("new")))).toContain(
      "(EROFS): " + join(root, ".tmp"),
    );
    expect(await failureOf(store.remove("a"))).toContain("read-only file system");
    expect(await readText(store, "a")).toBe("old");
  });
});

test("writes to a store whose lock cannot be made fail, all that wait for it", async () => {
  const folder = makeScratchFolder();
  writeFileSync(join(folder, "file"), "");
  const store = createDirectoryStore(join(folder, "file", "store"));
  const writes = ["a", "b", "c"].map((key) =>
    failureOf(store.write(key, toObject("x"), { kind: "absent" })),
  );
  for (const message of await Promise.all(writes)) expect(message).toMatch(/ENOTDIR|folder/u);
});
