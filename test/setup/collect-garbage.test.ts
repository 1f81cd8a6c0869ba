import { expect, test } from "vitest";
import { runScript } from "../run-script.ts";

const MIB = 1024 * 1024;

test.each([
  ["grows without", "grow", false],
  ["stays small after", "stop", true],
])("the young heap of a process that allocates %s stopYoungGrowth", async (_, act, isSmall) => {
  const bytes = await runScript("setup/young-heap-script.ts", [act]);
  expect(Number(bytes) <= 8 * MIB).toBe(isSmall);
});
