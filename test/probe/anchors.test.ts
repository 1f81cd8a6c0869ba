import { describe, expect, test } from "vitest";
import type { Anchor } from "../../src/model/catalogue.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import {
  findFalseAnchors,
  judgeAnchors,
  probeAnchors,
  type AnchorOutcome,
} from "../../src/probe/anchors.ts";
import { createPool } from "../../src/probe/pool.ts";
import { NEVER } from "./lab.ts";

const counts = { redirects: 0, bodyBytes: 0, rawBytes: 0 };
const trace = { url: "https://a.test/", ...counts, tlsVerified: true, timings: { totalMs: 1 } };
const ok: Outcome = { kind: "ok", trace };
const dead: Outcome = { kind: "failed", stage: "tcp", code: "tcp-timeout", trace };
const broken: Outcome = {
  kind: "failed",
  stage: "http",
  code: "http-server-error",
  trace: { ...trace, httpStatus: 503 },
};
const redirectedToDead: Outcome = { ...dead, trace: { ...trace, redirects: 1 } };
const skipped: Outcome = { kind: "skipped", reason: "aborted" };

function anchors(scope: Anchor["scope"], outcomes: readonly Outcome[]): AnchorOutcome[] {
  return outcomes.map((outcome, index) => ({
    anchor: { url: `https://${scope}${index}.test/`, scope, network: `AS${index}` },
    outcome,
  }));
}

const judge = (domestic: readonly Outcome[], foreign: readonly Outcome[]): unknown => {
  const report = judgeAnchors([...anchors("domestic", domestic), ...anchors("foreign", foreign)]);
  return [report.isOffline, report.isForeignPathDown];
};

describe("the runner is offline", () => {
  test("when three domestic anchors fail, not when two do", () => {
    expect(judge([dead, dead, ok, ok], [ok, ok, ok])).toEqual([false, false]);
    expect(judge([dead, dead, dead, ok], [ok, ok, ok])).toEqual([true, false]);
    expect(judge([dead, dead, dead, dead], [dead, dead, dead])).toEqual([true, false]);
  });

  test("not for anchors that answer anything, or lead elsewhere", () => {
    expect(judge([broken, broken, broken, broken], [ok])).toEqual([false, false]);
    const elsewhere = [ok, redirectedToDead, redirectedToDead, redirectedToDead];
    expect(judge(elsewhere, [ok])).toEqual([false, false]);
  });

  test("not for anchors that were not probed", () => {
    expect(judge([skipped, skipped, skipped, skipped], [ok])).toEqual([false, false]);
  });
});

test("the path abroad is down when every foreign anchor fails, and the run stays valid", () => {
  expect(judge([ok, ok, ok, ok], [dead, dead, dead])).toEqual([false, true]);
  expect(judge([ok, ok, ok, ok], [dead, dead, ok])).toEqual([false, false]);
  expect(judge([ok, ok, ok, ok], [])).toEqual([false, false]);
});

test("the anchors that failed are named", () => {
  const report = judgeAnchors([...anchors("domestic", [ok, dead]), ...anchors("foreign", [dead])]);
  expect(report).toMatchObject({
    domesticFailing: ["https://domestic1.test/"],
    foreignFailing: ["https://foreign0.test/"],
  });
});

test("each anchor is probed once, with public trust and within the pool", async () => {
  const list = anchors("domestic", [ok, ok, ok, ok]).map(({ anchor }) => anchor);
  const asked: unknown[] = [];
  const outcomes = await probeAnchors(
    list,
    async (target, attempt) => {
      asked.push([target, attempt]);
      return ok;
    },
    createPool({ concurrency: 2, perHost: 1 }),
    NEVER,
  );
  expect(asked).toEqual(list.map(({ url }) => [{ url, trust: "public" }, 0]));
  expect(outcomes).toEqual(list.map((anchor) => ({ anchor, outcome: ok })));
});

describe("an anchor that resolves to no public address", () => {
  const special: Outcome = { kind: "failed", stage: "dns", code: "dns-special-address", trace };
  const stub: Outcome = { ...special, code: "dns-stub-address" };
  const later: Outcome = { ...special, trace: { ...trace, redirects: 1 } };

  test("is named once, in however many rounds it was seen", () => {
    const rounds = [
      [ok, ok],
      [special, ok],
      [special, special],
    ].flatMap((outcomes) => anchors("domestic", outcomes));
    expect(findFalseAnchors(rounds)).toEqual([
      "https://domestic0.test/",
      "https://domestic1.test/",
    ]);
  });

  test("proves nothing when it is a foreign one, when it is blocked, or behind a redirect", () => {
    expect(findFalseAnchors(anchors("foreign", [special, special, special]))).toEqual([]);
    expect(findFalseAnchors(anchors("domestic", [stub, later, dead, skipped, ok]))).toEqual([]);
  });
});
