import { NO_MONTHS } from "./no-months.ts";
import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { expect, test } from "vitest";
import { decideServices } from "../../src/pipeline/publish/decide-services.ts";
import { type ConnectivityState, FINE } from "../../src/model/service/connectivity.ts";
import type { RunEvidence } from "../../src/model/service/evidence.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { reportsAsOf } from "../../src/reports/counting/counts.ts";
import { reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import { viewSite } from "../../src/pipeline/pages/site-view.ts";
import { minutes, serviceHistoryOf, T0 } from "../model/samples.ts";
import { catalogueOf } from "./empty-setup.ts";

const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" };

function viewOf(state: State, slugs: readonly string[]) {
  const catalogue = catalogueOf(slugs);
  const reports = reportsAsOf(state.reports.ledger, T0);
  const snapshot = decideServices(catalogue, state.history, reports, T0, T0);
  const accuracy = reportAccuracy(state.accuracy, []);
  return viewSite(ADDRESS, {
    catalogue,
    state,
    snapshot,
    nowMs: T0,
    reportsAtMs: T0,
    accuracy,
    truth: [],
    months: NO_MONTHS,
    operators: new Map(),
  });
}

function connectivityAfter(lastRun: RunEvidence | null) {
  return viewOf({ ...EMPTY_STATE, lastRun }, ["bank"]).connectivityIssue;
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

test("a connectivity problem of the last run is shown while that run is fresh", () => {
  expect(connectivityAfter(null)).toBeNull();
  expect(connectivityAfter(runWith("fine"))).toBeNull();
  expect(connectivityAfter(runWith("half"))).toBe("half");
  expect(connectivityAfter(runWith("abroad-cut", T0 - minutes(15)))).toBe("abroad-cut");
  expect(connectivityAfter(runWith("abroad-cut", T0 - minutes(15) - 1))).toBeNull();
});

test("services that share the cause of their slowness are named together", () => {
  const slow = (sharedCause: string | null) =>
    serviceHistoryOf({ checkClass: "slow", sharedCause, checkedAtMs: T0 });
  const history = {
    ...EMPTY_STATE.history,
    services: new Map([
      ["a", slow("Selectel")],
      ["b", slow("Selectel")],
      ["c", slow(null)],
      ["d", serviceHistoryOf({ checkClass: "failing", sharedCause: "Selectel", checkedAtMs: T0 })],
    ]),
  };
  const { slowNetworks } = viewOf({ ...EMPTY_STATE, history }, ["a", "b", "c", "d"]);
  expect(
    slowNetworks.map(({ network, services }) => [network, ...services.map(({ slug }) => slug)]),
  ).toEqual([["Selectel", "a", "b"]]);
});

test("an offline runner is not shown", () => {
  expect(connectivityAfter(runWith("offline"))).toBeNull();
});
