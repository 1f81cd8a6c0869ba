import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOwnParts, readRegistry } from "../../src/setup/registry/read-registry.ts";
import type { RegistryLocation } from "../../src/setup/registry/registry-location.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { fileOf, idsOfOneShard, lineOf, locate, makeShards } from "../cli/shard-folder.ts";

/** What a cell has of each part, and the ids that it was asked about since the last time. */
function openCell(location: RegistryLocation, others: readonly string[]) {
  let asked: string[] = [];
  const own = createOwnParts((id) => {
    asked.push(id);
    return !others.includes(id);
  });
  return async () => {
    asked = [];
    const read = await readRegistry(location, own);
    if (read.kind !== "found") throw new Error(`the registry is ${read.kind}`);
    const texts = read.parts.map(({ content }) =>
      content.kind === "bytes" ? Buffer.from(content.bytes).toString() : content.message,
    );
    return { texts, asked };
  };
}

test("a cell looks through a shard again only if it has changed", async () => {
  const [first = "", second = ""] = idsOfOneShard(2);
  const folder = await makeShards(first, second, "other-shard");
  const read = openCell(await locate(folder), [second]);
  const before = await read();
  expect(before.asked.toSorted()).toEqual([first, second, "other-shard"].toSorted());
  expect(await read()).toEqual({ ...before, asked: [] });
  await writeFile(join(folder, fileOf(first)), lineOf(first).replace("https", "http"));
  const after = await read();
  expect(after.asked).toEqual([first]);
  expect(after.texts.join("")).toContain(`"http://${first}.example/"`);
  expect(after.texts.join("")).not.toContain(second);
});

test("an object of a store is not read again if its tag is the same", async () => {
  const memory = createMemoryStore();
  let reads = 0;
  const store = {
    ...memory,
    read: (key: string) => {
      reads += 1;
      return memory.read(key);
    },
  };
  const put = (text: string) =>
    memory.write("list.jsonl", { body: Buffer.from(text), contentType: "", cacheControl: "" });
  const location = { kind: "object", name: "s3://b/list.jsonl", store, key: "list.jsonl" } as const;
  await put(lineOf("mine") + lineOf("foreign"));
  const read = openCell(location, ["foreign"]);
  const before = await read();
  expect(before.texts).toEqual([lineOf("mine")]);
  expect([await read(), reads]).toEqual([{ ...before, asked: [] }, 1]);
  await put(lineOf("more"));
  expect([(await read()).texts, reads]).toEqual([[lineOf("more")], 2]);
});
