import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createGroupCommit } from "../../src/store/group-commit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));

/** Writes that the test ends. */
function createDisk() {
  const writes: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const write = (items: readonly number[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve(`written ${items.join()}`));
      writes.push({ items, end });
    });
  return { writes, write };
}

const LIMITS = { maxItems: 4, maxWaitMs: 200, minIntervalMs: 0, maxPending: 8 };

test("the first write begins at once, and later items join the next", async () => {
  const { writes, write } = createDisk();
  const commit = createGroupCommit(write, LIMITS);
  const first = commit.add(1);
  const others = [commit.add(2), commit.add(3)];
  expect(writes.map(({ items }) => items)).toEqual([[1]]);
  writes[0]?.end();
  expect(await first).toBe("written 1");
  await pass(0);
  expect(writes.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  writes[1]?.end();
  expect(await Promise.all(others)).toEqual(["written 2,3", "written 2,3"]);
});

test("no item waits longer than the bound for a write that hangs", async () => {
  const { writes, write } = createDisk();
  const commit = createGroupCommit(write, LIMITS);
  void commit.add(1);
  const second = commit.add(2);
  await pass(150);
  void commit.add(3);
  await pass(49);
  expect(writes).toHaveLength(1);
  await pass(1);
  expect(writes[1]?.items).toEqual([2, 3]);
  writes[1]?.end();
  expect(await second).toBe("written 2,3");
});

test("the first write begins at once, quick ones keep the interval", async () => {
  const startMs = Date.now();
  const begunMs: number[] = [];
  const commit = createGroupCommit(
    () => {
      begunMs.push(Date.now() - startMs);
      return Promise.resolve("written");
    },
    { ...LIMITS, minIntervalMs: 50 },
  );
  const addAll = async (): Promise<void> => {
    for (let item = 0; item < 3; item += 1) {
      await commit.add(item);
      void commit.add(item);
    }
    await commit.drain();
  };
  await Promise.all([addAll(), pass(1_000)]);
  // `drain` does not wait for the interval.
  expect(begunMs).toEqual([0, 50, 100, 100]);
});

test("a full batch does not wait, and no batch is larger than the limit", async () => {
  const { writes, write } = createDisk();
  const commit = createGroupCommit(write, LIMITS);
  for (let item = 1; item <= 6; item += 1) void commit.add(item);
  expect(writes.map(({ items }) => items)).toEqual([[1], [2, 3, 4, 5]]);
});

test("items beyond `maxPending` are refused until a write ends", async () => {
  const { writes, write } = createDisk();
  const commit = createGroupCommit(write, LIMITS);
  const added = Array.from({ length: 9 }, (_, index) => commit.add(index));
  expect(await added[8]).toBe("refused");
  writes[0]?.end();
  await added[0];
  void commit.add(9);
  await pass(0);
  expect(writes.map(({ items }) => items)).toEqual([[0], [1, 2, 3, 4], [5, 6, 7, 9]]);
});

test("a failed write rejects only its own items", async () => {
  const { writes, write } = createDisk();
  const commit = createGroupCommit(write, LIMITS);
  const first = commit.add(1);
  const second = commit.add(2);
  writes[0]?.end(new Error("no space"));
  await expect(first).rejects.toThrow("no space");
  await pass(0);
  writes[1]?.end();
  expect(await second).toBe("written 2");
});

test("drain waits for running writes and waiting items", async () => {
  const { writes, write } = createDisk();
  const commit = createGroupCommit(write, LIMITS);
  void commit.add(1);
  void commit.add(2);
  let isDrained = false;
  const drained = commit.drain().then(() => (isDrained = true));
  writes[0]?.end();
  await pass(5);
  expect(isDrained).toBe(false);
  writes[1]?.end();
  await drained;
  expect(isDrained).toBe(true);
});
