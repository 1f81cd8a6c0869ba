import { expect, test } from "vitest";
import { type ObjectStore, type Precondition, StoreError } from "../../src/model/store.ts";
import { canShare, probeAbilities } from "../../src/store/abilities.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

const ALL = { isCreateExclusive: true, isStaleRefused: true, isCurrentAccepted: true };

/** A memory store that makes of a precondition what the function says. */
function storeThat(twist: (given: Precondition | undefined) => Precondition | undefined) {
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: (key, object, precondition) => memory.write(key, object, twist(precondition)),
  };
  return { memory, store };
}

test("a store that enforces preconditions may be shared, and nothing of the trial stays", async () => {
  const memory = createMemoryStore();
  const abilities = await probeAbilities(memory, "doctor/x");
  expect(abilities).toEqual(ALL);
  expect(canShare(abilities)).toBe(true);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("a store that takes the headers and ignores them is found out", async () => {
  const { memory, store } = storeThat(() => undefined);
  const abilities = await probeAbilities(store, "doctor/x");
  expect(abilities).toEqual({ ...ALL, isCreateExclusive: false, isStaleRefused: false });
  expect(canShare(abilities)).toBe(false);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("a store that knows create-if-absent alone is found out", async () => {
  const { store } = storeThat((given) => (given?.kind === "absent" ? given : undefined));
  expect(await probeAbilities(store, "doctor/x")).toEqual({ ...ALL, isStaleRefused: false });
});

test("a store that refuses even the current version is found out", async () => {
  const { store } = storeThat((given) =>
    given?.kind === "unchanged" ? { kind: "unchanged", etag: `"${given.etag}"` } : given,
  );
  expect(await probeAbilities(store, "doctor/x")).toEqual({ ...ALL, isCurrentAccepted: false });
});

test("a store that answers 501 to every precondition is found out", async () => {
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: async (key, object, precondition) => {
      if (precondition === undefined) return memory.write(key, object);
      throw new StoreError("write", key, "not implemented", { isUnknown: true });
    },
  };
  const abilities = await probeAbilities(store, "doctor/x");
  expect(abilities).toEqual({
    isCreateExclusive: false,
    isStaleRefused: true,
    isCurrentAccepted: false,
  });
});

test("a store that refuses each conditional request, whatever it asks for, is told with its words", async () => {
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    write: async (key, object, precondition) => {
      if (precondition === undefined) return memory.write(key, object);
      throw new StoreError("write", key, "signed otherwise");
    },
  };
  expect(await probeAbilities(store, "doctor/x")).toMatchObject({ refusal: "signed otherwise" });
  expect(await probeAbilities(memory, "doctor/x")).not.toHaveProperty("refusal");
});

test("a store that cannot be written is told, not judged", async () => {
  const store: ObjectStore = {
    ...createMemoryStore(),
    write: async (key) => {
      throw new StoreError("write", key, "read-only");
    },
  };
  await expect(probeAbilities(store, "doctor/x")).rejects.toThrow("read-only");
});
