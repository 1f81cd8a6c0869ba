import { expect, test } from "vitest";
import { shareNext } from "../../src/publish/share-next.ts";

/** Questions that are answered when the test says so, with the number of the question. */
function openDesk() {
  const waiting: { readonly answer: () => void; readonly fail: () => void }[] = [];
  const ask = shareNext(
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

test("who comes while a question is under way shares the next one, for its answer has to be younger", async () => {
  const { ask, waiting } = openDesk();
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

test("a question that fails fails those who share it, and the next one is asked all the same", async () => {
  const { ask, waiting } = openDesk();
  const first = ask();
  await settle();
  const second = ask();
  waiting[0]?.fail();
  await expect(first).rejects.toThrow("busy");
  await settle();
  waiting[1]?.answer();
  expect(await second).toBe(2);
});
