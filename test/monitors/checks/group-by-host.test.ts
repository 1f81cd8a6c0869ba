import { expect, test } from "vitest";
import {
  type CheckTarget,
  hostOfTarget,
  planGroups,
  toProbeTarget,
} from "../../../src/monitors/checks/check-target.ts";
import { paceOf } from "../../../src/monitors/checks/messages.ts";

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

test.each([
  ["https://a.test:8443/x", "a.test"],
  ["http://[2001:db8::1]/", "[2001:db8::1]"],
  ["a.test", ""],
  ["https://", ""],
])("the host of %s is %j", (url, host) => {
  expect(hostOfTarget(url)).toBe(host);
});

test("a monitor is healthy below 400 unless its owner lists statuses", () => {
  const plain = toProbeTarget(targetOf("https://a.test/"));
  expect(plain).toMatchObject({ url: "https://a.test/", trust: "public", works: "answer" });
  expect(plain).toHaveProperty("healthyBelow", 400);
  expect(plain).not.toHaveProperty("expect");
  expect(plain).not.toHaveProperty("body");
  const listed = toProbeTarget({
    ...targetOf("https://a.test/"),
    expect: [200],
    body: "ok",
    timeoutMs: 3_000,
  });
  expect(listed).toMatchObject({ expect: [200], body: "ok", limits: { totalMs: 3_000 } });
  expect(listed).not.toHaveProperty("healthyBelow");
  expect(listed.limits?.bodyBytes).toBeGreaterThan(plain.limits?.bodyBytes ?? Infinity);
});

test.each([
  [32, 2, 12, 4],
  [4, 1, 3, 1],
  [8, 1, 6, 2],
  [7, 1, 6, 1],
  [11, 3, 2, 1],
  [2, 2, 1, 1],
  [1, 1, 1, 1],
])("of %i checks at once on %i threads, each has %i first and %i confirming", (...row) => {
  const [concurrency, threads, lanes, confirmations] = row;
  expect(paceOf(concurrency, threads, [5])).toEqual({
    lanes,
    confirmations,
    confirmDelaysMs: [5],
  });
});

test("the order is that of the random numbers", async () => {
  const numbers = [0, 0.5, 0.99, 0.4];
  const targets = ["a", "b", "c", "d", "e"].map((host) => targetOf(`https://${host}.test/`));
  const groups = await planGroups(targets, () => numbers.shift() ?? 0);
  expect(groups.flat().map(({ id }) => id.charAt(8))).toEqual(["b", "e", "d", "c", "a"]);
});
