import { describe, expect, test } from "vitest";
import { FINE } from "../../../src/model/service/connectivity.ts";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import type { Measurement } from "../../../src/pipeline/run/measurement.ts";
import {
  countChecks,
  foldMeasurement,
  recordOffline,
  refuseFutureState,
  replay,
  type RunOptions,
} from "../../../src/pipeline/run/run-steps.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  resultOf,
  runMark,
  serviceOf,
  T0,
} from "../../model/samples.ts";

const DAY_MS = 86_400_000;
const URL = "https://bank.example/";
const SERVICE = serviceOf("bank", [endpointOf(URL, true)]);

function optionsAt(startMs: number, changes: Partial<RunOptions> = {}): RunOptions {
  return {
    startMs,
    concurrency: 8,
    perHost: 2,
    confirmDelaysMs: [],
    deadlineMs: minutes(4),
    stop: new AbortController().signal,
    isReplay: false,
    only: [],
    ...changes,
  };
}

function stateWithRunsAt(...times: readonly number[]): State {
  const runs = times.map((atMs) => runMark({ atMs }));
  const updatedAtMs = times.at(-1) ?? null;
  return { ...EMPTY_STATE, history: { ...EMPTY_STATE.history, runs, updatedAtMs } };
}

describe("a state whose last run is ahead of the clock", () => {
  test.each([
    [DAY_MS, undefined],
    [
      DAY_MS + 1,
      "the last run in the state is 1 days ahead of this clock. Set the clock (NTP); if it is right, restore the state of before the clock was wrong.",
    ],
    [3 * DAY_MS - 1, "is 2 days ahead"],
    [3 * DAY_MS, "is 3 days ahead"],
  ])("by %i ms ends with: %s", (aheadMs, words) => {
    const refuse = () => refuseFutureState(stateWithRunsAt(T0 + aheadMs), optionsAt(T0));
    if (words === undefined) expect(refuse).not.toThrow();
    else expect(refuse).toThrow(words);
  });

  test("is no fault where the time was given, or before the first run", () => {
    const ahead = stateWithRunsAt(T0 + 9 * DAY_MS);
    expect(() => refuseFutureState(ahead, optionsAt(T0, { isReplay: true }))).not.toThrow();
    expect(() => refuseFutureState(EMPTY_STATE, optionsAt(T0))).not.toThrow();
  });
});

test("a replay changes nothing, and says so", () => {
  const state = stateWithRunsAt(T0);
  expect(replay(optionsAt(T0 - 5))(state)).toEqual({
    state,
    nowMs: T0 - 5,
    events: [{ event: "already-folded", atMs: T0 - 5 }],
  });
});

test("checks count at the start of their run, and leave the services", () => {
  const results = new Map([["a", { kind: "healthy" } as const]]);
  const state = stateWithRunsAt(T0);
  expect(countChecks(optionsAt(T0 + 5), results)(state)).toEqual({
    state,
    nowMs: T0 + 5,
    checked: { atMs: T0 + 5, results },
  });
});

function measured(outcome: Outcome, changes: Partial<Measurement> = {}): Measurement {
  return {
    services: [SERVICE],
    measured: new Map([[URL, resultOf(outcome)]]),
    rounds: [],
    connectivity: FINE,
    lagMs: 0,
    ...changes,
  };
}

test("an offline run leaves the history, and dates only the first documents", () => {
  const offline = measured(ok(), { connectivity: { ...FINE, state: "offline" } });
  const update = recordOffline(offline, optionsAt(T0 + 5), 700);
  const first = update(EMPTY_STATE);
  expect(first.nowMs).toBe(T0 + 5);
  expect(first.state.history).toEqual({ ...EMPTY_STATE.history, updatedAtMs: T0 + 5 });
  expect(first.state.lastRun).toMatchObject({
    startedAtMs: T0 + 5,
    durationMs: 700,
    validity: "offline",
  });
  const later = update(stateWithRunsAt(T0));
  expect(later.state.history).toEqual(stateWithRunsAt(T0).history);
});

