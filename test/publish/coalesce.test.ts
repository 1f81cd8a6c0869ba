import { expect, test } from "vitest";
import { coalesce } from "../../src/publish/commit.ts";

/** Requests that the test answers, each with its number. */
function openRequests() {
  const waiting: { readonly answer: () => void; readonly fail: () => void }[] = [];
  const ask = coalesce(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = waiting.length + 1;
        waiting.push({ answer: () => resolve(number), fail: () => reject(new Error("busy")) });
      }),
  );
  return { ask, waiting };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test("calls during a request share the next one, whose response is newer", async () => {
  const { ask, waiting } = openRequests();
  const first = ask();
  await settle();
  const others = [ask(), ask()];
  await settle();
  expect(waiting).toHaveLength(1);
  waiting[0]?.answer();
  await settle();
  expect(waiting).toHaveLength(2);
  const late = ask();
  waiting[1]?.answer();
  await settle();
  waiting[2]?.answer();
  expect(await Promise.all([first, ...others, late])).toEqual([1, 2, 2, 3]);
  expect(waiting).toHaveLength(3);
});

test("a failed request rejects the calls that share it, and the next one is sent", async () => {
  const { ask, waiting } = openRequests();
  const first = ask();
  await settle();
  const second = ask();
  waiting[0]?.fail();
  await expect(first).rejects.toThrow("busy");
  await settle();
  waiting[1]?.answer();
  expect(await second).toBe(2);
});
