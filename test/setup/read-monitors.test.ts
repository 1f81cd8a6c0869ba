import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addToRegistry } from "../../src/setup/registry/edit-registry.ts";
import { createRegistryParser } from "../../src/setup/registry/read-monitors.ts";
import { readRegistry } from "../../src/setup/registry/read-registry.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import type { ShardsLocation } from "../../src/setup/registry/registry-location.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { startLoopbackS3 } from "../cli/loopback-s3.ts";
import {
  fileOf,
  lineOf,
  locate,
  makeShards,
  readAll,
  RULES,
  wrongFileOf,
} from "../cli/shard-folder.ts";

const idsOf = (monitors: readonly { readonly id: string }[]): readonly string[] =>
  monitors.map(({ id }) => id).toSorted();

/** A prefix of a bucket. */
function prefixIn(store: ObjectStore): ShardsLocation {
  return {
    kind: "shards",
    name: "s3://bucket/list/",
    partOf: (key) => ({ kind: "object", name: `s3://bucket/list/${key}`, store, key }),
    list: async () => (await store.listAll(1_000)).names,
    create: async () => undefined,
  };
}

describe("the location of shards", () => {
  test.each([
    ["new/", "shards"],
    ["file:new/", "shards"],
    ["new", "file"],
    ["s3://bucket/list/?endpoint=http://127.0.0.1:1/", "shards"],
    ["s3://bucket/?endpoint=http://127.0.0.1:1", "shards"],
    ["s3://bucket/list?endpoint=http://127.0.0.1:1/", "object"],
  ])("%s is understood as %s", async (text, kind) => {
    expect((await locate(text)).kind).toBe(kind);
  });

  test("is any folder that exists, also behind a link", async () => {
    const folder = await makeShards("shop");
    expect((await locate(folder)).kind).toBe("shards");
    await symlink(folder, `${folder}-link`);
    expect(idsOf((await readAll(`${folder}-link`)).monitors)).toEqual(["shop"]);
  });

  test("leads each name into the folder, with one slash", async () => {
    for (const text of ["list/", "list//", "file:list/"]) {
      const location = await locate(text);
      if (location.kind !== "shards") throw new Error("not shards");
      expect(location.partOf("00.jsonl")).toMatchObject({ path: "list/00.jsonl" });
    }
  });
});

describe("shards", () => {
  test("are read together, and most may be missing", async () => {
    const ids = ["bank", "blog", "mail", "shop"];
    const { monitors, problems, faults, isComplete } = await readAll(await makeShards(...ids));
    expect([problems, faults, isComplete]).toEqual([[], [], true]);
    expect(idsOf(monitors)).toEqual(ids);
  });

  test("in a folder without any are an empty registry, without a folder none", async () => {
    const folder = await makeShards();
    const none = { monitors: [], faults: [], isComplete: true, isReadable: true };
    expect(await readAll(folder)).toMatchObject(none);
    expect(await readRegistry(await locate(`${folder}/missing/`))).toEqual({ kind: "absent" });
  });

  test("that a list of the folder misses are read nevertheless", async () => {
    const store = createMemoryStore();
    const object = { contentType: "application/x-ndjson", cacheControl: "no-store" };
    await store.write(fileOf("shop"), { ...object, body: Buffer.from(lineOf("shop")) });
    const list = async () => ["other.txt"];
    const read = await readRegistry({ ...prefixIn(store), list });
    expect(read).toMatchObject({ kind: "found", parts: [{ name: expect.any(String) }] });
  });

  test("among too many other objects are neither read nor edited", async () => {
    const s3 = await startLoopbackS3();
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (let count = 0; count < 5_096; count += 1)
      s3.objects.set(`list/${count}`, Buffer.from("[]"));
    const location = await locate(s3.url("list/"));
    const edit = () =>
      addToRegistry("https://a.example/", {}, { location, rules: RULES, newId: () => "a" });
    expect(await readRegistry(location)).toMatchObject({ kind: "found" });
    s3.objects.set("list/one more", Buffer.from("[]"));
    const refusal = {
      kind: "unreachable",
      message: `monitors ${location.name}: over 5096 objects are there; give the registry a prefix of its own.`,
    };
    expect(await readRegistry(location)).toEqual(refusal);
    expect(await edit()).toEqual(refusal);
    expect(s3.objects.size).toBe(5_097);
  });

  test("of a store that refuses all of them are unreachable", async () => {
    const store = createMemoryStore();
    const fail = async (key: string): Promise<never> => {
      throw new StoreError("read", key, "it refuses.");
    };
    const read = await readRegistry(prefixIn({ ...store, read: fail }));
    expect(read).toEqual({
      kind: "unreachable",
      message: "monitors s3://bucket/list/00.jsonl: it refuses.",
    });
  });
});

