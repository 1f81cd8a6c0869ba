import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Catalogue } from "../../../src/model/service/catalogue.ts";
import { EMPTY_HISTORY, type History, type RunRecord } from "../../../src/model/service/history.ts";
import { FAILURE_CODES } from "../../../src/model/failures.ts";
import type { EndpointResult, Outcome } from "../../../src/model/probe-outcome.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import { effectiveRunTime, fold, MAX_RUNS, WINDOW_MS } from "../../../src/services/history/fold.ts";
import { isCongested } from "../../../src/services/history/response-baseline.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  resultOf,
  runRecord,
  serviceOf,
  T0,
  traceOf,
} from "../../model/samples.ts";

const ANCHOR = "https://anchor.ru/";
const [A, A2, B] = ["https://a.ru/", "https://a.ru/api", "https://b.ru/"];
const serviceA = serviceOf("a", [endpointOf(A, true), endpointOf(A2, false)]);
const serviceB = serviceOf("b", [endpointOf(B, true)]);
const CATALOGUE = catalogueOf([serviceA, serviceB], [ANCHOR]);

function runAt(
  atMs: number,
  results: Readonly<Record<string, Outcome>>,
  changes: Partial<RunRecord> = {},
): RunRecord {
  const pairs = Object.entries(results).map(([url, each]): [string, EndpointResult] => {
    return [url, resultOf(each)];
  });
  const anchors = new Map([[ANCHOR, ok(50)]]);
  return runRecord({ atMs, results: new Map(pairs), anchors, ...changes });
}

function foldAll(
  runs: readonly RunRecord[],
  catalogue: Catalogue = CATALOGUE,
  from: History = EMPTY_HISTORY,
): History {
  return runs.reduce((history, run) => fold(history, run, catalogue), from);
}

function expectAligned(history: History): void {
  const lengths = [...history.endpoints.values(), ...services(history).map(({ strip }) => strip)];
  expect(lengths.every(({ length }) => length === history.runs.length)).toBe(true);
}

function services(history: History) {
  return [...history.services.values()];
}

const SKIPPED: Outcome = { kind: "skipped", reason: "deadline" };

describe("the time of a run", () => {
  const history = foldAll([runAt(T0, { [A]: ok() })]);

  test("is that of the clock if it is after the last run or there is none", () => {
    expect(effectiveRunTime(EMPTY_HISTORY, 5, true)).toEqual({ kind: "new", atMs: 5 });
    expect(effectiveRunTime(history, T0 + 1, true)).toEqual({ kind: "new", atMs: T0 + 1 });
  });

  test.each([T0, T0 - DAY_MS])(
    "of a clock at or behind the last run is a second after it",
    (now) => {
      expect(effectiveRunTime(history, now, false)).toEqual({ kind: "new", atMs: T0 + 1_000 });
    },
  );

  test.each([T0, T0 - DAY_MS])("of a replay at or before the last run is already folded", (now) => {
    expect(effectiveRunTime(history, now, true)).toEqual({ kind: "already-folded" });
  });

  test("that is before the last run is refused by the fold", () => {
    const message = `run at ${T0 - 1} ms is before the last run at ${T0} ms`;
    expect(() => fold(history, runAt(T0 - 1, {}), CATALOGUE)).toThrow(new RangeError(message));
  });

  test("does not depend on an attempt before the first valid run", () => {
    const tried = { ...EMPTY_HISTORY, updatedAtMs: T0 };
    expect(effectiveRunTime(tried, T0 - 5, true)).toEqual({ kind: "new", atMs: T0 - 5 });
  });
});

describe("a run of a part of the catalogue", () => {
  const history = foldAll([
    runAt(T0, { [A]: ok(), [A2]: ok(), [B]: ok() }),
    runAt(T0 + minutes(5), { [A]: failed("tls-reset"), [A2]: failed("tls-reset") }),
  ]);

  test("does not change the other services", () => {
    expect(history.services.get("a")).toMatchObject({ checkClass: "failing", strip: "uf" });
    expect(history.services.get("b")).toMatchObject({
      checkClass: "up",
      strip: "u.",
      checkedAtMs: T0,
    });
    expect(history.endpoints.get(B)?.at(-1)).toBe(".");
  });
});

describe("a run that skipped", () => {
  const before = runAt(T0 - minutes(5), { [A]: ok(), [A2]: ok(), [B]: ok() });
  const first = runAt(T0, { [A]: failed("tls-reset"), [A2]: failed("tls-reset"), [B]: ok() });

  test("every endpoint of a service does not count as a check", () => {
    const skipped = runAt(T0 + minutes(5), { [A]: SKIPPED, [A2]: SKIPPED });
    const history = foldAll([before, first, skipped]);
    expect(history.services.get("a")).toMatchObject({ checkedAtMs: T0, strip: "uf." });
  });

  test("one of two critical endpoints uses its state of the previous run", () => {
    const both = catalogueOf([serviceOf("a", [endpointOf(A, true), endpointOf(A2, true)])]);
    const later = runAt(T0 + minutes(5), { [A]: SKIPPED, [A2]: ok() });
    expect(foldAll([before, first, later], both).services.get("a")).toMatchObject({
      checkClass: "failing",
      checkedAtMs: T0 + minutes(5),
    });
  });

  test("the only critical endpoint says nothing about the service", () => {
    const later = [5, 10, 15, 20].map((at) => {
      return runAt(T0 + minutes(at), { [A]: SKIPPED, [A2]: ok() });
    });
    expect(foldAll([before, first, ...later]).services.get("a")).toMatchObject({
      checkClass: "failing",
      checkedAtMs: T0,
      strip: "uf....",
    });
  });

  test("a service from the first run on leaves it without a record", () => {
    const history = foldAll([runAt(T0, { [A]: SKIPPED, [B]: ok() })]);
    expect(history.services.has("a")).toBe(false);
  });
});

