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
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  addToRegistry,
  generateMonitorId,
  removeFromRegistry,
  setPublicInRegistry,
} from "../../src/commands/monitor-edit.ts";
import {
  openRegistry,
  readRegistry,
  type RegistryPlace,
} from "../../src/commands/monitors-file.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { parseMonitors } from "../../src/monitors/parse.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const rules = { refusalOfUrl: () => undefined };
const newId = (): string => "fresh";

async function placeAt(path: string): Promise<RegistryPlace> {
  const opened = await openRegistry(path);
  if ("problem" in opened) throw new Error(opened.problem);
  return opened.value;
}

function idsIn(bytes: Uint8Array | string): readonly string[] {
  const parsed = parseMonitors(bytes, rules);
  expect(parsed.problems).toEqual([]);
  return parsed.monitors.map(({ id }) => id);
}

describe("the place of a registry", () => {
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
  ])("%s is understood", async (text, place) => {
    expect(await placeAt(text)).toMatchObject(place);
  });

  test.each(["", "s3://bucket", "s3://bucket/", "s3://No_Bucket/x", "s3://bucket/x?a=1", "file:"])(
    "%j is refused with a sentence",
    async (text) => {
      expect(await openRegistry(text)).toMatchObject({ problem: expect.stringMatching(/\.$/u) });
    },
  );
});

