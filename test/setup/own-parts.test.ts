import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Cell, hasSlot, slotOf } from "../../src/setup/registry/cell.ts";
import { openRegistrySource } from "../../src/setup/registry/registry-source.ts";
import { type OwnParts, readRegistry } from "../../src/setup/registry/read-registry.ts";
import {
  layoutOf,
  type RegistryLocation,
  SHARDS_OF_CELLS,
} from "../../src/setup/registry/registry-location.ts";
import { writeRegistry } from "../../src/setup/registry/write-registry.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import {
  fileOf,
  idsOfOneShard,
  lineOf,
  locate,
  makeShards,
  readAll,
  RULES,
} from "../cli/shard-folder.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const CELL = { number: 1, of: 2 };
const isOwn = (id: string): boolean => hasSlot(CELL, slotOf(id));
const candidates = idsOfOneShard(20);
const [mine = "", more = ""] = candidates.filter(isOwn);
const theirs = candidates.find((id) => !isOwn(id)) ?? "";

const ownPartsOf = (cell: Cell): OwnParts => ({ cell, known: new Map() });

/** The bytes that a cell has of each part. */
async function readParts(
  location: RegistryLocation,
  own: OwnParts,
): Promise<readonly Uint8Array[]> {
  const read = await readRegistry(location, own);
  if (read.kind !== "found") throw new Error(`the registry is ${read.kind}`);
  return read.parts.flatMap(({ content }) => (content.kind === "bytes" ? [content.bytes] : []));
}

const textOf = (parts: readonly Uint8Array[]): string =>
  parts.map((bytes) => Buffer.from(bytes).toString()).join("");

test("a cell looks through a shard again only if it has changed", async () => {
  const folder = await makeShards(mine, theirs, "other-shard");
  const [location, own] = [await locate(folder), ownPartsOf(CELL)];
  const before = await readParts(location, own);
  expect(before).toHaveLength(2);
  expect(textOf(before)).toContain(`"${mine}"`);
  expect(textOf(before)).not.toContain(`"${theirs}"`);
  const again = await readParts(location, own);
  for (const [at, bytes] of again.entries()) expect(bytes).toBe(before[at]);
  await writeFile(join(folder, fileOf(mine)), lineOf(mine).replace("https", "http"));
  const after = await readParts(location, own);
  expect(after.filter((bytes, at) => bytes === before[at])).toHaveLength(1);
  expect(textOf(after)).toContain(`"http://${mine}.example/"`);
});

/** A store that counts how often an object is read. */
function createCountedStore() {
  const memory = createMemoryStore();
  let reads = 0;
  const read: typeof memory.read = (key) => {
    reads += 1;
    return memory.read(key);
  };
  const put = (key: string, text: string) =>
    memory.write(key, { body: Buffer.from(text), contentType: "", cacheControl: "" });
  return { store: { ...memory, read }, put, reads: () => reads };
}

test("an object of a store is not read again if its tag is the same", async () => {
  const { store, put, reads } = createCountedStore();
  const location = { kind: "object", name: "s3://b/list.jsonl", store, key: "list.jsonl" } as const;
  const own = ownPartsOf(CELL);
  await put("list.jsonl", lineOf(mine) + lineOf(theirs));
  const [before] = await readParts(location, own);
  expect(Buffer.from(before ?? []).toString()).toBe(lineOf(mine));
  expect(await readParts(location, own)).toEqual([before]);
  expect(reads()).toBe(1);
  await put("list.jsonl", lineOf(more));
  expect([textOf(await readParts(location, own)), reads()]).toEqual([lineOf(more), 2]);
});

const IDS = Array.from({ length: 300 }, (_, at) => `shop-${at}`);
const monitorOf = (id: string) => ({
  id,
  url: `https://${id}.example/`,
  name: id,
  isPublic: false,
});

