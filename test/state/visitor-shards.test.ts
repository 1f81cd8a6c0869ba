import { expect, test } from "vitest";
import type { Visitor } from "../../src/model/monitor/visitor.ts";
import {
  announceUntried,
  claimUntried,
  createVisitorReader,
  editVisitorShard,
} from "../../src/state/visitor-shards.ts";
import { T0 } from "../model/samples.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const visitorOf = (letter: string): Visitor => ({
  id: letter.repeat(43),
  endpoint: `https://push.example/${letter}`,
  p256dh: `B${"a".repeat(86)}`,
  auth: "a".repeat(22),
  tokenHash: "t".repeat(43),
  language: "ru",
  services: ["vtb"],
  renewedAtMs: T0,
});

/** A store that counts its reads. */
function openStore() {
  const memory = createMemoryStore();
  const reads: string[] = [];
  const store = {
    ...memory,
    read: (key: string, maxBytes?: number) => {
      reads.push(key);
      return memory.read(key, maxBytes);
    },
  };
  const add = (number: number, one: Visitor): Promise<void> =>
    editVisitorShard(
      store,
      number,
      (shard) => new Map([...shard, [one.id, one]]),
      async () => {},
    );
  return { store, reads, add };
}

test("all shards are read, and later only those that have changed", async () => {
  const { store, reads, add } = openStore();
  const read = createVisitorReader(store);
  expect(await read()).toEqual([]);
  await add(0, visitorOf("a"));
  await add(255, visitorOf("b"));
  const ids = async () => (await read()).map(({ id }) => id).toSorted();
  expect(await ids()).toEqual(["a", "b"].map((letter) => letter.repeat(43)));
  await add(255, visitorOf("c"));
  reads.length = 0;
  expect(await ids()).toEqual(["a", "b", "c"].map((letter) => letter.repeat(43)));
  expect(reads).toEqual(["push/ff.json.gz"]);
});

test("what is no shard in the folder is left alone", async () => {
  const { store } = openStore();
  const object = { body: Buffer.from("x"), contentType: "x", cacheControl: "x" };
  for (const name of [
    "untried.txt",
    "0.json.gz",
    "100.json.gz",
    "0g.json.gz",
    "00.json",
    "FF.json.gz",
  ])
    await store.write(`push/${name}`, object);
  expect(await createVisitorReader(store)()).toEqual([]);
});

test("an announcement is taken once", async () => {
  const { store } = openStore();
  expect(await claimUntried(store)).toBe(false);
  const note = () => {
    const { body, ...about } = store.objects.get("push/untried.txt") ?? { body: "" };
    return { ...about, text: Buffer.from(body).toString() };
  };
  const told = { contentType: "text/plain", cacheControl: "no-store" };
  await announceUntried(store, "one");
  expect(note()).toMatchObject({ ...told, text: "one" });
  expect([await claimUntried(store), await claimUntried(store)]).toEqual([true, false]);
  expect(note()).toMatchObject({ ...told, text: "claimed" });
  await announceUntried(store, "two");
  expect(await claimUntried(store)).toBe(true);
  await announceUntried(store, "three");
  // Another notifier takes it between the read and the write.
  const late = { ...store, write: async () => ({ kind: "conflict" }) as const };
  expect(await claimUntried(late)).toBe(false);
});
