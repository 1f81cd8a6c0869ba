import { describe, expect, test } from "vitest";
import { minutes, T0 } from "../model/samples.ts";
import type { NetworkEvent } from "./events.ts";
import { TOPOLOGY, eventOf } from "./samples.ts";
import { findTruth, spanAt, type Truth } from "./truth.ts";

const DAYS = minutes(3 * 24 * 60);

function truthOf(...events: readonly NetworkEvent[]): Truth {
  const [bank] = findTruth(TOPOLOGY, events, T0, T0 + DAYS);
  if (bank === undefined) throw new RangeError("no service");
  return bank;
}

function codesOf({ spans }: Truth): readonly (readonly [minute: number, code: string])[] {
  return spans.map(({ fromMs, code }) => [(fromMs - T0) / 60_000, code]);
}

describe("truth of a service", () => {
  test("one dead critical endpoint is a failure of the service for its whole time", () => {
    const truth = truthOf(eventOf());
    expect(codesOf(truth)).toEqual([
      [0, "ok"],
      [60, "fail"],
      [120, "ok"],
    ]);
    expect(truth.outages).toEqual([
      { fromMs: T0 + minutes(60), toMs: T0 + minutes(120), isHidden: false, isWorks: false },
    ]);
  });

  test("a dead minor endpoint is a partial failure, not an outage", () => {
    const truth = truthOf(eventOf({ sites: [2] }));
    expect(codesOf(truth)[1]).toEqual([60, "partial"]);
    expect(truth.outages).toEqual([]);
  });

  test("an outage is long after 24 hours", () => {
    const truth = truthOf(eventOf({ endMs: T0 + minutes(60 + 25 * 60) }));
    expect(codesOf(truth)).toEqual([
      [0, "ok"],
      [60, "fail"],
      [25 * 60, "fail_long"],
      [26 * 60, "ok"],
    ]);
  });

  test("alternating errors and timeouts are one outage with two codes", () => {
    const effect = {
      kind: "in-turn",
      failures: ["bad-gateway", "http-timeout"],
      turnMs: minutes(20),
    } as const;
    const truth = truthOf(eventOf({ effect }));
    expect(codesOf(truth)).toEqual([
      [0, "ok"],
      [60, "err"],
      [80, "fail"],
      [100, "err"],
      [120, "ok"],
    ]);
    expect(truth.outages).toHaveLength(1);
  });

  test("errors for every second client are a partial failure", () => {
    const effect = { kind: "fail", failures: ["bad-gateway"], ratio: 0.5 } as const;
    expect(codesOf(truthOf(eventOf({ effect })))[1]).toEqual([60, "partial"]);
  });

  test("a stub address is evidence of a block", () => {
    const effect = { kind: "fail", failures: ["dns-stub"], ratio: 1 } as const;
    expect(codesOf(truthOf(eventOf({ effect })))[1]).toEqual([60, "restricted_fail"]);
  });

  test("noise is not true, but 15 minutes after the runner went offline none is", () => {
    const offline = eventOf({ cause: "offline", isGenuine: false, sites: [0, 1, 2] });
    expect(codesOf(truthOf(offline))).toEqual([
      [0, "ok"],
      [75, "none"],
      [120, "ok"],
    ]);
  });

  test("a service abroad is none during a foreign cut, unless it was down before", () => {
    const [bank, ...others] = TOPOLOGY.subjects;
    if (bank === undefined) throw new RangeError("no service");
    const main = { ...bank.main, place: { ...bank.main.place, isAbroad: true } };
    const topology = { ...TOPOLOGY, subjects: [{ ...bank, main }, ...others] };
    const cut = eventOf({
      cause: "abroad-cut",
      isGenuine: false,
      startMs: T0 + minutes(80),
      endMs: T0 + minutes(140),
    });
    const codes = (...events: readonly NetworkEvent[]) =>
      findTruth(topology, events, T0, T0 + DAYS)
        .slice(0, 1)
        .map(codesOf)[0];
    expect(codes(cut)).toEqual([
      [0, "ok"],
      [95, "none"],
      [140, "ok"],
    ]);
    expect(codes(cut, eventOf({ endMs: T0 + minutes(120) }))).toEqual([
      [0, "ok"],
      [60, "fail"],
      [95, "fail"],
      [120, "none"],
      [140, "ok"],
    ]);
    const inside = eventOf({ startMs: T0 + minutes(85), endMs: T0 + minutes(120) });
    expect(codes(cut, inside)).toContainEqual([95, "none"]);
  });

  test("a service is none while a critical endpoint is in the unreachable half", () => {
    const half = (...sites: readonly number[]) =>
      codesOf(truthOf(eventOf({ cause: "half", isGenuine: false, sites })));
    expect(half(0)).toContainEqual([75, "none"]);
    expect(half(2)).toEqual([[0, "ok"]]);
  });

  test("the first of two simultaneous failures is true, as in the model", () => {
    const error = { kind: "fail", failures: ["bad-gateway"], ratio: 1 } as const;
    const later = eventOf({ effect: error, startMs: T0 + minutes(90), endMs: T0 + minutes(100) });
    expect(codesOf(truthOf(later, eventOf()))).not.toContainEqual([90, "err"]);
    const earlier = eventOf({ effect: error, startMs: T0 + minutes(50) });
    expect(codesOf(truthOf(eventOf(), earlier))).toContainEqual([60, "err"]);
  });

  test("an outage during trouble of the runner is hidden", () => {
    const offline = eventOf({ cause: "offline", isGenuine: false, endMs: T0 + minutes(70) });
    expect(truthOf(eventOf(), offline).outages[0]?.isHidden).toBe(true);
  });

  test("a maintenance page with a 200 is a failure", () => {
    const truth = truthOf(
      eventOf({ effect: { kind: "page", page: { contentType: "", body: Buffer.alloc(0) } } }),
    );
    expect(codesOf(truth)[1]).toEqual([60, "fail"]);
    expect(truth.outages[0]?.isWorks).toBe(true);
  });

  test("slow depends on the usual response time, including a lasting latency step", () => {
    const slow = (ms: number) => eventOf({ effect: { kind: "takes", ms } });
    const usualMs = TOPOLOGY.subjects[0]?.main.usualMs ?? 0;
    const step = eventOf({
      cause: "latency-step",
      isGenuine: false,
      startMs: T0 - minutes(24 * 60),
      endMs: T0 + DAYS,
      effect: { kind: "slower", factor: 1_500 / usualMs },
    });
    expect(codesOf(truthOf(slow(5_900)))).toContainEqual([60, "slow"]);
    expect(codesOf(truthOf(slow(3_900)))).toContainEqual([60, "ok"]);
    expect(codesOf(truthOf(step, slow(5_900)))).toContainEqual([60, "ok"]);
    expect(codesOf(truthOf(step, slow(6_100)))).toContainEqual([60, "slow"]);
  });

  test("a surge of reports is a spike", () => {
    const surge = eventOf({ cause: "surge", subjects: [0], effect: { kind: "none" } });
    expect(codesOf(truthOf(surge))[1]).toEqual([60, "spike"]);
  });

  test("the span at a time begins with that time", () => {
    const truth = truthOf(eventOf());
    expect(spanAt(truth, T0 + minutes(60) - 1).code).toBe("ok");
    expect(spanAt(truth, T0 + minutes(60)).code).toBe("fail");
    expect(spanAt(truth, T0 - 1).code).toBe("ok");
  });
});
