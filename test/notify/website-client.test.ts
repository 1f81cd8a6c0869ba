import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openWebsite, websiteOf } from "../../src/notify/services/website-client.ts";
import { type FakeReceivers, nameOf, startReceivers } from "./fake-receivers.ts";

let receivers: FakeReceivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.close());
beforeEach(() => {
  receivers.reset();
  Object.assign(receivers.world, { updated: 1_795_511_100, codes: new Map([["vk", "fail"]]) });
  receivers.world.changes.push({ slug: "vk", at: 1_795_511_100, before: "ok", code: "fail" });
});

const LOG = "/site/changes/v1.json";
const LIST = "/site/api/v1/status";

function open(suffix = "/site") {
  const clock = { nowMs: 0 };
  const stop = new AbortController();
  const site = openWebsite(`${receivers.url}${suffix}`, () => clock.nowMs, stop.signal);
  return { clock, stop, site };
}

const askedFor = (line: string): number =>
  receivers.world.asked.filter((one) => one === line).length;

test.each([
  ["https://a.example", "https://a.example"],
  ["https://a.example//", "https://a.example"],
  ["https://a.example/x/changes/v1.json", "https://a.example/x"],
  ["https://a.example/changes/v1.json/", "https://a.example"],
  ["https://a.example/changes/v2.json", "https://a.example/changes/v2.json"],
])("the website of %s is %s", (url, website) => {
  expect(websiteOf(url)).toBe(website);
});

test("both documents are read, in units of the program", async () => {
  const { site } = open("/site/changes/v1.json");
  expect(site.baseUrl).toBe(`${receivers.url}/site`);
  const atMs = 1_795_511_100_000;
  const { changes, status } = await site.read();
  expect(changes.next).toBe(2);
  const change = { seq: 1, id: "vk.1795511100.fail", slug: "vk", before: "ok", code: "fail" };
  expect(changes.changes).toEqual([{ ...change, atMs, isSurge: false }]);
  expect(status.updatedMs).toBe(atMs);
  expect([...status.services]).toEqual([["vk", { name: nameOf("vk"), code: "fail" }]]);
});

test("a website is asked every 15 seconds at most", async () => {
  const { site, clock } = open();
  await site.read();
  clock.nowMs = 14_999;
  await site.read();
  expect(askedFor(`GET ${LOG}`)).toBe(1);
  clock.nowMs = 15_000;
  await site.read();
  expect([askedFor(`GET ${LOG}`), askedFor(`GET ${LIST}`)]).toEqual([2, 2]);
});

test("a document that has not changed is not sent again, and one that has is", async () => {
  const { site, clock } = open();
  const before = await site.read();
  clock.nowMs = 15_000;
  receivers.world.codes.set("vk", "ok");
  const after = await site.read();
  expect([askedFor(`304 ${LOG}`), askedFor(`304 ${LIST}`)]).toEqual([1, 0]);
  expect(after.changes).toEqual(before.changes);
  expect(after.status.services.get("vk")?.code).toBe("ok");
});

const change = (seq: number) => {
  const common = { slug: "vk", at: 1, before: "ok", code: "fail", surge: false };
  return { seq, id: `vk.${seq}`, ...common };
};
const log = (next: number, seqs: readonly number[]): string =>
  JSON.stringify({ next, changes: seqs.map(change) });
const FOREIGN = `${LOG} is not a document of this program:`;
const padded = (bytes: number): string => log(1, []).padEnd(bytes);

test.each([
  ["nothing", 404, "", `${LOG} answered 404.`],
  ["an answer without content", 204, "", `${LOG} answered 204.`],
  ["no JSON", 200, "<html>", `${FOREIGN} it is not as expected.`],
  ["a number too low", 200, log(0, []), `${FOREIGN} next is not as expected.`],
  ["a gap", 200, log(4, [1, 3]), `${FOREIGN} the numbers of its changes have gaps.`],
  [
    "a last number that is not below the next",
    200,
    log(2, [1, 2]),
    `${FOREIGN} the numbers of its changes have gaps.`,
  ],
  ["a change without a number", 200, log(1, [0]), `${FOREIGN} changes.0.seq is not as expected.`],
  ["more than one MiB", 200, padded(1024 * 1024 + 1), `${LOG} cannot be read`],
])("%s in place of the log is an error", async (_, status, body, words) => {
  receivers.world.pages.set(LOG, { status, body });
  await expect(open().site.read()).rejects.toThrow(words);
});

