import { expect, test } from "vitest";
import { concludeChecks, type KnownMonitor } from "../../src/checks/conclude.ts";
import type { Anchor } from "../../src/model/catalogue.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { CheckVerdict } from "../../src/model/monitor.ts";
import type { FailureCode, Outcome } from "../../src/model/outcome.ts";
import type { AnchorRound } from "../../src/probe/anchors.ts";
import { failed, traceOf } from "../model/samples.ts";

const OK: Outcome = { kind: "ok", trace: traceOf(7) };
const FALSE = failed("dns-special-address");

/** A round of one anchor, which answers at the second try at the latest. */
function anchor(scope: Anchor["scope"], outcome: Outcome): AnchorRound {
  const url = `https://${scope}.test/`;
  const tries = [outcome, OK];
  return { phase: "start", anchors: [{ anchor: { url, scope, network: scope }, tries }] };
}

const failing = (code: FailureCode): CheckVerdict => ({ kind: "failing", code });
const HEALTHY: CheckVerdict = { kind: "healthy", totalMs: 7 };
const MIXED: CheckVerdict = { ...HEALTHY, warning: "mixed-addresses" };

/** What comes of verdicts by id, and what is told; every monitor was healthy before. */
function conclude(
  checked: Readonly<Record<string, CheckVerdict>>,
  rounds: readonly AnchorRound[] = [anchor("domestic", OK)],
  known: Partial<KnownMonitor> = {},
) {
  const told: RunEvent[] = [];
  const monitors = Object.keys(checked).map((id) => {
    return { id, lastState: "healthy" as const, ...known };
  });
  const verdicts = concludeChecks(monitors, new Map(Object.entries(checked)), rounds, (event) =>
    told.push(event),
  );
  return { verdicts: Object.fromEntries(verdicts), told };
}

test("what the checks found stands while the resolver tells the truth of the anchors", () => {
  const checked: Readonly<Record<string, CheckVerdict>> = {
    well: HEALTHY,
    astray: failing("dns-special-address"),
    never: { kind: "refused", code: "dns-special-address" },
    down: failing("tcp-timeout"),
  };
  expect(conclude(checked).verdicts).toEqual(checked);
  // A resolver may have to block a foreign site.
  const foreign = [anchor("domestic", OK), anchor("foreign", FALSE)];
  expect(conclude(checked, foreign).verdicts).toEqual(checked);
});

test("while it gives a false address for a domestic anchor, in any round, none that it gives counts", () => {
  const rounds = [anchor("domestic", OK), anchor("domestic", FALSE), anchor("domestic", OK)];
  const { verdicts, told } = conclude(
    {
      well: HEALTHY,
      astray: failing("dns-special-address"),
      never: { kind: "refused", code: "dns-special-address" },
      moved: failing("redirect-refused"),
      stub: failing("dns-stub-address"),
      down: failing("tcp-timeout"),
    },
    rounds,
  );
  expect(verdicts).toEqual({
    well: HEALTHY,
    astray: { kind: "skipped" },
    never: { kind: "skipped" },
    moved: failing("redirect-refused"),
    stub: failing("dns-stub-address"),
    down: failing("tcp-timeout"),
  });
  expect(told).toEqual([
    { event: "resolver-not-trusted", anchors: ["https://domestic.test/"], count: 2 },
    { event: "monitors-newly-refused", count: 1, ids: ["moved"] },
  ]);
});

test("a resolver that lies of anchors alone is no news of monitors", () => {
  expect(conclude({ well: HEALTHY }, [anchor("domestic", FALSE)]).told).toEqual([]);
});

test("a refusal that counts is told when it begins, and not again while it lasts", () => {
  const checked = { astray: failing("dns-special-address"), moved: failing("redirect-refused") };
  expect(conclude(checked).told).toEqual([
    { event: "monitors-newly-refused", count: 2, ids: ["astray", "moved"] },
  ]);
  expect(conclude(checked, [], { lastState: "failing" }).told).toEqual([]);
  expect(conclude({ down: failing("tcp-timeout") }).told).toEqual([]);
  expect(conclude({ never: { kind: "refused", code: "url-refused" } }).told).toEqual([]);
});

test("mixed addresses are told when they begin, and not again while they last", () => {
  const expected = [{ event: "monitors-mixed-addresses", count: 1, ids: ["a"] }];
  expect(conclude({ a: MIXED, b: HEALTHY }).told).toEqual(expected);
  expect(conclude({ a: MIXED }, [], { warning: "mixed-addresses" }).told).toEqual([]);
});

test("thousands of them are one event that names a few", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `m${index}`);
  const checked = Object.fromEntries(ids.map((id) => [id, failing("redirect-refused")]));
  expect(conclude(checked).told).toEqual([
    { event: "monitors-newly-refused", count: 5_000, ids: ids.slice(0, 5) },
  ]);
});
