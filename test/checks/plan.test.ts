import { expect, test } from "vitest";
import { planGroups } from "../../src/checks/plan.ts";
import type { CheckTarget } from "../../src/checks/target.ts";

const targetOf = (url: string, lastState: CheckTarget["lastState"] = "healthy"): CheckTarget => ({
  id: url,
  url,
  lastState,
});

/** Chance that leaves everything where it is. */
const inOrder = (): number => 0.999_999;

const hostsOf = async (targets: readonly CheckTarget[]): Promise<readonly string[][]> =>
  (await planGroups(targets, inOrder)).map((group) => group.map(({ id }) => id));

test("monitors of one host stand together, whatever their port, scheme or path", async () => {
  const urls = ["https://a.test/", "https://b.test/", "http://a.test/x", "https://a.test:80/"];
  expect(await hostsOf(urls.map((url) => targetOf(url)))).toEqual([
    ["https://a.test/", "http://a.test/x", "https://a.test:80/"],
    ["https://b.test/"],
  ]);
});

test("what failed last time goes last, apart from its neighbours on the same host", async () => {
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

test("the order is another one each time, so that nobody is behind the same others in every run", async () => {
  const targets = Array.from({ length: 200 }, (_, index) => targetOf(`https://h${index}.test/`));
  const orders = await Promise.all([1, 2].map(() => planGroups(targets, Math.random)));
  const [one, two] = orders.map((groups) => groups.flat().map(({ id }) => id));
  expect(one).not.toEqual(two);
  expect(one?.toSorted()).toEqual(targets.map(({ id }) => id).toSorted());
});

test("100,000 targets leave others their turn on the thread in between", async () => {
  const targets = Array.from({ length: 100_000 }, (_, index) =>
    targetOf(`https://h${index}.example.com/`),
  );
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  expect(await planGroups(targets, inOrder)).toHaveLength(100_000);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});
