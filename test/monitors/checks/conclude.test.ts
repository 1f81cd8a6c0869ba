import { expect, test } from "vitest";
import { concludeChecks, type KnownMonitor } from "../../../src/monitors/checks/conclude.ts";
import type { Anchor } from "../../../src/model/service/catalogue.ts";
import type { RunEvent } from "../../../src/model/run-event.ts";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import type { FailureCode } from "../../../src/model/failures.ts";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import type { AnchorRound } from "../../../src/probe/anchors.ts";
import { failed, traceOf } from "../../model/samples.ts";

const OK: Outcome = { kind: "ok", trace: traceOf(7) };
const FALSE = failed("dns-special-address");

/** A round of one anchor, which responds at the latest to the second attempt. */
function anchor(scope: Anchor["scope"], outcome: Outcome): AnchorRound {
  const url = `https://${scope}.test/`;
  const tries = [outcome, OK];
  return { phase: "start", anchors: [{ anchor: { url, scope, network: scope }, tries }] };
}

const failing = (code: FailureCode): CheckResult => ({ kind: "failing", code });
const HEALTHY: CheckResult = { kind: "healthy", totalMs: 7 };
const MIXED: CheckResult = { ...HEALTHY, warning: "mixed-addresses" };

/** The concluded results by id, and the events; every monitor was healthy before. */
function decideServices(
  checked: Readonly<Record<string, CheckResult>>,
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

test("checks count while the resolver is right about the anchors", () => {
  const checked: Readonly<Record<string, CheckResult>> = {
    well: HEALTHY,
    astray: failing("dns-special-address"),
    never: { kind: "refused", code: "dns-special-address" },
    down: failing("tcp-timeout"),
  };
  expect(decideServices(checked).verdicts).toEqual(checked);
  // A resolver may have to block a foreign site.
  const foreign = [anchor("domestic", OK), anchor("foreign", FALSE)];
  expect(decideServices(checked, foreign).verdicts).toEqual(checked);
});

test("after a false address for a domestic anchor, such addresses do not count", () => {
  const rounds = [anchor("domestic", OK), anchor("domestic", FALSE), anchor("domestic", OK)];
  const { verdicts, told } = decideServices(
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

test("a resolver that lies only about anchors is not logged", () => {
  expect(decideServices({ well: HEALTHY }, [anchor("domestic", FALSE)]).told).toEqual([]);
});

test("a refusal that counts is logged only when it begins", () => {
  const checked = { astray: failing("dns-special-address"), moved: failing("redirect-refused") };
  expect(decideServices(checked).told).toEqual([
    { event: "monitors-newly-refused", count: 2, ids: ["astray", "moved"] },
  ]);
  expect(decideServices(checked, [], { lastState: "failing" }).told).toEqual([]);
  expect(decideServices({ down: failing("tcp-timeout") }).told).toEqual([]);
  expect(decideServices({ never: { kind: "refused", code: "url-refused" } }).told).toEqual([]);
});

test("mixed addresses are logged only when they begin", () => {
  const expected = [{ event: "monitors-mixed-addresses", count: 1, ids: ["a"] }];
  expect(decideServices({ a: MIXED, b: HEALTHY }).told).toEqual(expected);
  expect(decideServices({ a: MIXED }, [], { warning: "mixed-addresses" }).told).toEqual([]);
});

test("thousands of them are one event that names a few", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `m${index}`);
  const checked = Object.fromEntries(ids.map((id) => [id, failing("redirect-refused")]));
  expect(decideServices(checked).told).toEqual([
    { event: "monitors-newly-refused", count: 5_000, ids: ids.slice(0, 5) },
  ]);
});
