import { describe, expect, test } from "vitest";
import type { Anchor } from "../../src/model/service/catalogue.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import {
  clockAheadOf,
  findFalseAnchors,
  firstAnswers,
  isLost,
  isUnreachable,
  probeAnchors,
  type AnchorRound,
} from "../../src/probe/anchors.ts";
import type { Probe } from "../../src/probe/probe.ts";
import { createPool } from "../../src/probe/pool.ts";
import { failed, ok, traceOf } from "../model/samples.ts";
import { NEVER } from "./harness.ts";

const dead = failed("tcp-timeout");
const skipped: Outcome = { kind: "skipped", reason: "aborted" };

function anchorOf(scope: Anchor["scope"], index: number): Anchor {
  return { url: `https://${scope}${index}.test/`, scope, network: `network ${index}` };
}

function roundOf(scope: Anchor["scope"], tries: readonly (readonly Outcome[])[]): AnchorRound {
  const anchors = tries.map((each, index) => ({ anchor: anchorOf(scope, index), tries: each }));
  return { phase: "start", anchors };
}

describe("probeAnchors", () => {
  const pool = () => createPool({ concurrency: 4, perHost: 2 });

  test("probes each anchor twice, with public trust", async () => {
    const list = [0, 1, 2].map((index) => anchorOf("domestic", index));
    const asked: unknown[] = [];
    const probe: Probe = async (target, attempt) => {
      asked.push([target, attempt]);
      return attempt === 0 ? dead : ok();
    };
    const round = await probeAnchors("middle", list, { probe, pool: pool() }, NEVER);
    const triesAt = (url: string) => asked.filter((one) => JSON.stringify(one).includes(url));
    for (const { url } of list)
      expect(triesAt(url)).toEqual([
        [{ url, trust: "public", onServerTime: expect.any(Function) }, 0],
        [{ url, trust: "public", onServerTime: expect.any(Function) }, 1],
      ]);
    expect(round).toEqual({
      phase: "middle",
      anchors: list.map((anchor) => ({ anchor, tries: [dead, ok()] })),
    });
  });

  test("makes both attempts at once", async () => {
    let answer = (_outcome: Outcome): void => undefined;
    const silent = new Promise<Outcome>((resolve) => (answer = resolve));
    const probe: Probe = async (_target, attempt) => {
      if (attempt === 0) return silent;
      answer(dead);
      return ok();
    };
    const list = [anchorOf("domestic", 0)];
    const round = await probeAnchors("end", list, { probe, pool: pool() }, NEVER);
    expect(round.anchors[0]?.tries).toEqual([dead, ok()]);
  });

  test("takes the response time from the first attempt that was answered", () => {
    const round = roundOf("foreign", [[ok(7), ok(5)], [dead, ok(9)], [dead, dead], []]);
    expect([...firstAnswers(round).values()]).toEqual([ok(7), ok(9), dead]);
  });
});

describe("an attempt", () => {
  test.each([
    ["tcp-timeout", true],
    ["dns-nxdomain", true],
    ["cert-expired", true],
    ["cert-self-signed", true],
    ["http-closed", true],
  ] as const)("that ends with %s is lost: %s", (code, lost) => {
    expect(isLost(failed(code))).toBe(lost);
  });

  test("is not lost if it was answered or skipped", () => {
    expect(isLost(failed("http-server-error", { httpStatus: 503 }))).toBe(false);
    expect(isLost(failed("tcp-timeout", { redirects: 1 }))).toBe(false);
    expect(isLost({ kind: "denied", trace: traceOf(1) })).toBe(false);
    expect(isLost(skipped)).toBe(false);
  });

  test("makes its anchor unreachable only if all attempts were lost", () => {
    const anchor = anchorOf("domestic", 0);
    const isGone = (tries: readonly Outcome[]): boolean => isUnreachable({ anchor, tries });
    expect(isGone([dead, dead])).toBe(true);
    expect(isGone([dead, ok()])).toBe(false);
    expect(isGone([dead, skipped])).toBe(false);
    expect(isGone([])).toBe(false);
  });
});

describe("an anchor without a public address in DNS", () => {
  const special = failed("dns-special-address");
  const later = failed("dns-special-address", { redirects: 1 });

  test("is listed once for several attempts and rounds", () => {
    const rounds = [
      roundOf("domestic", [
        [ok(), ok()],
        [ok(), ok()],
      ]),
      roundOf("domestic", [
        [special, special],
        [ok(), ok()],
      ]),
      roundOf("domestic", [
        [special, ok()],
        [ok(), special],
      ]),
    ];
    expect(findFalseAnchors(rounds)).toEqual([
      "https://domestic0.test/",
      "https://domestic1.test/",
    ]);
  });

  test("is ignored if it is foreign, blocked, or behind a redirect", () => {
    expect(findFalseAnchors([roundOf("foreign", [[special, special]])])).toEqual([]);
    const others = [failed("dns-stub-address"), later, dead, skipped, ok()];
    expect(
      findFalseAnchors([
        roundOf(
          "domestic",
          others.map((one) => [one]),
        ),
      ]),
    ).toEqual([]);
  });
});

describe("the clock of the runner", () => {
  const NOW = 1_800_000_000_000;
  /** A round in which each anchor tells a time, or none. */
  const clocks = (...aheadMs: readonly (number | undefined)[]): AnchorRound => {
    const anchors = aheadMs.map((ms, index) => {
      const serverMs = ms === undefined ? undefined : NOW - ms;
      return { anchor: anchorOf("domestic", index), tries: [ok()], serverMs };
    });
    return { phase: "start", anchors };
  };

  test("is compared with the median of the anchors, of which one may lie", () => {
    expect(clockAheadOf(clocks(0, 400_000, 401_000, undefined), NOW)).toBe(400_000);
    expect(clockAheadOf(clocks(0, 0, 9e9), NOW)).toBe(0);
    expect(clockAheadOf(clocks(9e9, -7_000, 3_000, -8_000, -9e9), NOW)).toBe(-7_000);
    expect(clockAheadOf(clocks(9e9, 5_000, 4_000), NOW)).toBe(5_000);
  });

  test("is compared with no fewer than three", () => {
    expect(clockAheadOf(clocks(9e9, 9e9, undefined), NOW)).toBeUndefined();
  });

  test("is compared with what their servers tell the probe", async () => {
    const list = [0, 1, 2].map((index) => anchorOf("domestic", index));
    const probe: Probe = async ({ onServerTime }) => {
      onServerTime?.(NOW - 5_000);
      return ok();
    };
    const pool = createPool({ concurrency: 4, perHost: 2 });
    const round = await probeAnchors("start", list, { probe, pool }, NEVER);
    expect(clockAheadOf(round, NOW)).toBe(5_000);
  });
});
