import { expect, test } from "vitest";
import { OURS, play } from "./play.ts";
import { report } from "./report.ts";
import { CATALOGUE } from "./samples.ts";

function playOnce() {
  return play(CATALOGUE, {
    warmDays: 0,
    days: 0.5,
    seed: 3,
    profile: "harsh",
    onDay: () => undefined,
    clock: () => 0,
  });
}

test("half a simulated day is the same each time, and one probe is wrong more often than a run", async () => {
  const played = await playOnce();
  const falseOf = (name: string): number =>
    [...(played.outages.get(name)?.falseByCause.values() ?? [])].reduce(
      (sum, count) => sum + count,
      0,
    );
  expect(played).toMatchObject({ services: 2, judged: 1, endpoints: 4 });
  expect(played.runs).toBeGreaterThan(100);
  expect(falseOf("one probe")).toBeGreaterThan(falseOf(OURS));
  const text = report(played, 1);
  expect(text).toContain("| ours |");
  expect(text).toContain("| one probe |");
  expect(text).toContain("| restricted_fail |");
  expect(report(await playOnce(), 1)).toBe(text);
});