describe("the catalogue", () => {
  const runs = [runAt(T0, { [A]: ok(), [B]: ok() })];
  const later = runAt(T0 + minutes(5), { [A]: ok(), [A2]: ok() });

  test("drops removed endpoints and services", () => {
    const history = fold(foldAll(runs), later, catalogueOf([serviceA]));
    expect([...history.endpoints.keys()]).toEqual([A, A2]);
    expect([...history.services.keys()]).toEqual(["a"]);
  });

  test("pads the samples of a new service", () => {
    const history = fold(foldAll(runs, catalogueOf([serviceB])), later, CATALOGUE);
    expect(history.endpoints.get(A)).toMatch(/^\.[A-Z]$/i);
    expect(history.services.get("a")).toMatchObject({ strip: ".u", isSinceExact: false });
    expectAligned(history);
  });
});

describe("the window", () => {
  test("holds runs up to seven days old", () => {
    const at = [T0, T0 + 1, T0 + WINDOW_MS + 1];
    const history = foldAll(at.map((each) => runAt(each, { [A]: ok(), [A2]: ok() })));
    expect(history.runs.map(({ atMs }) => atMs)).toEqual(at.slice(1));
    expectAligned(history);
  });

  test("has a bounded number of runs", () => {
    const one = catalogueOf([serviceB]);
    const runs = Array.from({ length: MAX_RUNS + 3 }, (_, index) => {
      return runAt(T0 + 1_000 * index, { [B]: ok() });
    });
    const history = foldAll(runs, one);
    expect(history.runs).toHaveLength(MAX_RUNS);
    expect(history.runs.at(-1)?.atMs).toBe(runs.at(-1)?.atMs);
    expectAligned(history);
  });

  test("does not affect since if it has no run but the last", () => {
    const history = foldAll([runAt(T0, { [B]: ok() }), runAt(T0 + 30 * DAY_MS, { [B]: ok() })]);
    expect(history.runs).toHaveLength(1);
    expect(history.services.get("b")).toMatchObject({ sinceMs: T0, strip: "u" });
  });
});

describe("the day counts", () => {
  const midnight = Math.ceil(T0 / DAY_MS) * DAY_MS;

  test("go by UTC days", () => {
    const at = [midnight - minutes(5), midnight - 1, midnight];
    const runs = at.map((each, index) => {
      return runAt(each, { [B]: index === 1 ? failed("tls-reset") : ok() });
    });
    const day = midnight / DAY_MS;
    expect(foldAll(runs).services.get("b")?.days).toEqual([
      { day: day - 1, counts: [1, 0, 0, 0, 0, 1] },
      { day, counts: [1, 0, 0, 0, 0, 0] },
    ]);
  });

  test("cover the present day and 90 before it", () => {
    const runs = Array.from({ length: 96 }, (_, day) =>
      runAt(midnight + day * DAY_MS, { [B]: ok() }),
    );
    const days = foldAll(runs).services.get("b")?.days ?? [];
    expect(days).toHaveLength(91);
    expect(days.at(0)?.day).toBe(midnight / DAY_MS + 5);
    const gap = foldAll([
      runAt(midnight, { [B]: ok() }),
      runAt(midnight + 200 * DAY_MS, { [B]: ok() }),
    ]);
    expect(gap.services.get("b")?.days).toHaveLength(1);
  });
});

describe("evidence of blocking", () => {
  test("counts on a critical endpoint only", () => {
    const stub = failed("dns-stub-address");
    const up = runAt(T0 - minutes(5), { [A]: ok(), [A2]: ok() });
    const critical = foldAll([up, runAt(T0, { [A]: stub, [A2]: ok() })]);
    const minor = foldAll([up, runAt(T0, { [A]: ok(), [A2]: stub })]);
    expect(critical.services.get("a")?.isBlocked).toBe(true);
    expect(minor.services.get("a")?.isBlocked).toBe(false);
  });

  test("lasts as long as the outage", () => {
    const runs = [
      runAt(T0, { [B]: failed("dns-stub-address") }),
      runAt(T0 + minutes(5), { [B]: failed("dns-timeout") }),
    ];
    expect(foldAll(runs).services.get("b")).toMatchObject({ isBlocked: true, sinceMs: T0 });
    const healthy = runAt(T0 + minutes(10), { [B]: ok() });
    const again = runAt(T0 + minutes(15), { [B]: failed("dns-timeout") });
    expect(foldAll([...runs, healthy]).services.get("b")?.isBlocked).toBe(false);
    expect(foldAll([...runs, healthy, again]).services.get("b")?.isBlocked).toBe(false);
  });
});

