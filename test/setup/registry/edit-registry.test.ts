import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  addToRegistry,
  generateMonitorId,
  removeFromRegistry,
  setPublicInRegistry,
} from "../../../src/setup/registry/edit-registry.ts";
import { readRegistry } from "../../../src/setup/registry/read-registry.ts";
import { READ_BYTES } from "../../../src/setup/registry/registry-file.ts";
import { openRegistry, type PartLocation } from "../../../src/setup/registry/registry-location.ts";
import { type ObjectStore, StoreError } from "../../../src/model/store.ts";
import { parseMonitors } from "../../../src/monitors/registry/parse-registry.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { bundleScript } from "../../run-script.ts";

const rules = { refusalOfUrl: () => undefined };
const newId = (): string => "fresh";
const MISSING = "the folder does not exist, or the link leads nowhere; create it first.";

async function locate(path: string): Promise<PartLocation> {
  const opened = await openRegistry(path);
  if ("problem" in opened) throw new Error(opened.problem);
  if (opened.value.kind === "shards") throw new Error(`${path} is a folder`);
  return opened.value;
}

function idsIn(bytes: Uint8Array | string): readonly string[] {
  const parsed = parseMonitors(bytes, rules);
  expect(parsed.problems).toEqual([]);
  return parsed.monitors.map(({ id }) => id);
}

describe("the location of a registry", () => {
  test.each([
    ["monitors.yaml", { kind: "file", path: "monitors.yaml" }],
    ["file:a/list.jsonl", { kind: "file", path: "a/list.jsonl" }],
    ["file:///srv/a%20b.yaml", { kind: "file", path: "/srv/a b.yaml" }],
    [
      "s3://bucket/a/list.jsonl?endpoint=http://127.0.0.1:1/",
      { kind: "object", key: "list.jsonl" },
    ],
    [
      "s3://bucket/list.jsonl",
      { kind: "object", key: "list.jsonl", name: "s3://bucket/list.jsonl" },
    ],
  ])("%s is understood", async (text, location) => {
    expect(await locate(text)).toMatchObject(location);
  });

  test.each(["", "s3://bucket", "s3://No_Bucket/x", "s3://bucket/x?a=1", "file:"])(
    "%j is refused with a sentence",
    async (text) => {
      expect(await openRegistry(text)).toMatchObject({ problem: expect.stringMatching(/\.$/u) });
    },
  );
});