describe("a file", () => {
  test("that is missing is made by the first addition, for its owner alone, in the format of its name", async () => {
    const folder = makeScratchFolder();
    for (const [name, beginning] of [
      ["monitors.yaml", "monitors:\n  - { id: fresh"],
      ["list.jsonl", '{"id":"fresh"'],
    ] as const) {
      const place = await placeAt(join(folder, name));
      expect(await readRegistry(place)).toEqual({ kind: "absent" });
      for (const edit of [
        removeFromRegistry("a", { place, rules }),
        setPublicInRegistry("a", true, { place, rules }),
      ]) {
        expect(await edit).toMatchObject({ kind: "refused" });
      }
      expect(await readdir(folder)).not.toContain(name);
      const added = await addToRegistry("https://a.example", {}, { place, rules, newId });
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
    const place = await placeAt(link);
    await addToRegistry("https://a.example", { isPublic: true }, { place, rules, newId });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(idsIn(await readFile(file))).toEqual(["fresh"]);
    expect((await stat(file)).mode & 0o777).toBe(0o664);
    expect(await readdir(folder)).toEqual(["monitors.yaml", "real"]);
  });

  test("is added to, published, unpublished and removed from, and is as before in the end", async () => {
    const file = join(makeScratchFolder(), "monitors.yaml");
    const before = "# ours\nmonitors:\n  - { id: a, url: https://a.example/ } # x\n";
    await writeFile(file, before);
    const place = await placeAt(`file:${file}`);
    const added = await addToRegistry(
      "https://b.example",
      { id: "b", name: "Б", label: "сайт" },
      { place, rules, newId },
    );
    expect(added).toMatchObject({ kind: "done", monitor: { id: "b", name: "Б", label: "сайт" } });
    const after = await readFile(file, "utf8");
    expect(await setPublicInRegistry("b", true, { place, rules })).toMatchObject({
      monitor: { id: "b", isPublic: true },
    });
    expect(await setPublicInRegistry("b", false, { place, rules })).toMatchObject({
      monitor: { id: "b", isPublic: false },
    });
    expect(await readFile(file, "utf8")).toBe(after.replace('"сайт" }', '"сайт", public: false }'));
    expect(await removeFromRegistry("b", { place, rules })).toMatchObject({
      kind: "done",
      monitor: { id: "b" },
    });
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("is not touched when there is nothing to change or the edit is refused", async () => {
    const file = join(makeScratchFolder(), "monitors.yaml");
    await writeFile(file, "monitors:\n  - { id: shop, url: https://a.example/ }\n");
    await utimes(file, 1, 1);
    const place = await placeAt(file);
    await setPublicInRegistry("shop", false, { place, rules });
    const unknown = await removeFromRegistry("shp", { place, rules });
    expect(unknown).toEqual({
      kind: "refused",
      message: 'no monitor has the id "shp". Did you mean shop?',
    });
    const taken = await addToRegistry("https://x.example", { id: "SHOP" }, { place, rules, newId });
    expect(taken).toMatchObject({ kind: "refused" });
    expect((await stat(file)).mtimeMs).toBe(1_000);
  });

  test("that is a folder, lies in none, is no text, or is a dangling link is told as it is", async () => {
    const folder = makeScratchFolder();
    await writeFile(join(folder, "bad"), Buffer.from([0xff]));
    await symlink("nowhere", join(folder, "link"));
    for (const [name, words] of [
      [".", /is a directory/u],
      ["none/monitors.yaml", /no such folder/u],
      ["bad", /not valid UTF-8/u],
      ["link", /leads nowhere/u],
    ] as const) {
      const place = await placeAt(join(folder, name));
      const edited = await addToRegistry("https://a.example", {}, { place, rules, newId });
      expect(edited).toMatchObject({ kind: "unreachable", message: expect.stringMatching(words) });
    }
    expect(await readRegistry(await placeAt(folder))).toMatchObject({ kind: "unreachable" });
    expect((await readdir(folder)).toSorted()).toEqual(["bad", "link"]);
  });

  test("whose editor was killed is free again once its lock is old", async () => {
    const file = join(makeScratchFolder(), "list.jsonl");
    await mkdir(`${file}.lock`);
    const longAgo = Date.now() / 1_000 - 60;
    await utimes(`${file}.lock`, longAgo, longAgo);
    const place = await placeAt(file);
    await addToRegistry("https://a.example", {}, { place, rules, newId });
    expect(idsIn(await readFile(file))).toEqual(["fresh"]);
  });

  test("that a person saves meanwhile is read again, and nothing of either is lost", async () => {
    const file = join(makeScratchFolder(), "list.jsonl");
    await writeFile(file, '{"id":"a","url":"https://a.example/"}\n');
    const place = await placeAt(file);
    let asked = 0;
    const saving = {
      refusalOfUrl: (): undefined => {
        asked += 1;
        // The text is in hand by now, and the file not yet written.
        if (asked === 1) appendFileSync(file, '{"id":"b","url":"https://b.example/"}\n');
      },
    };
    await addToRegistry("https://c.example", { id: "c" }, { place, rules: saving, newId });
    expect(idsIn(await readFile(file))).toEqual(["a", "b", "c"]);
  });
});

test.each(["monitors.yaml", "list.jsonl"])(
  "two processes that add to %s at once lose nothing",
  async (name) => {
    const folder = makeScratchFolder();
    const file = join(folder, name);
    const script = fileURLToPath(new URL("add-monitors-script.ts", import.meta.url));
    await Promise.all(
      ["left", "right"].map((prefix) =>
        promisify(execFile)(process.execPath, ["--import", "tsx", script, file, prefix, "50"]),
      ),
    );
    const ids = idsIn(await readFile(file));
    expect(new Set(ids).size).toBe(100);
    expect(ids).toHaveLength(100);
    expect(await readdir(folder)).toEqual([name]);
  },
);

describe("an object in a bucket", () => {
  function placeIn(store: ObjectStore): RegistryPlace {
    return { kind: "object", name: "s3://bucket/list.jsonl", store, key: "list.jsonl" };
  }

  test("takes the additions of many editors at once", async () => {
    const store = createMemoryStore();
    const place = placeIn(store);
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        addToRegistry(`https://m${index}.example`, { id: `m${index}` }, { place, rules, newId }),
      ),
    );
    expect(added.map(({ kind }) => kind)).toEqual(added.map(() => "done"));
    const held = store.objects.get("list.jsonl");
    expect(idsIn(held?.body ?? "")).toHaveLength(20);
    expect(held?.contentType).toBe("application/x-ndjson");
  });

  test("whose answer to a write was lost has the entry once, and the edit is done", async () => {
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
    const place = placeIn(store);
    const added = await addToRegistry("https://a.example", { id: "a" }, { place, rules, newId });
    expect(added).toMatchObject({ kind: "done", monitor: { id: "a" } });
    expect(idsIn(memory.objects.get("list.jsonl")?.body ?? "")).toEqual(["a"]);
    const removed = await removeFromRegistry("a", { place, rules });
    expect(removed).toMatchObject({ kind: "done", monitor: { id: "a" } });
    expect(losses).toBe(2);
    expect(idsIn(memory.objects.get("list.jsonl")?.body ?? "x")).toEqual([]);
  });

  test("that cannot be reached is told in the store's words", async () => {
    const fail = (): never => {
      throw new StoreError("read", "list.jsonl", "s3://bucket: nobody answers.");
    };
    const place = placeIn({ ...createMemoryStore(), read: async () => fail() });
    const unreachable = { kind: "unreachable", message: expect.stringContaining("nobody answers") };
    expect(await readRegistry(place)).toEqual(unreachable);
    expect(await removeFromRegistry("a", { place, rules })).toEqual(unreachable);
  });
});

test("a generated id is drawn again while it is taken, and the user's own is not", async () => {
  const file = join(makeScratchFolder(), "list.jsonl");
  await writeFile(file, '{"id":"one","url":"https://a.example/"}\n');
  const place = await placeAt(file);
  const ids = ["One", "two", "three"];
  const tools = { place, rules, newId: () => ids.shift() ?? "none" };
  expect(await addToRegistry("https://b.example", {}, tools)).toMatchObject({
    monitor: { id: "two" },
  });
});

test("generated ids are 128 bits of base64url, never an option of a command line", () => {
  const ids = Array.from({ length: 2_000 }, generateMonitorId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/u);
});
