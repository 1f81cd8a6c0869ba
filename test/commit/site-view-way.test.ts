import { expect, test } from "vitest";
import { conclude } from "../../src/conclude.ts";
import { type ConnectivityState, FINE } from "../../src/model/connectivity.ts";
import type { RunEvidence } from "../../src/model/evidence.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { reportsAsOf } from "../../src/reports/counts.ts";
import { viewSite } from "../../src/site-view.ts";
import { minutes, T0 } from "../model/samples.ts";
import { catalogueOf } from "./empty-release.ts";

const ADDRESS = { origin: "https://status.example.ru", root: "" };
const CATALOGUE = catalogueOf(["bank"]);

function wayAfter(lastRun: RunEvidence | null) {
  const state = { ...EMPTY_STATE, lastRun };
  const reports = reportsAsOf(state.reports.ledger, T0);
  const snapshot = conclude(CATALOGUE, state.history, reports, T0, T0);
  const sources = { catalogue: CATALOGUE, state, snapshot, nowMs: T0, reportsAtMs: T0 };
  return viewSite(ADDRESS, sources).way;
}

function runWith(state: ConnectivityState, startedAtMs = T0): RunEvidence {
  return {
    startedAtMs,
    durationMs: 0,
    validity: state === "offline" ? "offline" : "valid",
    connectivity: { ...FINE, state },
    isCongested: false,
    eventLoopLagMs: 0,
    anchors: [],
  };
}

test("what was wrong with the way of the last run is told while that run is fresh", () => {
  expect(wayAfter(null)).toBeNull();
  expect(wayAfter(runWith("fine"))).toBeNull();
  expect(wayAfter(runWith("half"))).toBe("half");
  expect(wayAfter(runWith("abroad-cut", T0 - minutes(15)))).toBe("abroad-cut");
  expect(wayAfter(runWith("abroad-cut", T0 - minutes(15) - 1))).toBeNull();
});

test("of an offline runner nothing is told but what the verdicts say when they have grown old", () => {
  expect(wayAfter(runWith("offline"))).toBeNull();
});
