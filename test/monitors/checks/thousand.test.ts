import { afterAll, beforeAll, expect, test } from "vitest";
import { atDepth } from "../../depth.ts";
import { openCrowdHarness, type CrowdHarness } from "./hostile-crowd.ts";

const ALL = atDepth(180, 1_000);
const FEW = atDepth(60, 300);

let crowd: CrowdHarness;
beforeAll(async () => {
  crowd = await openCrowdHarness({ shortMs: 3_000, longMs: 20_000 });
});
afterAll(() => crowd.close());

test("a thousand hostile servers in one run take bounded memory", async () => {
  const { targets, words } = await crowd.gather(ALL);
  const few = await crowd.run(targets.slice(0, FEW));
  const all = await crowd.run(targets);
  // Three times as many need no more: nothing accumulates.
  expect(all.grownMb).toBeLessThan(few.grownMb + 150);
  expect(all.grownMb).toBeLessThan(500);
  expect(all.warnings).toEqual([]);
  const wrong = all.verdicts.flatMap(([id, verdict]) => {
    const word = "code" in verdict ? verdict.code : verdict.kind;
    return word === words.get(id) ? [] : [`${id}: ${word} instead of ${words.get(id)}`];
  });
  // All the servers are two processes, which flood and answer at once, so some may be too late.
  const late = wrong.filter((line) => /: (?:tcp|tls|http|body)-timeout instead of/u.test(line));
  expect(wrong.filter((line) => !late.includes(line))).toEqual([]);
  expect(late.length).toBeLessThan(targets.length / 2);
});
