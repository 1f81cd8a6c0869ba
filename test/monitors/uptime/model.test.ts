import fc from "fast-check";
import { expect, test } from "vitest";
import { type CheckResult, UPTIME_WINDOWS } from "../../../src/model/monitor/monitor.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { type MonitorRecord, SLOT_MS } from "../../../src/model/monitor/uptime.ts";
import { LEVEL_CHARS, msOfLevel } from "../../../src/model/response-level.ts";
import {
  responseOf,
  uptimeDaysOf,
  uptimeOf,
  wasHealthy,
} from "../../../src/monitors/uptime/availability.ts";
import { atDepth } from "../../depth.ts";
import { type Condition, Oracle } from "./oracle.ts";
import { neighbourOf } from "./samples.ts";
import { STEPS, WriterSimulation } from "./writer-simulation.ts";

/** Two of them share a shard. */
const IDS = ["shop", "blog", "bank-1", neighbourOf("shop"), "A_b", "__proto__"];

/** Ten minutes before midnight UTC, so that many sequences cross it early. */
const START_MS = 20_833 * DAY_MS - 10 * MINUTE_MS;

const MIXED = fc.constant("mixed-addresses" as const);

/** Times that are quantised exactly, so that the stored value is the time itself. */
const healthy = fc
  .constantFrom(...LEVEL_CHARS)
  .map((char) => ({ kind: "healthy" as const, totalMs: Math.round(msOfLevel(char) ?? 0) }));

const REFUSALS = ["dns-special-address", "redirect-refused", "url-refused"] as const;

const verdict: fc.Arbitrary<CheckResult> = fc.oneof(
  { weight: 3, arbitrary: healthy },
  { weight: 1, arbitrary: fc.constant({ kind: "healthy" as const }) },
  {
    weight: 1,
    arbitrary: fc.record(
      { kind: fc.constant("healthy"), totalMs: fc.constant(1_260), warning: MIXED },
      { requiredKeys: ["kind", "warning"] },
    ),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "failing" as const, code: "tcp-timeout" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("refused"), code: fc.constantFrom(...REFUSALS) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "skipped" as const }) },
);

/** Some monitors are refused for months before they are healthy, or after. */
const spell = fc.option(
  fc.record({
    id: fc.nat({ max: IDS.length - 1 }),
    verdict: fc.constantFrom<CheckResult>(
      { kind: "refused", code: "redirect-refused" },
      { kind: "failing", code: "tcp-timeout" },
    ),
  }),
  { freq: 3 },
);

/** Mostly the next slot; sometimes the same one, an earlier one, or one far away on either side of a window's edge. */
const stepMs = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 3 * SLOT_MS }) },
  { weight: 2, arbitrary: fc.integer({ min: -2 * DAY_MS, max: 0 }) },
  { weight: 2, arbitrary: fc.integer({ min: 20 * 3_600_000, max: 28 * 3_600_000 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(1, 6, 7, 29, 30, 83, 89, 90), fc.integer({ min: -2, max: 2 }))
      .map(([days, slots]) => days * DAY_MS + slots * SLOT_MS),
  },
);

const action = fc.record({
  stepMs,
  verdicts: fc.array(fc.option(verdict, { freq: 6 }), {
    minLength: IDS.length,
    maxLength: IDS.length,
  }),
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant("run" as const) },
    { weight: 1, arbitrary: fc.constant("remove" as const) },
    { weight: 1, arbitrary: fc.constant("repeat" as const) },
  ),
  diesAfter: fc.oneof(
    { weight: 3, arbitrary: fc.constant(STEPS.confirm) },
    { weight: 2, arbitrary: fc.nat({ max: STEPS.confirm }) },
  ),
  half: fc.double({ min: 0, max: 1, noNaN: true }),
  lookAfterMs: fc.oneof(fc.constant(0), stepMs),
  publicIds: fc.subarray(IDS).map((ids) => new Set(ids)),
  sleeper: fc.option(fc.nat({ max: 30 }), { freq: 2 }),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