describe("a file", () => {
  test("that is missing is created private, in the format of its name", async () => {
    const folder = makeScratchFolder();
    for (const [name, beginning] of [
      ["monitors.yaml", "monitors:\n  - { id: fresh"],
      ["list.jsonl", '{"id":"fresh"'],
    ] as const) {
      const location = await locate(join(folder, name));
      expect(await readRegistry(location)).toEqual({ kind: "absent" });
      for (const edit of [
        removeFromRegistry("a", { location, rules }),
        setPublicInRegistry("a", true, { location, rules }),
      ]) {
        expect(await edit).toMatchObject({ kind: "refused" });
      }
      expect(await readdir(folder)).not.toContain(name);
      const added = await addToRegistry("https://a.example", {}, { location, rules, newId });
      expect(added).toEqual({
        kind: "done",
        monitor: { id: "fresh", url: "https://a.example/", name: "a.example", isPublic: false },
      });
      const text = await readFile(join(folder, name), "utf8");
      expect(text.slice(0, beginning.length)).toBe(beginning);
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
    expect((await readdir(folder)).toSorted()).toEqual(["list.jsonl", "monitors.yaml"]);
  });

  test("keeps its mode, and a link to it stays a link", async () => {
    const folder = makeScratchFolder();
    await mkdir(join(folder, "real"));
    const file = join(folder, "real/list.jsonl");
    await writeFile(file, "");
    await chmod(file, 0o664);
    const link = join(folder, "monitors.yaml");
    await symlink("real/list.jsonl", link);
    const location = await locate(link);
    await addToRegistry("https://a.example", { public: true }, { location, rules, newId });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(idsIn(await readFile(file))).toEqual(["fresh"]);
    expect((await stat(file)).mode & 0o777).toBe(0o664);
    expect(await readdir(folder)).toEqual(["monitors.yaml", "real"]);
  });

  test("is unchanged after a monitor was added, published, unpublished and removed", async () => {
    const file = join(makeScratchFolder(), "monitors.yaml");
    const before = "# ours\nmonitors:\n  - { id: a, url: https://a.example/ } # x\n";
    await writeFile(file, before);
    const location = await locate(`file:${file}`);
    const added = await addToRegistry(
      "https://b.example",
      { id: "b", name: "Б", label: "сайт" },
      { location, rules, newId },
    );
    expect(added).toMatchObject({ kind: "done", monitor: { id: "b", name: "Б", label: "сайт" } });
    const after = await readFile(file, "utf8");
    expect(await setPublicInRegistry("b", true, { location, rules })).toMatchObject({
      monitor: { id: "b", isPublic: true },
    });
    expect(await setPublicInRegistry("b", false, { location, rules })).toMatchObject({
      monitor: { id: "b", isPublic: false },
    });
    expect(await readFile(file, "utf8")).toBe(after.replace('"сайт" }', '"сайт", public: false }'));
    expect(await removeFromRegistry("b", { location, rules })).toMatchObject({
      kind: "done",
      monitor: { id: "b" },
    });
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("is not written if nothing changes or the edit is refused", async () => {
    const file = join(makeScratchFolder(), "monitors.yaml");
    await writeFile(file, "monitors:\n  - { id: shop, url: https://a.example/ }\n");
    await utimes(file, 1, 1);
    const location = await locate(file);
    await setPublicInRegistry("shop", false, { location, rules });
    const unknown = await removeFromRegistry("shp", { location, rules });
    expect(unknown).toEqual({
      kind: "refused",
      message: 'no monitor has the id "shp". Did you mean shop?',
    });
    const taken = await addToRegistry(
      "https://x.example",
      { id: "SHOP" },
      { location, rules, newId },
    );
    expect(taken).toMatchObject({ kind: "refused" });
    expect((await stat(file)).mtimeMs).toBe(1_000);
  });

  test("that cannot be read has its own message for each reason", async () => {
    const folder = makeScratchFolder();
    await writeFile(join(folder, "bad"), Buffer.from([0xff]));
    await symlink("nowhere", join(folder, "link"));
    for (const [name, words] of [
      ["none/monitors.yaml", MISSING],
      ["bad", "it is not valid UTF-8; save it as UTF-8."],
      ["link", MISSING],
    ] as const) {
      const location = await locate(join(folder, name));
      const edited = await addToRegistry("https://a.example", {}, { location, rules, newId });
      expect(edited).toEqual({
        kind: "unreachable",
        message: `monitors ${location.name}: ${words}`,
      });
    }
    const long = await locate(join(folder, "x".repeat(300)));
    expect(await removeFromRegistry("a", { location: long, rules })).toEqual({
      kind: "unreachable",
      message: expect.stringMatching(/^monitors .+: ENAMETOOLONG: /u),
    });
    expect((await readdir(folder)).toSorted()).toEqual(["bad", "link"]);
  });

  test("whose editor was killed can be edited when its lock is old", async () => {
    const file = join(makeScratchFolder(), "list.jsonl");
    await mkdir(`${file}.lock`);
    const longAgo = Date.now() / 1_000 - 60;
    await utimes(`${file}.lock`, longAgo, longAgo);
    const location = await locate(file);
    await addToRegistry("https://a.example", {}, { location, rules, newId });
    expect(idsIn(await readFile(file))).toEqual(["fresh"]);
  });

  test("that a text editor saves meanwhile is read again, and no edit is lost", async () => {
    const file = join(makeScratchFolder(), "list.jsonl");
    await writeFile(file, '{"id":"a","url":"https://a.example/"}\n');
    const location = await locate(file);
    let asked = 0;
    const saving = {
      refusalOfUrl: (): undefined => {
        asked += 1;
        // The text has been read by now, and the file not yet written.
        if (asked === 1) appendFileSync(file, '{"id":"b","url":"https://b.example/"}\n');
      },
    };
    await addToRegistry("https://c.example", { id: "c" }, { location, rules: saving, newId });
    expect(idsIn(await readFile(file))).toEqual(["a", "b", "c"]);
  });
});

test.each(["monitors.yaml", "list.jsonl"])(
  "two processes that add to %s at once lose nothing",
  async (name) => {
    const folder = makeScratchFolder();
    const file = join(folder, name);
    const script = await bundleScript(new URL("add-monitors-script.ts", import.meta.url));
    await Promise.all(
      ["left", "right"].map((prefix) =>
        promisify(execFile)(process.execPath, [script, file, prefix, "50"]),
      ),
    );
    const ids = idsIn(await readFile(file));
    expect(new Set(ids).size).toBe(100);
    expect(ids).toHaveLength(100);
    expect(await readdir(folder)).toEqual([name]);
  },
);

describe("an object in a bucket", () => {
  function locationIn(store: ObjectStore): PartLocation {
    return { kind: "object", name: "s3://bucket/list.jsonl", store, key: "list.jsonl" };
  }

  test("keeps the additions of many concurrent editors", async () => {
    const store = createMemoryStore();
    const location = locationIn(store);
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        addToRegistry(`https://m${index}.example`, { id: `m${index}` }, { location, rules, newId }),
      ),
    );
    expect(added.map(({ kind }) => kind)).toEqual(added.map(() => "done"));
    const held = store.objects.get("list.jsonl");
    expect(idsIn(held?.body ?? "")).toHaveLength(20);
    expect(held?.contentType).toBe("application/x-ndjson");
  });

  test("has the entry once if the answer to the write was lost", async () => {
    const memory = createMemoryStore();
    let losses = 0;
    const store: ObjectStore = {
      ...memory,
      write: async (key, object, precondition) => {
        const result = await memory.write(key, object, precondition);
        if (losses >= 2) return result;
        losses += 1;
        throw new StoreError("write", key, "lost", { isUnknown: true });
      },
    };
    const location = locationIn(store);
    const added = await addToRegistry("https://a.example", { id: "a" }, { location, rules, newId });
    expect(added).toMatchObject({ kind: "done", monitor: { id: "a" } });
    expect(idsIn(memory.objects.get("list.jsonl")?.body ?? "")).toEqual(["a"]);
    const removed = await removeFromRegistry("a", { location, rules });
    expect(removed).toMatchObject({ kind: "done", monitor: { id: "a" } });
    expect(losses).toBe(2);
    expect(idsIn(memory.objects.get("list.jsonl")?.body ?? "x")).toEqual([]);
  });

  test("that changes before every write is given up after a hundred tries", async () => {
    // Without the pauses between the tries.
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    let tries = 0;
    const write: ObjectStore["write"] = async () => ((tries += 1), { kind: "conflict" });
    const location = locationIn({ ...createMemoryStore(), write });
    expect(await addToRegistry("https://a.example", {}, { location, rules, newId })).toEqual({
      kind: "unreachable",
      message: `monitors ${location.name}: other writers keep changing it; try again later.`,
    });
    expect(tries).toBe(100);
  });

  test("that is longer than any registry is left as it is", async () => {
    const read = async () => ({ body: new Uint8Array(READ_BYTES), etag: "1" });
    const location = locationIn({ ...createMemoryStore(), read });
    expect(await removeFromRegistry("a", { location, rules })).toEqual({
      kind: "unreachable",
      message: `monitors ${location.name}: it is too long to be a registry of monitors.`,
    });
  });

  test("that cannot be reached is reported with the store's message", async () => {
    const fail = (): never => {
      throw new StoreError("read", "list.jsonl", "s3://bucket: nobody answers.");
    };
    const location = locationIn({ ...createMemoryStore(), read: async () => fail() });
    const unreachable = { kind: "unreachable", message: expect.stringContaining("nobody answers") };
    expect(await readRegistry(location)).toEqual(unreachable);
    expect(await removeFromRegistry("a", { location, rules })).toEqual(unreachable);
  });
});

test("a taken generated id is replaced by another, the user's own is not", async () => {
  const file = join(makeScratchFolder(), "list.jsonl");
  await writeFile(file, '{"id":"one","url":"https://a.example/"}\n');
  const location = await locate(file);
  const ids = ["One", "two", "three"];
  const tools = { location, rules, newId: () => ids.shift() ?? "none" };
  expect(await addToRegistry("https://b.example", {}, tools)).toMatchObject({
    monitor: { id: "two" },
  });
});

test("generated ids are 128 bits of base64url, and never look like an option", () => {
  const ids = Array.from({ length: 2_000 }, generateMonitorId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/u);
});
