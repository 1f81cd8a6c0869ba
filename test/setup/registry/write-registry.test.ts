import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Monitor } from "../../../src/model/monitor/monitor.ts";
import { StoreError } from "../../../src/model/store.ts";
import { MAX_BYTES } from "../../../src/monitors/registry/parse-registry.ts";
import { createRegistryParser } from "../../../src/setup/registry/read-monitors.ts";
import { addToRegistry } from "../../../src/setup/registry/edit-registry.ts";
import { readRegistry } from "../../../src/setup/registry/read-registry.ts";
import {
  FEW_SHARDS,
  openRegistry,
  type RegistryLocation,
} from "../../../src/setup/registry/registry-location.ts";
import { writeRegistry } from "../../../src/setup/registry/write-registry.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { makeScratchFolder } from "../../store/scratch.ts";

const RULES = { refusalOfUrl: () => undefined };

function monitorsOf(count: number): readonly Monitor[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `shop-${at}`,
    url: `https://shop-${at}.example.ru/`,
    name: `Shop ${at}`,
    isPublic: at % 2 === 0,
  }));
}

async function locate(path: string): Promise<RegistryLocation> {
  const opened = await openRegistry(path);
  if ("problem" in opened) throw new Error(opened.problem);
  return opened.value;
}

/** Ids in the registry, by the name of the part. */
async function idsIn(location: RegistryLocation): Promise<readonly string[]> {
  const read = await readRegistry(location);
  if (read.kind !== "found") throw new Error(read.kind);
  const { monitors, faults } = createRegistryParser(RULES)(read);
  expect(faults).toEqual([]);
  return monitors.map(({ id }) => id).toSorted();
}