describe("a fold", () => {
  const NO_NEWS = { vantages: [], answers: [] };
  const deps = {
    catalogue: catalogueOf([SERVICE]),
    networkOf: () => "Example",
    line: "hosting",
  } as const;
  const fold = (
    before: State,
    startMs: number,
    how: Partial<Parameters<typeof foldMeasurement>[4]> = {},
    options: Partial<RunOptions> = {},
  ) =>
    foldMeasurement(deps, optionsAt(startMs, options), measured(ok()), NO_NEWS, {
      durationMs: 1_000,
      areMonitorsLater: false,
      ...how,
    })(before);

  test("is as of the start of its run, and keeps what was found", () => {
    const { state, nowMs, events, areMonitorsLater } = fold(EMPTY_STATE, T0);
    expect([nowMs, events, areMonitorsLater]).toEqual([T0, [], false]);
    expect(state.history.runs.map(({ atMs }) => atMs)).toEqual([T0]);
    expect(state.history.services.get("bank")).toMatchObject({ checkClass: "up" });
    expect(state.evidence.get("bank")).toEqual({
      runAtMs: T0,
      endpoints: [{ url: URL, result: resultOf(ok()) }],
    });
    expect(state.lastRun).toMatchObject({ startedAtMs: T0, durationMs: 1_000, validity: "valid" });
    // The day before the first run needs no archive.
    expect(state.archive.sealedDay).toBe(Math.floor(T0 / DAY_MS) - 1);
  });

  test("of a clock behind the last run comes a second after it, and tells how far", () => {
    const times: number[] = [];
    const onFold = (atMs: number): void => void times.push(atMs);
    const { nowMs, events } = fold(stateWithRunsAt(T0), T0 - 500, { onFold });
    expect(nowMs).toBeGreaterThan(T0);
    expect(times).toEqual([nowMs]);
    expect(events).toEqual([{ event: "clock-behind", behindMs: nowMs - (T0 - 500) }]);
  });

  test("of a time that was given and folded before changes nothing", () => {
    const state = stateWithRunsAt(T0);
    expect(fold(state, T0, {}, { isReplay: true })).toEqual({
      state,
      nowMs: T0,
      events: [{ event: "already-folded", atMs: T0 }],
    });
  });

  test("of the remaining services has the time of the first ones in the same run", () => {
    const early = stateWithRunsAt(T0 - minutes(5), T0 + 7);
    const same = fold(early, T0, { earlierAtMs: T0 + 7 });
    expect([same.nowMs, same.events]).toEqual([T0 + 7, []]);
    expect(same.state.history.runs).toHaveLength(2);
    const overtaken = fold(stateWithRunsAt(T0 + 7, T0 + minutes(1)), T0, { earlierAtMs: T0 + 7 });
    expect(overtaken.nowMs).toBeGreaterThan(T0 + minutes(1));
    expect(overtaken.events).toEqual([]);
    expect(overtaken.state.history.runs).toHaveLength(3);
  });

  test("names the services that are still being confirmed only if there are any", () => {
    const pending = new Set(["shop"]);
    expect(fold(EMPTY_STATE, T0, { pending }).pending).toBe(pending);
    expect(fold(EMPTY_STATE, T0)).not.toHaveProperty("pending");
  });

  test("keeps the view of a browser while the probe finds the same", () => {
    const browser = { isOpen: true, atMs: T0 - minutes(5) };
    const before = (outcome: Outcome): State => ({
      ...EMPTY_STATE,
      evidence: new Map([
        [
          "bank",
          { runAtMs: T0, endpoints: [{ url: URL, result: { ...resultOf(outcome), browser } }] },
        ],
      ]),
    });
    const viewAfter = (outcome: Outcome) =>
      fold(before(outcome), T0).state.evidence.get("bank")?.endpoints[0]?.result.browser;
    expect(viewAfter(ok())).toEqual(browser);
    expect(viewAfter(failed("tcp-timeout"))).toBeUndefined();
  });
});
