import { expect, test } from "vitest";
import { createOnlineCheck } from "../../src/engine/serve-batches.ts";

/** An online check over a virtual clock. */
function open() {
  const world = { nowMs: 0, rounds: [] as number[], isOnline: true };
  const check = createOnlineCheck({
    ask: async () => {
      world.rounds.push(world.nowMs);
      return world.isOnline;
    },
    now: () => world.nowMs,
    sleep: async (ms) => void (world.nowMs += ms),
  });
  return { world, check };
}

test("many batches ask the anchors once in five seconds", async () => {
  const { world, check } = open();
  await Promise.all([check.recent(), check.recent()]);
  world.nowMs = 4_000;
  await check.recent();
  expect(world.rounds).toEqual([0]);
  world.nowMs = 6_000;
  await check.recent();
  expect(world.rounds).toEqual([0, 6_000]);
});

test("after new failures, a round that began earlier does not count", async () => {
  const { world, check } = open();
  expect(await check.recent()).toBe(true);
  world.nowMs = 1_000;
  world.isOnline = false;
  const both = await Promise.all([check.fresh(), check.fresh()]);
  expect(both).toEqual([false, false]);
  expect(world.rounds).toEqual([0, 5_000]);
});
