import { expect, test } from "vitest";
import { type ObjectStore, type Precondition, StoreError } from "../../src/model/store.ts";
import {
  supportsConcurrentWriters,
  checkConditionalWrites,
} from "../../src/store/conditional-write-check.ts";
import { createMemoryStore } from "./memory-store.ts";

const ALL = { isCreateExclusive: true, isStaleRefused: true, isCurrentAccepted: true };

/** A memory store that replaces each precondition by what the function returns. */
function storeThat(twist: (given: Precondition | undefined) => Precondition | undefined) {
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: (key, object, precondition) => memory.write(key, object, twist(precondition)),
  };
  return { memory, store };
}

test("a store that enforces preconditions may be shared, and the check leaves nothing", async () => {
  const memory = createMemoryStore();
  const support = await checkConditionalWrites(memory, "doctor/x");
  expect(support).toEqual(ALL);
  expect(supportsConcurrentWriters(support)).toBe(true);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("what it writes names the program and the try", async () => {
  const memory = createMemoryStore();
  const written: string[] = [];
  const write: ObjectStore["write"] = (key, object, precondition) => {
    written.push(Buffer.from(object.body).toString());
    return memory.write(key, object, precondition);
  };
  await checkConditionalWrites({ ...memory, write }, "doctor/x");
  expect(written).toEqual([
    "status-snapshot doctor: first\n",
    "status-snapshot doctor: second\n",
    "status-snapshot doctor: third\n",
    "status-snapshot doctor: late\n",
    "status-snapshot doctor: fourth\n",
  ]);
});

test("a store that ignores the headers is detected", async () => {
  const { memory, store } = storeThat(() => undefined);
  const support = await checkConditionalWrites(store, "doctor/x");
  expect(support).toEqual({ ...ALL, isCreateExclusive: false, isStaleRefused: false });
  expect(supportsConcurrentWriters(support)).toBe(false);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("a store that enforces create-if-absent alone is detected", async () => {
  const { store } = storeThat((given) => (given?.kind === "absent" ? given : undefined));
  expect(await checkConditionalWrites(store, "doctor/x")).toEqual({
    ...ALL,
    isStaleRefused: false,
  });
});

test("a store that refuses even the current version is detected", async () => {
  const { store } = storeThat((given) =>
    given?.kind === "unchanged" ? { kind: "unchanged", etag: `"${given.etag}"` } : given,
  );
  expect(await checkConditionalWrites(store, "doctor/x")).toEqual({
    ...ALL,
    isCurrentAccepted: false,
  });
});

test("a store that answers 501 to every precondition is detected", async () => {
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: async (key, object, precondition) => {
      if (precondition === undefined) return memory.write(key, object);
      throw new StoreError("write", key, "not implemented", { isUnknown: true });
    },
  };
  const support = await checkConditionalWrites(store, "doctor/x");
  expect(support).toEqual({
    isCreateExclusive: false,
    isStaleRefused: true,
    isCurrentAccepted: false,
  });
});

test("the error of a store that refuses every conditional request is reported", async () => {
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: async (key, object, precondition) => {
      if (precondition === undefined) return memory.write(key, object);
      throw new StoreError("write", key, "signed otherwise");
    },
  };
  expect(await checkConditionalWrites(store, "doctor/x")).toMatchObject({
    refusal: "signed otherwise",
  });
  expect(await checkConditionalWrites(memory, "doctor/x")).not.toHaveProperty("refusal");
});

test("a store that cannot be written throws", async () => {
  const store: ObjectStore = {
    ...createMemoryStore(),
    write: async (key) => {
      throw new StoreError("write", key, "read-only");
    },
  };
  await expect(checkConditionalWrites(store, "doctor/x")).rejects.toThrow("read-only");
});

test("a defect is thrown, and what was written is removed", async () => {
  const memory = createMemoryStore();
  const defect = new TypeError("a defect");
  let writes = 0;
  const write: ObjectStore["write"] = (key, object, precondition) => {
    writes += 1;
    return writes > 1 ? Promise.reject(defect) : memory.write(key, object, precondition);
  };
  await expect(checkConditionalWrites({ ...memory, write }, "doctor/x")).rejects.toBe(defect);
  expect([...memory.objects.keys()]).toEqual([]);
});