describe("an entry in the wrong shard", () => {
  test("is left out with its place, says where it belongs, and is not removed", async () => {
    const folder = await makeShards("shop");
    const wrong = wrongFileOf("blog");
    await writeFile(join(folder, wrong), `\n ${lineOf("blog")}${lineOf("blog")}`);
    const { monitors, problems, rejectedIds, isComplete } = await readAll(folder);
    expect(idsOf(monitors)).toEqual(["shop"]);
    expect(rejectedIds).toEqual(["blog"]);
    expect(isComplete).toBe(true);
    expect(problems[0]).toBe(
      `${folder}/${wrong}:2:8: id: belongs into ${fileOf("blog")}; move its line there.`,
    );
  });

  test("does not displace the same entry where it belongs", async () => {
    const folder = await makeShards("blog");
    await writeFile(join(folder, wrongFileOf("blog")), lineOf("blog"));
    const { monitors, problems, rejectedIds } = await readAll(folder);
    expect(idsOf(monitors)).toEqual(["blog"]);
    expect(problems).toHaveLength(1);
    expect(rejectedIds).toEqual([]);
  });
});

describe("ids in different letter case", () => {
  test("in two shards are a problem in the second, with its line and column", async () => {
    const folder = await makeShards("blog");
    const [first = "", second = ""] = ["shop", "SHOP"].toSorted((a, b) =>
      fileOf(a) < fileOf(b) ? -1 : 1,
    );
    expect(fileOf(first)).not.toBe(fileOf(second));
    await writeFile(join(folder, fileOf(first)), lineOf(first));
    await writeFile(join(folder, fileOf(second)), `\n\n  ${lineOf(second)}`);
    const { monitors, problems, rejectedIds } = await readAll(folder);
    expect(idsOf(monitors)).toEqual(["blog", first].toSorted());
    expect(problems).toEqual([
      `${folder}/${fileOf(second)}:3:9: id: the same id as in ${folder}/${fileOf(first)}, apart from letter case; change or remove one of the two.`,
    ]);
    expect(rejectedIds).toEqual([second]);
  });
});

describe("ids in different letter case, beside a shard that is broken,", () => {
  const start = async () => {
    const folder = await makeShards("blog");
    const [first = "", second = ""] = ["shop", "SHOP"].toSorted((a, b) =>
      fileOf(a) < fileOf(b) ? -1 : 1,
    );
    const parse = createRegistryParser(RULES);
    return {
      first,
      second,
      put: (id: string, text = lineOf(id)) => writeFile(join(folder, fileOf(id)), text),
      read: async () => {
        const found = await readRegistry(await locate(folder));
        if (found.kind !== "found") throw new Error(found.kind);
        const { monitors, problems, faults } = parse(found);
        return [idsOf(monitors), problems.length, faults.length];
      },
    };
  };

  test("are told apart as ever", async () => {
    const { first, second, put, read } = await start();
    await put("blog", "{ broken");
    for (const id of [first, second]) await put(id);
    expect(await read()).toEqual([[first], 1, 1]);
  });

  test("leave the one out whose own shard broke, of which the lines are not known", async () => {
    const { first, second, put, read } = await start();
    await put(second);
    expect(await read()).toEqual([["blog", second].toSorted(), 0, 0]);
    await put(second, "{ broken");
    await put(first);
    expect(await read()).toEqual([["blog", first].toSorted(), 0, 1]);
  });
});

describe("other names in the folder", () => {
  test("are faults that name the file, and nothing counts as removed", async () => {
    const folder = await makeShards("shop");
    for (const name of ["40.jsonl", "0A.jsonl", "x.jsonl", "00.jsonl.bak"])
      await writeFile(join(folder, name), "");
    await mkdir(join(folder, "old"));
    const { monitors, faults, isComplete, isReadable } = await readAll(folder);
    const words =
      "not a shard of the registry, which are 00.jsonl to 3f.jsonl, or 000.jsonl to fff.jsonl; move it away.";
    expect(faults).toEqual(
      ["00.jsonl.bak", "0A.jsonl", "40.jsonl", "old", "x.jsonl"].map(
        (name) => `${folder}/${name}: ${words}`,
      ),
    );
    expect([idsOf(monitors), isComplete, isReadable]).toEqual([["shop"], false, true]);
  });

  test("of locks, temporary files, editors and hidden files are ignored", async () => {
    const folder = await makeShards("shop");
    await mkdir(join(folder, "00.jsonl.lock"));
    for (const name of [".00.jsonl.9d8e", ".gitignore", "00.jsonl~"])
      await writeFile(join(folder, name), "x");
    expect(await readAll(folder)).toMatchObject({ faults: [], isComplete: true });
  });

  test("are listed up to a hundred, the rest is counted", async () => {
    const folder = await makeShards();
    for (let at = 0; at < 103; at += 1) await writeFile(join(folder, `x${at}`), "");
    const { faults } = await readAll(folder);
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toBe("3 more files there are not shards.");
  });
});

describe("a shard that cannot be used", () => {
  test.each(["is not parsed", "is not read"])("%s: the others are", async (why) => {
    const folder = await makeShards("shop", "blog");
    const file = join(folder, fileOf("blog"));
    await rm(file);
    if (why === "is not read") await mkdir(file);
    else await writeFile(file, "{ broken");
    const { monitors, faults, problems, isComplete, isReadable } = await readAll(folder);
    expect(idsOf(monitors)).toEqual(["shop"]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${folder}/${fileOf("blog")}:`);
    expect([problems, isComplete, isReadable]).toEqual([[], false, true]);
  });

  test("like all others makes the registry unreadable", async () => {
    const folder = await makeShards("shop");
    await writeFile(join(folder, fileOf("shop")), "{ broken");
    expect(await readAll(folder)).toMatchObject({ monitors: [], isReadable: false });
  });
});
