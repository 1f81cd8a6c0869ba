import { expect, test } from "vitest";
import { planGroups, type CheckTarget } from "../../../src/monitors/checks/check-target.ts";

const targetOf = (url: string, lastState: CheckTarget["lastState"] = "healthy"): CheckTarget => ({
  id: url,
  url,
  lastState,
});

/** Randomness that keeps the order. */
const inOrder = (): number => 0.999_999;

const hostsOf = async (targets: readonly CheckTarget[]): Promise<readonly string[][]> =>
  (await planGroups(targets, inOrder)).map((group) => group.map(({ id }) => id));

test("monitors of one host are in one group, whatever their port or path", async () => {
  const urls = ["https://a.test/", "https://b.test/", "http://a.test/x", "https://a.test:80/"];
  expect(await hostsOf(urls.map((url) => targetOf(url)))).toEqual([
    ["https://a.test/", "http://a.test/x", "https://a.test:80/"],
    ["https://b.test/"],
  ]);
});

test("failed monitors come last, in groups of their own", async () => {
  const targets = [
    targetOf("https://dead.test/", "failing"),
    targetOf("https://half.test/", "failing"),
    targetOf("https://new.test/", "unknown"),
    targetOf("https://half.test/ok"),
  ];
  expect(await hostsOf(targets)).toEqual([
    ["https://new.test/"],
    ["https://half.test/ok"],
    ["https://dead.test/"],
    ["https://half.test/"],
  ]);
});

test("the order is random in each run", async () => {
  const targets = Array.from({ length: 200 }, (_, index) => targetOf(`https://h${index}.test/`));
  const orders = await Promise.all([1, 2].map(() => planGroups(targets, Math.random)));
  const [one, two] = orders.map((groups) => groups.flat().map(({ id }) => id));
  expect(one).not.toEqual(two);
  expect(one?.toSorted()).toEqual(targets.map(({ id }) => id).toSorted());
});

test("100,000 targets do not block the thread", async () => {
  const targets = Array.from({ length: 100_000 }, (_, index) =>
    targetOf(`https://h${index}.example.com/`),
  );
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  expect(await planGroups(targets, inOrder)).toHaveLength(100_000);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});
