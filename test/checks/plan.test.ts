import { expect, test } from "vitest";
import { planGroups } from "../../src/checks/plan.ts";
import type { CheckTarget } from "../../src/checks/target.ts";

const targetOf = (url: string, lastState: CheckTarget["lastState"] = "healthy"): CheckTarget => ({
  id: url,
  url,
  lastState,
});

const hostsOf = async (targets: readonly CheckTarget[]): Promise<readonly string[][]> =>
  (await planGroups(targets)).map((group) => group.map(({ id }) => id));

test("monitors of one host stand together, whatever their port, scheme or path", async () => {
  const urls = ["https://a.test/", "https://b.test/", "http://a.test/x", "https://a.test:80/"];
  expect(await hostsOf(urls.map((url) => targetOf(url)))).toEqual([
    ["https://a.test/", "http://a.test/x", "https://a.test:80/"],
    ["https://b.test/"],
  ]);
});

test("hosts of which everything failed last time go last; one good monitor is enough", async () => {
  const targets = [
    targetOf("https://dead.test/", "failing"),
    targetOf("https://half.test/", "failing"),
    targetOf("https://new.test/", "unknown"),
    targetOf("https://half.test/ok"),
  ];
  expect((await hostsOf(targets)).map(([first]) => first)).toEqual([
    "https://half.test/",
    "https://new.test/",
    "https://dead.test/",
  ]);
});

test("100,000 targets leave others their turn on the thread in between", async () => {
  const targets = Array.from({ length: 100_000 }, (_, index) =>
    targetOf(`https://h${index}.example.com/`),
  );
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  expect(await planGroups(targets)).toHaveLength(100_000);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});
