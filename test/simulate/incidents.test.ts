import { expect, test } from "vitest";
import { FINE } from "../../src/model/service/connectivity.ts";
import { EMPTY_HISTORY, type History } from "../../src/model/service/history.ts";
import type { Verdict } from "../../src/contract/codes/verdict.ts";
import { failed, minutes, ok, T0 } from "../model/samples.ts";
import { countReasons, createIncidents, listIncidents } from "./incidents.ts";
import { createOutageScore } from "./outage-score.ts";
import { TOPOLOGY, eventOf } from "./samples.ts";
import { findTruth } from "./truth.ts";

const END = T0 + minutes(300);
const at = (minute: number): number => T0 + minutes(minute);
const FAIL: Verdict = { code: "fail", color: "bad", live: true, sinceMs: T0 };
/** The bank is down from the 60th to the 120th minute. */
const TRUTHS = findTruth(TOPOLOGY, [eventOf()], T0, END);

function score() {
  return createOutageScore(TRUTHS, [true, false], T0);
}

/** The incidents of an outage of the bank that is reported at a minute, with one recorded publish. */
function incidentsOf(
  reportedAt: number | undefined,
  floorAt: number | undefined,
  { history = EMPTY_HISTORY, state = FINE.state, attempts = [ok()] } = {},
) {
  const [bank] = TOPOLOGY.subjects;
  if (bank === undefined) throw new Error("no bank");
  const incidents = createIncidents(TOPOLOGY.subjects);
  const result = { outcome: ok(), isFlaky: false, attempts };
  const results = new Map([[bank.main.url, result]]);
  const seen = { history, connectivity: { ...FINE, state }, results };
  incidents.publish(bank, { atMs: at(64), runMs: at(62), verdict: FAIL, seen });
  const [ours, floor] = [score(), score()];
  if (reportedAt !== undefined) ours.record(0, at(reportedAt), true, () => "loss");
  if (floorAt !== undefined) floor.record(0, at(floorAt), true, () => "the truth");
  return incidents.finish(ours.finish(END), floor.finish(END));
}

function heldHistory(): History {
  const times = { sinceMs: at(62), isSinceExact: true, lastAtMs: at(62), runs: 1 };
  const held = {
    cause: "common-cause",
    checkClass: "failing",
    ...times,
    failingTogether: 4,
  } as const;
  return { ...EMPTY_HISTORY, held: new Map([["bank", held]]) };
}

test("an outage that is reported within one detection is not an incident", () => {
  expect(incidentsOf(64, 64)).toEqual([]);
});

test("an outage that the floor reports no sooner is due to the times of the probes", () => {
  expect(incidentsOf(70, 69)).toMatchObject([{ kind: "late", why: "between the probes" }]);
  expect(incidentsOf(undefined, undefined)).toMatchObject([
    { kind: "missed", why: "between the probes" },
  ]);
});

test("otherwise the reason is a held failure, an offline run or an answer", () => {
  const why = (known: Parameters<typeof incidentsOf>[2]) => incidentsOf(70, 64, known)[0]?.why;
  expect(why({ history: heldHistory() })).toBe("held: common-cause");
  expect(why({ state: "offline" })).toBe("offline");
  expect(why({ attempts: [failed("tcp-timeout"), ok()] })).toBe("a try was answered");
  expect(why({})).toBe("reported late");
});

test("reasons are counted, and each incident is listed with its publishes", () => {
  const incidents = incidentsOf(70, 64, {
    history: heldHistory(),
    attempts: [failed("tls-reset"), failed("tls-reset")],
  });
  expect(countReasons(incidents)).toEqual([["late, held: common-cause", 1]]);
  expect(listIncidents(incidents)).toBe(
    [
      "late (held: common-cause): bank, 01-15T09:00:00 for 3600 s, reported after 600 s",
      "  run 01-15T09:02:00, published 01-15T09:04:00: fail, way fine; held (common-cause, run 1, 4 together); critical tls-reset tls-reset",
    ].join("\n"),
  );
});

test("a false outage has the noise as reason and is not counted with the others", () => {
  const incidents = incidentsOf(20, 64);
  expect(incidents[0]).toMatchObject({ kind: "false", why: "loss", fromMs: at(20) });
  expect(countReasons(incidents).some(([reason]) => reason.includes("loss"))).toBe(false);
});
