import { NO_MONTHS } from "./no-months.ts";
import { expect, test } from "vitest";
import { decideServices } from "../../src/pipeline/publish/decide-services.ts";
import { planEvidence } from "../../src/pipeline/pages/open-data-groups.ts";
import type { GroupFamily } from "../../src/publish/object-groups.ts";
import { FINE } from "../../src/model/service/connectivity.ts";
import type { RunEvidence } from "../../src/model/service/evidence.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { FRESH_MS, MINUTE_MS } from "../../src/model/time.ts";
import { reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import {
  catalogueOf,
  endpointOf,
  ok,
  resultOf,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../model/samples.ts";

const URL_A = "https://a.ru/";
const CATALOGUE = catalogueOf([serviceOf("a", [endpointOf(URL_A, true)])]);

/** The first generation has no evidence. */
const PUBLISHED = { digest: "x", etag: null, isPublished: true, suspectUntilMs: T0 };

/** The last run that measured was at `T0`, and found the service healthy. */
function stateAfter(validity: RunEvidence["validity"], lastRunAtMs: number): State {
  const state = validity === "offline" ? ("offline" as const) : ("fine" as const);
  return {
    ...EMPTY_STATE,
    history: {
      ...EMPTY_STATE.history,
      updatedAtMs: T0,
      services: new Map([["a", serviceHistoryOf()]]),
    },
    evidence: new Map([
      ["a", { runAtMs: T0, endpoints: [{ url: URL_A, result: resultOf(ok()) }] }],
    ]),
    lastRun: {
      startedAtMs: lastRunAtMs,
      durationMs: 0,
      validity,
      connectivity: { ...FINE, state },
      isCongested: false,
      eventLoopLagMs: 0,
      anchors: [],
    },
    publication: { ...EMPTY_STATE.publication, objects: new Map([["api/v1/status", PUBLISHED]]) },
  };
}

function planAt(state: State, nowMs: number, build?: string): GroupFamily {
  const snapshot = decideServices(CATALOGUE, state.history, new Map(), T0, nowMs);
  const accuracy = reportAccuracy(state.accuracy, []);
  const sources = {
    catalogue: CATALOGUE,
    state,
    snapshot,
    nowMs,
    reportsAtMs: nowMs,
    accuracy,
    truth: [],
    months: NO_MONTHS,
    operators: new Map(),
  };
  return planEvidence(sources, () => "a network", build);
}

async function textOf(plan: GroupFamily): Promise<string> {
  const [document] = await plan.build("a");
  return Buffer.from(document?.body ?? []).toString();
}

async function evidenceAt(state: State, nowMs: number): Promise<unknown> {
  const { verdict, scope, endpoints } = JSON.parse(await textOf(planAt(state, nowMs)));
  const [{ row, scope: ofEndpoint, moscow }] = endpoints;
  return [verdict, scope, ofEndpoint, row, moscow.result];
}

test.each([
  ["is fresh", "valid", FRESH_MS, ["ok", "none", "none", 1, "ok"]],
  ["is old", "valid", FRESH_MS + 1, ["none", "unknown", "unknown", 2, "unknown"]],
  [
    "found the runner offline",
    "offline",
    5 * MINUTE_MS,
    ["ok", "unknown", "unknown", 2, "unknown"],
  ],
  [
    "found it offline long ago",
    "offline",
    FRESH_MS + 1,
    ["none", "unknown", "unknown", 2, "unknown"],
  ],
] as const)("the evidence after a last run that %s", async (_, validity, ageMs, expected) => {
  expect(await evidenceAt(stateAfter(validity, T0), T0 + ageMs)).toEqual(expected);
});

test("evidence of the next check differs by its time alone, and no audit compares that", async () => {
  const before = stateAfter("valid", T0);
  const evidence = [...before.evidence].map(
    ([slug, one]) => [slug, { ...one, runAtMs: T0 + 1_000 }] as const,
  );
  const [plan, next] = [before, { ...before, evidence: new Map(evidence) }].map((state) =>
    planAt(state, T0 + MINUTE_MS),
  );
  if (plan === undefined || next === undefined) throw new TypeError("both are planned");
  expect(next.signatures).toEqual(plan.signatures);
  expect(await textOf(next)).not.toBe(await textOf(plan));
  expect(next.hasMovingBytes).toBe(true);
});

test("another build of the program writes all evidence again", () => {
  const [one, other] = ["one", "other"].map((build) => planAt(stateAfter("valid", T0), T0, build));
  expect(one?.signatures).not.toEqual(other?.signatures);
});

test("evidence of a place may go with it; that of a service counts as a removal", () => {
  const { isDeliberate } = planAt(stateAfter("valid", T0), T0);
  expect([".vantages", "raw.home", "raw."].map(isDeliberate)).toEqual([true, true, true]);
  expect(["a", "vantages", "rawa"].map(isDeliberate)).toEqual([false, false, false]);
});
