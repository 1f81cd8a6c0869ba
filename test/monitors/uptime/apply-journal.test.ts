import { expect, test } from "vitest";
import type { MonitorChange, UptimeShard } from "../../../src/model/monitor/uptime.ts";
import { applyPending } from "../../../src/monitors/uptime/journal.ts";
import { shardOf } from "../../../src/model/monitor/shard.ts";
import { FAILING, GONE, HEALTHY, neighbourOf, pendingOf, recordOf } from "./samples.ts";

const SHARD = shardOf("shop");
const ELSEWHERE = (SHARD + 1) % 64;
const SIBLING = neighbourOf("shop");

function shardWith(sequence: number, records: UptimeShard["records"]): UptimeShard {
  return { sequence, records };
}

function take(shard: UptimeShard | undefined, run: number, change: MonitorChange) {
  return applyPending(SHARD, shard, pendingOf(run, { shop: change }));
}

test("changes make a shard, and the same changes keep it", () => {
  const once = take(undefined, 3, HEALTHY);
  expect(once?.sequence).toBe(3);
  expect([...(once?.records.keys() ?? [])]).toEqual(["shop"]);
  expect(take(once, 3, HEALTHY)).toBe(once);
  expect(take(once, 2, FAILING)).toBe(once);
});

test("a shard without a changed monitor stays as it is", () => {
  const shard = shardWith(2, new Map([["x", recordOf()]]));
  const pending = pendingOf(3, { shop: FAILING });
  expect(applyPending(ELSEWHERE, shard, pending)).toBe(shard);
  expect(applyPending(ELSEWHERE, undefined, pending)).toBeUndefined();
});

test("the removal of an absent monitor changes nothing", () => {
  const shard = shardWith(2, new Map([[SIBLING, recordOf()]]));
  expect(take(shard, 3, GONE)).toBe(shard);
  expect(take(undefined, 3, GONE)).toBeUndefined();
});

test("a shard that loses its last monitor remembers that", () => {
  const before = take(undefined, 3, HEALTHY);
  const after = take(before, 4, GONE);
  expect(after).toEqual({ sequence: 4, records: new Map() });
  expect(take(after, 3, HEALTHY)).toBe(after);
});

test("a monitor that returns begins a new record", () => {
  const failing = take(undefined, 3, FAILING);
  const back = take(take(failing, 4, GONE), 5, HEALTHY);
  expect(back?.records.get("shop")).toMatchObject({ firstRun: 5, days: [], marks: "" });
});

test("old data is removed from a shard only when a monitor of it changes", () => {
  const old = recordOf({ days: [{ day: 20_833, failed: 1, skipped: 0 }], marks: "f", marksEnd: 2 });
  const shard = shardWith(2, new Map([[SIBLING, old]]));
  const run = 90 * 288 + 1;
  expect(applyPending(SHARD, shard, pendingOf(run, { x: FAILING }))).toBe(shard);
  const changed = take(shard, run, HEALTHY);
  expect(changed?.records.get(SIBLING)).toMatchObject({ days: [], marks: "", marksEnd: 0 });
  expect(shard.records.get(SIBLING)).toBe(old);
});
