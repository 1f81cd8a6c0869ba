import { expect, test } from "vitest";
import { createPacedCollector } from "../../src/setup/collect-garbage.ts";
import { runScript } from "../run-script.ts";

const MIB = 1024 * 1024;

test.each([
  ["grows without", "grow", false],
  ["stays small after", "stop", true],
])("the young heap of a process that allocates %s stopYoungGrowth", async (_, act, isSmall) => {
  const bytes = await runScript("setup/young-heap-script.ts", [act]);
  expect(Number(bytes) <= 8 * MIB).toBe(isSmall);
});

/** Whether an object that nothing holds is gone after an act. A minute of the heap's own work would not collect it. */
async function isGoneAfter(act: () => void): Promise<boolean> {
  const dropped = new WeakRef({});
  // A reference lasts until the end of the job that made it.
  await new Promise(setImmediate);
  act();
  return dropped.deref() === undefined;
}

test("all garbage is collected after 4 MiB of text, and later after an eighth of all", async () => {
  const collectAfter = createPacedCollector();
  const steps = [4 * MIB - 1, 1, 4 * MIB - 1, 1, 56 * MIB, 9 * MIB, MIB, 9 * MIB, 3 * MIB];
  const gone: boolean[] = [];
  for (const bytes of steps) gone.push(await isGoneAfter(() => collectAfter(bytes)));
  // Of 64 MiB that were parsed it takes 9.14 MiB more, and of 74 MiB 10.57.
  expect(gone).toEqual([false, true, false, true, true, false, true, false, true]);
});