describe("for any runs", () => {
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.nat(30_000).map((ms) => ok(ms)),
    fc.constantFrom(...FAILURE_CODES).map((code) => failed(code)),
    fc.constant<Outcome>({ kind: "denied", trace: traceOf(10) }),
    fc.constant<Outcome>(SKIPPED),
  );
  const results = fc.array(
    fc.tuple(fc.constantFrom(A, A2, B, "https://stranger.ru/"), outcome, fc.boolean()),
    { maxLength: 6 },
  );
  const runs = fc.array(
    fc.record({ step: fc.integer({ min: 1, max: 3_000_000 }), results, isCongested: fc.boolean() }),
    { maxLength: 25 },
  );

  function recordsOf(
    steps: readonly { step: number; results: [string, Outcome, boolean][]; isCongested: boolean }[],
    isReversed: boolean,
  ): readonly RunRecord[] {
    let atMs = T0;
    return steps.map((each) => {
      atMs += each.step;
      const single = [...new Map(each.results.map((result) => [result[0], result])).values()];
      const ordered = isReversed ? single.toReversed() : single;
      const pairs = ordered.map(([url, one, isFlaky]) => [url, resultOf(one, isFlaky)] as const);
      return runAt(atMs, {}, { isCongested: each.isCongested, results: new Map(pairs) });
    });
  }

  test("all samples stay aligned with the runs", () => {
    fc.assert(fc.property(runs, (steps) => expectAligned(foldAll(recordsOf(steps, false)))));
  });

  test("the order of outcomes in a run and of services in the catalogue does not matter", () => {
    const reversed = catalogueOf(CATALOGUE.services.toReversed(), [ANCHOR]);
    fc.assert(
      fc.property(runs, (steps) => {
        const forth = foldAll(recordsOf(steps, false));
        const back = foldAll(recordsOf(steps, true), reversed);
        expect(back.services.get("a")).toEqual(forth.services.get("a"));
        expect(back.services.get("b")).toEqual(forth.services.get("b"));
        expect(Object.fromEntries(back.endpoints)).toEqual(Object.fromEntries(forth.endpoints));
      }),
    );
  });

  test("the fold does not mutate the given history", () => {
    fc.assert(
      fc.property(runs, (steps) => {
        const before = foldAll(recordsOf(steps, false));
        const copy = structuredClone(before);
        fold(before, runAt(T0 + 10 * DAY_MS * 365, { [A]: ok() }), CATALOGUE);
        expect(before).toEqual(copy);
      }),
      { numRuns: 30 },
    );
  });
});

test("an endpoint is proven by an answer of its own, not by that of a wall", () => {
  const walled: Outcome = { kind: "ok", trace: traceOf(90, { wall: "qrator" }) };
  const provenBy = (...outcomes: readonly Outcome[]): boolean =>
    foldAll(outcomes.map((one, run) => runAt(T0 + run * minutes(5), { [A]: one }))).proven.has(A);
  expect(provenBy(walled, walled)).toBe(false);
  expect(provenBy(walled, ok())).toBe(true);
  expect(provenBy(ok(), walled)).toBe(true);
});

test.each([
  [199, false],
  [200, true],
])("the answers of an anchor in %i runs are a baseline: %s", (runs, isBaseline) => {
  const history = foldAll(
    Array.from({ length: runs }, (_, at) => runAt(T0 + minutes(5 * at), { [A]: ok() })),
  );
  expect(isCongested(history, new Map([[ANCHOR, ok(150)]]), 0)).toBe(isBaseline);
  expect(isCongested(history, new Map([[ANCHOR, ok(60)]]), 0)).toBe(false);
});

const WORKS = resultOf(ok());
const FLAKY = resultOf(ok(), true);
const FAILS = resultOf(failed("tcp-timeout"));

test.each<[string, readonly [EndpointResult, EndpointResult], string]>([
  ["goes on while a critical endpoint needs a second attempt", [FLAKY, WORKS], "partial"],
  ["ends although another one needs a second attempt", [WORKS, FLAKY], "up"],
  ["ends with a clean run", [WORKS, WORKS], "up"],
  ["goes on while something fails", [WORKS, FAILS], "partial"],
])("a partial outage %s", (_, last, expected) => {
  const found = [[WORKS, WORKS], [WORKS, FAILS], [WORKS, FAILS], last] as const;
  const runs = found.map(([main, side], index) => {
    const results = new Map([
      [A, main],
      [A2, side],
    ]);
    return runAt(T0 + minutes(5 * index), {}, { results });
  });
  const classOf = (count: number) => foldAll(runs.slice(0, count)).services.get("a")?.checkClass;
  expect([classOf(3), classOf(4)]).toEqual(["partial", expected]);
});
