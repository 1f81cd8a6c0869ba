import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packResults, packWork, planBatches, unpackResults } from "../../src/engine/batches.ts";
import { batchIn, endSubjectOf, isVantageName, resultsSubject } from "../../src/engine/names.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";

const target = (id: string, url = `https://${id}.example/`): CheckTarget => ({
  id,
  url,
  lastState: "healthy",
});

/** The sizes of the batches, the largest first. */
const sizes = (targets: readonly CheckTarget[], most: number): readonly number[] =>
  planBatches(targets, 7, most)
    .map((batch) => batch.length)
    .toSorted((a, b) => b - a);

test("a batch is full with as many targets as it may have, unless one host has more", () => {
  const each = ["a", "b", "c", "d"].map((id) => target(id));
  expect(sizes(each, 4)).toEqual([4]);
  expect(sizes(each, 3)).toEqual([3, 1]);
  expect(sizes(each, 1)).toEqual([1, 1, 1, 1]);
  expect(sizes([], 4)).toEqual([]);
  const oneHost = each.map(({ id }) => target(id, `https://one.example/${id}`));
  expect(sizes(oneHost, 2)).toEqual([4]);
  // A host of two does not fit beside a host of two.
  expect(
    sizes(
      [
        ...oneHost.slice(0, 2),
        target("e", "https://e.example/"),
        target("f", "https://e.example/"),
      ],
      3,
    ),
  ).toEqual([2, 2]);
});

test("a batch ends before its text is larger than a message", () => {
  const body = "ю".repeat(1_000);
  const many = Array.from({ length: 500 }, (_, at) => ({ ...target(`m${at}`), body }));
  // Each has at least 3,000 bytes of text, of 700,000.
  const counts = sizes(many, 500);
  expect(counts.length).toBe(3);
  expect(counts[0]).toBeLessThanOrEqual(233);
  expect(counts[0]).toBeGreaterThan(200);
});

test("statuses of a monitor count towards the size of its batch", () => {
  const expectMany = Array.from({ length: 400 }, (_, at) => 100 + at);
  const many = Array.from({ length: 500 }, (_, at) => ({
    ...target(`m${at}`),
    expect: expectMany,
  }));
  const counts = sizes(many, 500);
  // Each has at least 2,400 bytes of statuses, of 700,000.
  expect(counts.length).toBe(2);
  expect(counts[0]).toBeLessThanOrEqual(291);
});

test("the order is the same in whatever order the targets are", () => {
  const targets = Array.from({ length: 60 }, (_, at) => target(`m${at}`));
  const order = (all: readonly CheckTarget[]): readonly string[] =>
    planBatches(all, 7)
      .flat()
      .map(({ id }) => id);
  expect(order(targets.toReversed())).toEqual(order(targets));
});

const WORK = { targets: [target("a")], digest: packWork([target("a")]).digest };

/** What is read of an answer with a change in its text. */
function readChanged(change: (wire: Record<string, unknown>) => void): unknown {
  const packed = packResults(WORK, new Map(), { delivery: 1, checkMs: 0 });
  const wire = JSON.parse(gunzipSync(packed).toString()) as Record<string, unknown>;
  change(wire);
  return unpackResults(gzipSync(JSON.stringify(wire)), ["a"], WORK.digest);
}

test.each([
  ["delivery", 0, false],
  ["delivery", 1, true],
  ["delivery", 1_000, true],
  ["delivery", 1_001, false],
  ["delivery", 1.5, false],
  ["checkMs", -1, false],
  ["checkMs", 0, true],
  ["checkMs", 1e7, true],
  ["checkMs", 1e7 + 1, false],
  ["version", 2, false],
  ["format", "status-snapshot/work", false],
  ["digest", WORK.digest.slice(1), false],
  ["more", 1, false],
  ["results", [], false],
  ["results", [null], true],
  ["results", [null, null], false],
  ["results", [-1], false],
  ["results", [1e7], true],
  ["results", [1e7 + 1], false],
  ["results", [{ failing: "no-such-code" }], false],
  ["results", [{ isWalled: false }], false],
])("an answer whose %s is %j is read: %s", (key, value, isRead) => {
  const read = readChanged((wire) => void (wire[key] = value));
  expect(read !== undefined).toBe(isRead);
});

test.each([
  ["x".repeat(32), true],
  ["x".repeat(33), false],
  ["", false],
  ["a.b", false],
  ["a-1", true],
])("%j names a place: %s", (text, isName) => {
  expect(isVantageName(text)).toBe(isName);
  expect(batchIn(`work.${text}.0-1.5.6`) !== undefined).toBe(isName);
});

test.each([
  ["work.a.0-1.5.6", true],
  ["work.a.9999-9999.9999999999.999999", true],
  ["work.a.10000-1.5.6", false],
  ["work.a.1-10000.5.6", false],
  ["work.a.0-1.10000000000.6", false],
  ["work.a.0-1.5.1000000", false],
  ["work.a.01.5.6", false],
  ["xwork.a.0-1.5.6", false],
])("%s is the subject of a batch: %s", (subject, isBatch) => {
  expect(batchIn(subject) !== undefined).toBe(isBatch);
});

test("the subjects of a slot are those of the protocol", () => {
  expect(resultsSubject("0-1", 7)).toBe("results.*.0-1.7.*");
  expect(endSubjectOf("0-1", 7)).toBe("slot-end.0-1.7");
});
