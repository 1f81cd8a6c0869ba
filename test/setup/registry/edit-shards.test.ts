import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../../src/model/store.ts";
import {
  addToRegistry,
  removeFromRegistry,
  setPublicInRegistry,
} from "../../../src/setup/registry/edit-registry.ts";
import { isOwned } from "../../../src/setup/registry/owned-records.ts";
import type { ShardsLocation } from "../../../src/setup/registry/registry-location.ts";
import { encodeState } from "../../../src/state/codec/state.ts";
import { STATE_KEY } from "../../../src/state/state-file.ts";
import { fileOf, lineOf, RULES, wrongFileOf } from "../../cli/shard-folder.ts";
import { provedMonitor } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { makeScratchFolder } from "../../store/scratch.ts";

const NAME = "s3://bucket/list/";
const OBJECT = { contentType: "application/x-ndjson", cacheControl: "no-store" };

/** A prefix of a bucket with these objects, and a list that may fail. */
async function startShards(texts: Readonly<Record<string, string>>) {
  const store = createMemoryStore();
  for (const [key, text] of Object.entries(texts))
    await store.write(key, { ...OBJECT, body: Buffer.from(text) });
  const moods = { listFailures: 0, unreadable: "" };
  const read: ObjectStore["read"] = async (key, ...more) => {
    if (key === moods.unreadable) throw new StoreError("read", key, "it refuses.");
    return store.read(key, ...more);
  };
  const location: ShardsLocation = {
    kind: "shards",
    name: NAME,
    partOf: (key) => ({ kind: "object", name: NAME + key, store: { ...store, read }, key }),
    list: async () => {
      moods.listFailures -= 1;
      if (moods.listFailures >= 0) throw new StoreError("list", "", "no answer.");
      return (await store.listAll(1_000)).names;
    },
    create: async () => undefined,
  };
  const tools = { location, rules: RULES, newId: () => "drawn" };
  const textIn = (key: string): string | undefined => {
    const held = store.objects.get(key);
    return held && Buffer.from(held.body).toString();
  };
  return { moods, tools, textIn, add: (id: string) => addToRegistry(URL_OF_NEW, { id }, tools) };
}

const URL_OF_NEW = "https://new.example/";
const NO_ANSWER = { kind: "unreachable", message: `monitors ${NAME}: no answer.` };

describe("shards that cannot be listed", () => {
  test("get no new monitor, whose id may be taken", async () => {
    const { moods, add, textIn } = await startShards({ [fileOf("shop")]: lineOf("shop") });
    moods.listFailures = 1;
    expect(await add("new")).toEqual(NO_ANSWER);
    expect(textIn(fileOf("new"))).toBeUndefined();
    expect(await add("new")).toMatchObject({ kind: "done" });
  });

  test("are not edited", async () => {
    const { moods, tools, textIn } = await startShards({ [fileOf("shop")]: lineOf("shop") });
    for (const edit of [
      () => removeFromRegistry("shop", tools),
      () => setPublicInRegistry("shop", true, tools),
    ]) {
      moods.listFailures = 1;
      expect(await edit()).toEqual(NO_ANSWER);
    }
    expect(textIn(fileOf("shop"))).toBe(lineOf("shop"));
  });
});

test("a new id is refused while a shard that may have it cannot be read", async () => {
  const { moods, add, textIn } = await startShards({ [fileOf("shop")]: lineOf("shop") });
  moods.unreadable = fileOf("shop");
  const message = `monitors ${NAME}${fileOf("shop")}: it refuses.`;
  expect(await add("new")).toEqual({ kind: "unreachable", message });
  expect(textIn(fileOf("new"))).toBeUndefined();
});

test("a new id is refused while a broken shard names it", async () => {
  const broken = wrongFileOf("new");
  const { add, textIn } = await startShards({ [broken]: `{"id":"NEW"` });
  expect(await add("new")).toEqual({
    kind: "refused",
    code: "unreadable",
    message: expect.stringMatching(
      `^the registry has to be fixed first: ${NAME}${broken}:1:12: .+\\.$`,
    ),
  });
  expect(textIn(fileOf("new"))).toBeUndefined();
  // A broken shard that does not name it hides nothing.
  expect(await add("other")).toMatchObject({ kind: "done" });
});

test("after a lost answer, what another writer has broken is not taken for the edit", async () => {
  const memory = createMemoryStore();
  const write: ObjectStore["write"] = async (key) => {
    await memory.write(key, { ...OBJECT, body: Buffer.from("{ broken") });
    throw new StoreError("write", key, "lost", { isUnknown: true });
  };
  const location = { kind: "object", name: NAME, store: { ...memory, write }, key: "x" } as const;
  const tools = { location, rules: RULES, newId: () => "drawn" };
  expect(await addToRegistry(URL_OF_NEW, {}, tools)).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/^the registry has to be fixed first: 1:/u),
  });
});

describe("an owner has added an id", () => {
  const place = async (bytes: Uint8Array): Promise<string> => {
    const folder = join(makeScratchFolder(), "state");
    await mkdir(folder);
    await writeFile(join(folder, STATE_KEY), bytes);
    return `file:${folder}`;
  };

  test("if the state has its record", async () => {
    const changes = new Map([["shop", provedMonitor("shop")]]);
    const owners = { ...EMPTY_STATE.owners, sequence: T0, pending: { sequence: T0, changes } };
    const url = await place(encodeState({ ...EMPTY_STATE, owners }));
    expect([await isOwned(url, "shop"), await isOwned(url, "blog")]).toEqual([true, false]);
  });

  test("is not said of a state that is damaged", async () => {
    expect(await isOwned(await place(Buffer.from("none")), "shop")).toBe(false);
  });
});