/** A folder of shards for cells with these monitors. */
async function makeForCells(ids = IDS): Promise<string> {
  const folder = `${join(makeScratchFolder(), "shards")}/`;
  const failure = await writeRegistry(
    await locate(folder),
    ids.map(monitorOf),
    RULES,
    SHARDS_OF_CELLS,
  );
  expect(failure).toBeUndefined();
  return folder;
}

test.each([1, 3, 10])("each of %d cells opens files of its own, and none is left", async (of) => {
  const location = await locate(await makeForCells());
  if (location.kind !== "shards") throw new Error("it is a folder");
  const opened: string[][] = [];
  for (let number = 0; number < of; number += 1) {
    const names: string[] = [];
    const partOf: typeof location.partOf = (name) => {
      names.push(name);
      return location.partOf(name);
    };
    const read = await readRegistry({ ...location, partOf }, ownPartsOf({ number, of }));
    const texts = read.kind === "found" ? read.parts.map(({ content }) => content) : [];
    const ids = texts.flatMap((content) =>
      content.kind === "bytes"
        ? Buffer.from(content.bytes)
            .toString()
            .match(/shop-\d+(?=")/gu)
        : [],
    );
    const own = IDS.filter((id) => hasSlot({ number, of }, slotOf(id)));
    expect(new Set(ids)).toEqual(new Set(own));
    opened.push(names);
  }
  expect(opened.flat().toSorted()).toEqual([...SHARDS_OF_CELLS.names]);
});

test("the source of a cell has its own monitors, in either layout", async () => {
  for (const folder of [await makeForCells(), await makeShards(...IDS)])
    for (const number of [0, 1, 2]) {
      const source = await openRegistrySource(folder, RULES, { number, of: 3 });
      if ("problem" in source) throw new Error(source.problem);
      const { monitors, isComplete } = await source.value.read();
      expect(monitors.map(({ id }) => id).toSorted()).toEqual(
        IDS.filter((id) => slotOf(id) % 3 === number).toSorted(),
      );
      expect(isComplete).toBe(true);
    }
});

test("the only cell of an installation has all monitors", async () => {
  const source = await openRegistrySource(await makeForCells(), RULES, { number: 0, of: 1 });
  if ("problem" in source) throw new Error(source.problem);
  expect((await source.value.read()).monitors).toHaveLength(IDS.length);
});

test("an entry in the file of another slot is left out and told of", async () => {
  const folder = await makeForCells(["shop"]);
  await writeFile(join(folder, "8d8.jsonl"), lineOf("shop-1"));
  const { monitors, problems } = await readAll(folder);
  expect(monitors.map(({ id }) => id)).toEqual(["shop"]);
  expect(problems).toEqual([expect.stringContaining("belongs into 793.jsonl; move its line")]);
});

test("a stray file does not change the layout, and is named", async () => {
  const forCells = await makeForCells();
  await writeFile(join(forCells, "00.jsonl"), lineOf("stray"));
  const few = await makeShards(...IDS);
  await writeFile(join(few, "000.jsonl"), lineOf("stray"));
  for (const folder of [forCells, few]) {
    const { monitors, faults, isComplete } = await readAll(folder);
    expect([monitors.length, isComplete]).toEqual([IDS.length, false]);
    expect(faults).toEqual([
      expect.stringContaining("which are 00.jsonl to 3f.jsonl, or 000.jsonl to fff.jsonl"),
    ]);
  }
});

test("without shards, and with as many of both, a registry has 64 shards", async () => {
  for (const names of [[], ["list.yaml"], ["00.jsonl", "000.jsonl"]])
    expect(layoutOf(names).names).toHaveLength(64);
  expect(layoutOf(["fff.jsonl"]).names).toHaveLength(4_096);
  const emptied = await makeForCells([]);
  expect((await readAll(emptied)).isComplete).toBe(true);
  await rm(join(emptied, "000.jsonl"));
  expect((await readAll(emptied)).monitors).toEqual([]);
});