test("a log of one MiB is read, and so is one with a change that is not the first", async () => {
  receivers.world.pages.set(LOG, { status: 200, body: padded(1024 * 1024) });
  expect((await open().site.read()).changes).toEqual({ next: 1, changes: [] });
  receivers.world.pages.set(LOG, { status: 200, body: log(4, [2, 3]) });
  expect((await open().site.read()).changes.changes.map(({ seq }) => seq)).toEqual([2, 3]);
});

test("a list may be of the year 2243, and no later", async () => {
  const listAt = (updated: number): void => {
    const body = JSON.stringify({ updated, services: [] });
    receivers.world.pages.set(LIST, { status: 200, body });
  };
  listAt(8_640_000_000);
  await expect(open().site.read()).resolves.toBeDefined();
  listAt(8_640_000_001);
  await expect(open().site.read()).rejects.toThrow("updated is not as expected");
});

test("a service whose color is that of another code is an error", async () => {
  const vk = { slug: "vk", name: "VK", code: "fail", color: "ok" };
  const body = JSON.stringify({ updated: 1, services: [vk] });
  receivers.world.pages.set(LIST, { status: 200, body });
  await expect(open().site.read()).rejects.toThrow("vk has a color that is not that of its code");
});

test("a website is read again after an error, and not after a stop", async () => {
  const { site, stop } = open();
  receivers.world.pages.set(LOG, { status: 500, body: "" });
  await expect(site.read()).rejects.toThrow("answered 500");
  receivers.world.pages.clear();
  expect((await site.read()).changes.next).toBe(2);
  stop.abort();
  await expect(open().site.read()).resolves.toBeDefined();
  const stopped = open();
  stopped.stop.abort();
  await expect(stopped.site.read()).rejects.toThrow("cannot be read");
});

test("a website that does not listen is an error with its code", async () => {
  const site = openWebsite("http://127.0.0.1:1", () => 0, new AbortController().signal);
  await expect(site.read()).rejects.toThrow("cannot be read: ECONNREFUSED");
});

test("how long outages have lasted is read, and nothing that would not fit a message", async () => {
  const past = { of: "service", days: 90, outages: 9, median: 2_100, longest: 12_000 };
  const { changes } = receivers.world;
  changes[0] = { slug: "vk", at: 1_795_511_100, before: "ok", code: "fail", past };
  const { site } = open();
  expect((await site.read()).changes.changes[0]?.past).toEqual({
    of: "service",
    days: 90,
    count: 9,
    medianMs: 2_100_000,
    longestMs: 12_000_000,
  });
  changes[0] = { ...changes[0], past: { ...past, outages: 1e9 } };
  await expect(open().site.read()).rejects.toThrow("changes.0.past.outages is not as expected");
});

test("operators are read, without those that only a newer version knows", async () => {
  const { changes } = receivers.world;
  const share = { share: 71, usual: 18 };
  const tell = async (...operators: readonly string[]) => {
    const shares = operators.map((operator) => ({ operator, ...share }));
    const told = { shares, alone: true };
    changes[0] = { slug: "vk", at: 1_795_511_100, before: "ok", code: "spike", operators: told };
    return (await open().site.read()).changes.changes[0]?.operators;
  };
  const mts = { operator: "mts", percent: 71, usual: 18 };
  expect(await tell("mts")).toEqual({ shares: [mts], isAlone: true });
  expect(await tell("an-operator-of-tomorrow", "mts")).toEqual({ shares: [mts], isAlone: false });
  expect(await tell("an-operator-of-tomorrow")).toBeUndefined();
});