describe("a new registry", () => {
  test.each(["list.yaml", "list.jsonl", "shards/"])("as %s has what it was given", async (name) => {
    const folder = makeScratchFolder();
    const location = await locate(join(folder, name) + (name.endsWith("/") ? "/" : ""));
    const monitors = monitorsOf(40);
    expect(await writeRegistry(location, monitors, RULES)).toBeUndefined();
    expect(await idsIn(location)).toEqual(monitors.map(({ id }) => id).toSorted());
    // Nothing else is left beside it.
    expect(await readdir(folder)).toEqual([name.replace("/", "")]);
  });

  test("of shards has each monitor in its own shard", async () => {
    const folder = join(makeScratchFolder(), "shards");
    await writeRegistry(await locate(`${folder}/`), monitorsOf(3), RULES);
    for (const { id } of monitorsOf(3))
      expect(await readFile(join(folder, FEW_SHARDS.nameOf(id)), "utf8")).toContain(`"${id}"`);
  });

  test("of shards without monitors has the first shard, empty", async () => {
    const folder = join(makeScratchFolder(), "shards");
    expect(await writeRegistry(await locate(`${folder}/`), [], RULES)).toBeUndefined();
    expect(await readdir(folder)).toEqual(["00.jsonl"]);
  });

  test("takes the place of an empty file and of an empty folder", async () => {
    const folder = makeScratchFolder();
    await writeFile(join(folder, "list.jsonl"), "");
    await mkdir(join(folder, "shards"));
    for (const name of ["list.jsonl", "shards/"]) {
      const location = await locate(`${folder}/${name}`);
      expect(await writeRegistry(location, monitorsOf(1), RULES)).toBeUndefined();
      expect(await idsIn(location)).toEqual(["shop-0"]);
    }
  });

  test.each(["list.jsonl", "list.yaml", "shards/"])("overwrites no %s", async (name) => {
    const location = await locate(`${makeScratchFolder()}/${name}`);
    await writeRegistry(location, monitorsOf(2), RULES);
    expect(await writeRegistry(location, monitorsOf(1), RULES)).toEqual({
      kind: "refused",
      message: `monitors ${location.name}: it exists and is not empty; name another place, or move away what is there.`,
    });
    expect(await idsIn(location)).toEqual(["shop-0", "shop-1"]);
  });

  test("that would read as other monitors is refused", async () => {
    const location = await locate(join(makeScratchFolder(), "list.jsonl"));
    const [shop = expect.unreachable()] = monitorsOf(1);
    const unread = { ...shop, url: "https://SHOP.example.ru" };
    expect(await writeRegistry(location, [unread], RULES)).toEqual({
      kind: "refused",
      message: expect.stringMatching(
        /list\.jsonl: the registry cannot have this form: the monitors would change\. JSON lines /u,
      ),
    });
  });

  test("of shards that would read as other monitors is refused, and no folder is made", async () => {
    const folder = makeScratchFolder();
    const location = await locate(join(folder, "shards/"));
    const [shop = expect.unreachable(), ...others] = monitorsOf(3);
    const unread = { ...shop, url: "https://SHOP.example.ru" };
    expect(await writeRegistry(location, [...others, unread], RULES)).toEqual({
      kind: "refused",
      message: expect.stringContaining("the registry cannot have this form"),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("where the store refuses to be read is not written", async () => {
    const memory = createMemoryStore();
    const read = async (key: string): Promise<never> => {
      throw new StoreError("read", key, "it refuses.");
    };
    const store = { ...memory, read };
    const location = { kind: "object", name: "s3://bucket/x", store, key: "x" } as const;
    const message = "monitors s3://bucket/x: it refuses.";
    expect(await writeRegistry(location, monitorsOf(1), RULES)).toEqual({
      kind: "unreachable",
      message,
    });
    expect(memory.objects.size).toBe(0);
  });

  test("whose write had no answer is written if it is there", async () => {
    const memory = createMemoryStore();
    let writes = 0;
    const write: typeof memory.write = async (key, ...more) => {
      writes += 1;
      await memory.write(key, ...more);
      throw new StoreError("write", key, "lost", { isUnknown: true });
    };
    const store = { ...memory, write };
    const location = { kind: "object", name: "s3://bucket/x", store, key: "x" } as const;
    expect(await writeRegistry(location, monitorsOf(2), RULES)).toBeUndefined();
    expect([writes, await idsIn(location)]).toEqual([1, ["shop-0", "shop-1"]]);
  });

  test("that another writer fills meanwhile stays as that one wrote it", async () => {
    const memory = createMemoryStore();
    const other = { body: Buffer.from("x"), contentType: "text/plain", cacheControl: "no-store" };
    const read: typeof memory.read = async (key) => {
      const held = await memory.read(key);
      if (held === undefined) await memory.write(key, other);
      return held;
    };
    const store = { ...memory, read };
    const location = { kind: "object", name: "s3://bucket/list.jsonl", store, key: "x" } as const;
    expect(await writeRegistry(location, monitorsOf(1), RULES)).toMatchObject({
      kind: "refused",
      message: "monitors s3://bucket/list.jsonl: it has been written meanwhile.",
    });
    expect(memory.objects.get("x")?.body).toEqual(other.body);
  });

  test("that YAML has no room for is refused, with the forms that have", async () => {
    const location = await locate(join(makeScratchFolder(), "list.yaml"));
    const body = "x".repeat(1_000);
    const many = monitorsOf(Math.ceil(MAX_BYTES.yaml / body.length)).map((one) => ({
      ...one,
      body,
    }));
    expect(await writeRegistry(location, many, RULES)).toEqual({
      kind: "refused",
      message: expect.stringMatching(
        /list\.yaml: the registry cannot have this form: .+ JSON lines \(a name that ends with \.jsonl\) and shards \(one that ends with \/\) have room for more\.$/u,
      ),
    });
    expect(await readRegistry(location)).toMatchObject({ kind: "absent" });
  });
});

describe("a monitor that is added to shards", () => {
  const add = (location: RegistryLocation, id: string) =>
    addToRegistry(
      "https://new.example.ru/",
      { id, name: "New", public: true },
      { location, rules: RULES, newId: () => "drawn" },
    );

  test("is in the shard of its id", async () => {
    const location = await locate(`${makeScratchFolder()}/shards/`);
    expect(await add(location, "first")).toMatchObject({ kind: "done" });
    expect(await add(location, "second")).toMatchObject({ kind: "done" });
    expect(await idsIn(location)).toEqual(["first", "second"]);
  });

  test("is refused if its id is taken, in any case, in any shard", async () => {
    const location = await locate(`${makeScratchFolder()}/shards/`);
    await add(location, "shop");
    for (const id of ["shop", "SHOP", "Shop"])
      expect(await add(location, id)).toEqual({
        kind: "refused",
        code: "taken",
        message: expect.stringMatching(/"shop" already; use another id/u),
      });
    expect(await idsIn(location)).toEqual(["shop"]);
  });
});
