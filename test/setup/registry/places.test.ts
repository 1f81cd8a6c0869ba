import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StoreError } from "../../../src/model/store.ts";
import { isOwned } from "../../../src/setup/registry/owned-records.ts";
import { formatOfName, unlessUnreachable } from "../../../src/setup/registry/registry-file.ts";
import {
  FEW_SHARDS,
  layoutOf,
  LAYOUTS,
  openRegistry,
  SHARDS_OF_CELLS,
} from "../../../src/setup/registry/registry-location.ts";
import { locate } from "../../cli/shard-folder.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { makeScratchFolder } from "../../store/scratch.ts";

const PLACE = { name: "list.jsonl" };

test.each([
  ["EACCES", "this user may not read or write it; fix the permissions of the file and its folder."],
  ["EPERM", "this user may not change it; fix the permissions of the file and its folder."],
  ["EROFS", "it is on a read-only file system; mount it for writing."],
  ["ENOENT", "the folder does not exist, or the link leads nowhere; create it first."],
  ["ENOTDIR", "there is a file where a folder is needed; fix the path."],
  ["EISDIR", "it is a directory; name a file."],
  ["ENOTEMPTY", "other files have appeared in it; name another folder."],
  ["ENOSPC", "no space is left on its disk; free some."],
  ["EBUSY", "it cannot be replaced, as when it is mounted by itself; mount its folder instead."],
  ["ELOCKED", "another program has been editing it for a long time; try again later."],
  ["EIO", "the words of the system"],
])("the failure %s of a disk has its own sentence", async (code, sentence) => {
  const fail = () => Promise.reject(Object.assign(new Error("the words of the system"), { code }));
  expect(await unlessUnreachable(PLACE, fail)).toEqual({
    kind: "unreachable",
    message: `monitors list.jsonl: ${sentence}`,
  });
});

test("a failure of a store has its own words, and a defect is thrown", async () => {
  const failWith = (reason: unknown) => unlessUnreachable(PLACE, () => Promise.reject(reason));
  expect(await failWith(new StoreError("read", "x", "it is down."))).toEqual({
    kind: "unreachable",
    message: "monitors list.jsonl: it is down.",
  });
  await expect(failWith(new TypeError("a defect"))).rejects.toThrow("a defect");
  expect(await failWith("no error").catch((thrown: unknown) => thrown)).toBe("no error");
  expect(await unlessUnreachable(PLACE, async () => 7)).toBe(7);
});

test.each([
  ["list.jsonl", "json-lines"],
  ["list.NDJSON", "json-lines"],
  ["list.json", "json-lines"],
  ["list.jsonx", "yaml"],
  ["json", "yaml"],
  ["list.yaml", "yaml"],
])("a new registry %s is written as %s, on a disk and in a bucket", (name, format) => {
  const store = createMemoryStore();
  expect([
    formatOfName({ kind: "file", name: "x", path: name }),
    formatOfName({ kind: "object", name: "x.jsonl", store, key: name }),
  ]).toEqual([format, format]);
});

test("there are 64 shards, or one for each of 4,096 slots", () => {
  expect(LAYOUTS).toEqual([FEW_SHARDS, SHARDS_OF_CELLS]);
  const edges = LAYOUTS.map(({ names }) => [names[0], names[10], names.at(-1), names.length]);
  expect(edges).toEqual([
    ["00.jsonl", "0a.jsonl", "3f.jsonl", 64],
    ["000.jsonl", "00a.jsonl", "fff.jsonl", 4_096],
  ]);
  // As `printf mail | sha256sum | cut -c1-3` says.
  expect(SHARDS_OF_CELLS.nameOf("mail")).toBe("00d.jsonl");
});

test.each([
  [[], FEW_SHARDS],
  [["00.jsonl"], FEW_SHARDS],
  [["000.jsonl"], SHARDS_OF_CELLS],
  [["00.jsonl", "000.jsonl"], FEW_SHARDS],
  [["00.jsonl", "000.jsonl", "001.jsonl"], SHARDS_OF_CELLS],
  [["x.jsonl", "001.jsonl"], SHARDS_OF_CELLS],
] as const)("the files %j are of the layout that more of them fit", (names, layout) => {
  expect(layoutOf(names)).toBe(layout);
});

test.each([
  ["", "--monitors is empty; name a file."],
  ["s3://bucket", "--monitors s3://bucket: it names no object; write s3://BUCKET/monitors.jsonl."],
])("the place %j is refused: %s", async (text, problem) => {
  expect(await openRegistry(text)).toEqual({ problem });
});

test("a new folder of shards is for its owner only, and may be made twice", async () => {
  const folder = join(makeScratchFolder(), "a/shards");
  const location = await locate(`${folder}/`);
  if (location.kind !== "shards") throw new Error("not shards");
  expect(await location.list()).toBeUndefined();
  await location.create();
  await location.create();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await location.list()).toEqual([]);
});

test("a state that has no record of an id, or cannot be read, has no owner of it", async () => {
  const empty = `file:${makeScratchFolder()}`;
  for (const url of [empty, "s3://No_Bucket/x", "nowhere"])
    expect(await isOwned(url, "shop")).toBe(false);
});
