import { describe, expect, test } from "vitest";
import type { OwnedMonitor } from "../../../src/model/monitor/owned-monitor.ts";
import { NO_OWNER_CHANGES, type OwnerChanges } from "../../../src/model/monitor/owner-channel.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import type { MonitorCondition, MonitorRecord } from "../../../src/model/monitor/uptime.ts";
import { noteChanges } from "../../../src/monitors/ownership/fold-edits.ts";
import { pendingMonitor, provedMonitor, tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";

const CHANNEL = {
  kind: "webhook",
  id: tokenOf("c"),
  addedAtMs: T0,
  url: "https://hooks.example.ru/",
  secret: "whsec_AAAA",
} as const;
const OWNED: OwnedMonitor = { ...provedMonitor("a"), channels: [CHANNEL] };
const SINCE = T0 - HOUR_MS;

function record(state: MonitorCondition): MonitorRecord {
  const code = state === "failing" ? { code: "tcp-timeout" as const } : {};
  return { firstRun: 1, days: [], marks: "", marksEnd: 0, state, sinceMs: SINCE, ...code };
}

/** The outbox after a generation in which the monitor went from one state to another. */
function noteIn(
  outbox: OwnerChanges,
  owned: OwnedMonitor,
  before: MonitorCondition | undefined,
  after: MonitorCondition,
  nowMs = T0,
  known: readonly string[] = [CHANNEL.id],
): OwnerChanges {
  return noteChanges(outbox, {
    records: [[owned.monitor.id, owned]],
    channelsBefore: () => known.map((id) => ({ id })),
    checksBefore: () => (before === undefined ? undefined : record(before)),
    checksAfter: () => record(after),
    nowMs,
  });
}

describe("of a monitor with a channel", () => {
  test.each([
    ["healthy", "failing"],
    ["failing", "healthy"],
    ["unknown", "failing"],
    ["refused", "healthy"],
    ["refused", "failing"],
  ] as const)("%s → %s is noted", (before, after) => {
    const { next, recent } = noteIn(NO_OWNER_CHANGES, OWNED, before, after);
    expect(next).toBe(2);
    const change = { seq: 1, id: "a", atMs: T0, before, after, sinceMs: SINCE };
    const code = after === "failing" ? { code: "tcp-timeout" } : {};
    expect(recent).toEqual([{ kind: "condition", ...change, ...code }]);
  });

  test.each([
    ["healthy", "healthy"],
    ["failing", "failing"],
    ["unknown", "healthy"],
    ["healthy", "refused"],
    ["healthy", "unknown"],
    [undefined, "healthy"],
    [undefined, "unknown"],
  ] as const)("%s → %s is nothing to tell", (before, after) => {
    expect(noteIn(NO_OWNER_CHANGES, OWNED, before, after)).toBe(NO_OWNER_CHANGES);
  });
});

test("a first check that fails is noted, since that check", () => {
  const { recent } = noteIn(NO_OWNER_CHANGES, OWNED, undefined, "failing");
  expect(recent).toMatchObject([{ before: "unknown", after: "failing", sinceMs: SINCE }]);
});

test("a monitor that was not checked any more is nothing to tell", () => {
  const gone = { records: [["a", OWNED]], channelsBefore: () => [CHANNEL] } as const;
  const checks = { checksBefore: () => record("healthy"), checksAfter: () => undefined };
  expect(noteChanges(NO_OWNER_CHANGES, { ...gone, ...checks, nowMs: T0 })).toBe(NO_OWNER_CHANGES);
});

test("a change is kept until two days after it", () => {
  const outbox = noteIn(NO_OWNER_CHANGES, OWNED, "healthy", "failing");
  const calmAt = (nowMs: number) => noteIn(outbox, OWNED, "failing", "failing", nowMs);
  expect(calmAt(T0 + 2 * DAY_MS - 1)).toBe(outbox);
  expect(calmAt(T0 + 2 * DAY_MS)).toEqual({ next: 2, recent: [] });
});

test("the newest 10,000 changes are kept", () => {
  const records = Array.from({ length: 10_001 }, (_, at) => [`m${at}`, OWNED] as const);
  const outbox = noteChanges(NO_OWNER_CHANGES, {
    records,
    channelsBefore: () => [],
    checksBefore: () => undefined,
    checksAfter: () => undefined,
    nowMs: T0,
  });
  expect([outbox.next, outbox.recent.length, outbox.recent[0]?.id]).toEqual([10_002, 10_000, "m1"]);
});

test("of a monitor without a channel, or that is not checked, nothing is noted", () => {
  for (const owned of [
    provedMonitor("a"),
    { ...pendingMonitor("a"), channels: [CHANNEL] },
    { ...OWNED, removedAtMs: T0 },
  ])
    expect(noteIn(NO_OWNER_CHANGES, owned, "healthy", "failing")).toBe(NO_OWNER_CHANGES);
});

test("a channel is noted in the generation that adds it, and in no other", () => {
  const { recent } = noteIn(NO_OWNER_CHANGES, OWNED, "healthy", "healthy", T0, []);
  expect(recent).toEqual([{ seq: 1, id: "a", atMs: T0, kind: "added", channelId: CHANNEL.id }]);
  expect(noteIn(NO_OWNER_CHANGES, OWNED, "healthy", "healthy")).toBe(NO_OWNER_CHANGES);
});

test("what is older than two days leaves, and the numbers go on without gaps", () => {
  let outbox = NO_OWNER_CHANGES;
  for (let hour = 0; hour < 60; hour += 1) {
    const [before, after] = hour % 2 === 0 ? ["healthy", "failing"] : ["failing", "healthy"];
    outbox = noteIn(
      outbox,
      OWNED,
      before as MonitorCondition,
      after as MonitorCondition,
      T0 + hour * HOUR_MS,
    );
  }
  expect(outbox.next).toBe(61);
  expect(outbox.recent.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 48 }, (_, at) => 13 + at),
  );
  const calm = noteIn(outbox, OWNED, "healthy", "healthy", T0 + 9 * DAY_MS);
  expect(calm).toEqual({ next: 61, recent: [] });
});

test("a change behind one of a clock that was ahead leaves no gap", () => {
  const ahead = noteIn(NO_OWNER_CHANGES, OWNED, "healthy", "failing", T0 + HOUR_MS);
  const outbox = noteIn(ahead, OWNED, "failing", "healthy", T0);
  const calmAt = (nowMs: number) => noteIn(outbox, OWNED, "healthy", "healthy", nowMs);
  // The state could not be stored with the first alone.
  expect(calmAt(T0 + 2 * DAY_MS)).toBe(outbox);
  expect(calmAt(T0 + 2 * DAY_MS + HOUR_MS)).toEqual({ next: 3, recent: [] });
});
