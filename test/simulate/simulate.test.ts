import { expect, test } from "vitest";
import { OURS, simulate } from "./simulate.ts";
import { report } from "./report.ts";
import { CATALOGUE } from "./samples.ts";

function simulateOnce() {
  return simulate(CATALOGUE, {
    warmDays: 0,
    days: 0.5,
    seed: 3,
    profile: "harsh",
    onDay: () => undefined,
    clock: () => 0,
  });
}

test("half a simulated day is deterministic, and one probe errs more than a run", async () => {
  const result = await simulateOnce();
  const falseOf = (name: string): number =>
    [...(result.outages.get(name)?.falseByCause.values() ?? [])].reduce(
      (sum, count) => sum + count,
      0,
    );
  expect(result).toMatchObject({ services: 2, scored: 1, endpoints: 4 });
  expect(result.runs).toBeGreaterThan(100);
  expect(falseOf("one probe")).toBeGreaterThan(falseOf(OURS));
  const text = report(result, 1, "realistic");
  expect(text).toContain("| ours |");
  expect(text).toContain("| one probe |");
  expect(text).toContain("| restricted_fail |");
  expect(report(await simulateOnce(), 1, "realistic")).toBe(text);
});