function take(simulation: WriterSimulation, oracle: Oracle, atMs: number, act: Action): void {
  const verdicts = new Map(
    IDS.flatMap((id, index) => {
      const given = act.verdicts[index];
      return given ? [[id, given] as const] : [];
    }),
  );
  const removedIds = simulation.ids().filter((id) => !verdicts.has(id));
  if (act.kind === "remove") {
    const result = simulation.remove(atMs, removedIds, act.diesAfter, act.half);
    if (result === "won") removedIds.forEach((id) => oracle.forget(id));
    return;
  }
  for (let times = act.kind === "repeat" ? 2 : 1; times > 0; times -= 1) {
    const result = simulation.run(
      atMs,
      verdicts,
      act.publicIds,
      removedIds,
      act.diesAfter,
      act.half,
    );
    expect(result === "already-counted").toBe(!oracle.wouldCount(atMs));
    if (result !== "won") continue;
    oracle.check(atMs, verdicts, act.publicIds);
    removedIds.forEach((id) => oracle.forget(id));
  }
}

function compare(simulation: WriterSimulation, oracle: Oracle, nowMs: number): void {
  for (const id of IDS) {
    const record = simulation.recordOf(id);
    expect(record && conditionOf(record)).toEqual(oracle.conditionOf(id));
    const was = wasHealthy(record, simulation.state.clock, nowMs);
    expect({ id, was }).toEqual({ id, was: oracle.wasHealthy(id, nowMs) });
    if (record !== undefined) comparePage(record, simulation, oracle, id, nowMs);
    for (const window of UPTIME_WINDOWS) {
      const counted = uptimeOf(record, simulation.state.clock, window, nowMs);
      expect({ id, window, ...counted }).toEqual({
        id,
        window,
        ...oracle.count(id, window, nowMs),
      });
    }
  }
}

function comparePage(
  record: MonitorRecord,
  { state: { clock } }: WriterSimulation,
  oracle: Oracle,
  id: string,
  nowMs: number,
): void {
  const notBeforeMs = Math.max(nowMs, clock.lastSlot * SLOT_MS);
  expect({ id, ms: responseOf(record, notBeforeMs) }).toEqual({
    id,
    ms: oracle.responses(id, notBeforeMs),
  });
  const grades = oracle.failedShares(id, nowMs).map((share) => {
    if (share === null || share === 0) return share === null ? null : "whole";
    return share < 0.05 ? "minor" : "major";
  });
  expect({ id, days: uptimeDaysOf(record, clock, nowMs) }).toEqual({ id, days: grades });
}

function conditionOf({ state, sinceMs, code, warning }: MonitorRecord): Condition {
  return {
    state,
    sinceMs,
    ...(code === undefined ? {} : { code }),
    ...(warning === undefined ? {} : { warning }),
  };
}

type Spell = typeof spell extends fc.Arbitrary<infer T> ? T : never;

function play(actions: readonly Action[], spell: Spell): void {
  const simulation = new WriterSimulation();
  const oracle = new Oracle();
  let atMs = START_MS;
  for (const act of actions) {
    atMs += act.stepMs;
    const verdicts = act.verdicts.map((given, index) =>
      index === spell?.id && given !== null ? spell.verdict : given,
    );
    take(simulation, oracle, atMs, { ...act, verdicts });
    if (act.sleeper !== null) simulation.settleAgain(act.sleeper);
    compare(simulation, oracle, atMs + act.lookAfterMs);
  }
}

test("every window counts as an oracle with all checks, whichever writer dies", () => {
  fc.assert(fc.property(fc.array(action, { minLength: 1, maxLength: 30 }), spell, play), {
    numRuns: atDepth(30, 150),
  });
});

test("a week of runs in every slot, with gaps, counts exactly in every slot", () => {
  const rolls = fc.sample(action, { numRuns: atDepth(400, 2_100), seed: 7 });
  const simulation = new WriterSimulation();
  const oracle = new Oracle();
  let atMs = START_MS;
  for (const [index, roll] of rolls.entries()) {
    atMs += index % 97 === 0 ? 40 * SLOT_MS : SLOT_MS;
    const verdicts = roll.verdicts.map(
      (given) => given ?? { kind: "healthy" as const, totalMs: 1_260 },
    );
    take(simulation, oracle, atMs, { ...roll, verdicts, kind: "run" });
    if (index % 13 === 0) compare(simulation, oracle, atMs);
  }
});
