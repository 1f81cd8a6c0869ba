import { expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { ObjectWriter } from "../../src/publish/object-writer.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { ALONE } from "./publish-all.ts";

const DOCUMENT = {
  key: "a.json",
  body: new TextEncoder().encode("{}"),
  contentType: "application/json",
  cacheControl: "no-store",
};

/** Writes over a store whose first answers to a write are lost; gives the waits in between. */
async function write(lost: number, random: number) {
  const waitsMs: number[] = [];
  let tries = 0;
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: (key, object, precondition) => {
      tries += 1;
      if (tries <= lost) throw new StoreError("write", key, "no answer", { isUnknown: true });
      return memory.write(key, object, precondition);
    },
  };
  const writer = new ObjectWriter({
    ...ALONE,
    store,
    random: () => random,
    sleep: (ms) => {
      waitsMs.push(ms);
      return Promise.resolve();
    },
  });
  const end = await writer
    .write(DOCUMENT, null, () => undefined)
    .then(
      (etag) => (etag === undefined ? "stopped" : "written"),
      (error: Error) => error.message,
    );
  return { waitsMs, end, tries };
}

test("a writer waits twice as long after each lost answer, at most 5 s", async () => {
  expect(await write(7, 0.999_999_9)).toEqual({
    waitsMs: [40, 80, 160, 320, 640, 1_280, 2_560].map((ms) => expect.closeTo(ms, 1)),
    end: "written",
    tries: 8,
  });
  expect(await write(0, 0.5)).toEqual({ waitsMs: [], end: "written", tries: 1 });
});

test.each([
  [
    "missing",
    undefined,
    "memory: a.json does not exist, and the store refuses to create it, as some do with an object that is the folder of others. Add keys=suffixed to --store, before anything is published there.",
  ],
  [
    "another one each time",
    "other",
    "memory: a.json was changed by others 8 times in a row. Is another program writing there?",
  ],
])("an object that refuses eight writes and is %s is an error", async (_, etag, message) => {
  const writer = new ObjectWriter({
    ...ALONE,
    store: {
      ...createMemoryStore(),
      write: () => Promise.resolve({ kind: "conflict" }),
      find: () => Promise.resolve(etag),
    },
  });
  await expect(writer.write(DOCUMENT, null, () => undefined)).rejects.toEqual(
    new StoreError("write", "a.json", message),
  );
});

test("a writer waits at random up to that, and gives up after eight tries", async () => {
  expect(await write(8, 0.5)).toEqual({
    waitsMs: [20, 40, 80, 160, 320, 640, 1_280],
    end: "no answer",
    tries: 8,
  });
});

test("a store that never answers the first write of an object is an error", async () => {
  let isOutOfTime = false;
  const writer = new ObjectWriter({
    ...ALONE,
    isOutOfTime: () => isOutOfTime,
    store: {
      ...createMemoryStore(),
      write: (_, { body }) => {
        isOutOfTime = body.length > 0;
        throw new StoreError("write", "a.json", "no answer", { isUnknown: true });
      },
    },
  });
  await expect(writer.create(DOCUMENT, () => undefined)).rejects.toThrow("no answer");
});
