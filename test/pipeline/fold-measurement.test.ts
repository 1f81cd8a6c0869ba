import { expect, test } from "vitest";
import { FINE } from "../../src/model/service/connectivity.ts";
import type { Line } from "../../src/model/service/choices.ts";
import type { HeardVantage } from "../../src/model/service/vantage.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { foldMeasurement } from "../../src/pipeline/run/run-steps.ts";
import type { VantageNews } from "../../src/services/interference/fold-vantages.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  PLACE,
  resultOf,
  serviceOf,
  T0,
  traceOf,
} from "../model/samples.ts";

const HEALTHY = "https://healthy.example/";
const FAILING = "https://failing.example/";
const REFUSING = "https://refusing.example/";
const WALLED = "https://walled.example/";
const URLS = [HEALTHY, FAILING, REFUSING, WALLED];

const service = serviceOf("bank", [
  endpointOf(HEALTHY, true),
  endpointOf(FAILING, true),
  { ...endpointOf(REFUSING, true), refuses: ["hosting"] },
  endpointOf(WALLED, true),
]);
const catalogue = catalogueOf([service]);

const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  [HEALTHY, ok()],
  [FAILING, failed("tls-reset")],
  [REFUSING, failed("tls-reset")],
  [WALLED, { kind: "ok", trace: traceOf(200, { httpStatus: 200, wall: "qrator" }) }],
]);

/** One run from a line, with the answer of a place to the run before in which everything works. */
function foldOnce(before: State, line: Line, atMs: number): State {
  const askId = `ask of ${atMs}`;
  const asked: VantageNews = {
    vantages: [PLACE],
    answers: [
      {
        evidence: {
          vantage: PLACE.id,
          askId,
          urls: "",
          atMs,
          connectivity: "fine",
          isWhiteList: null,
          results: URLS.map(() => ({ code: "ok", ms: 1, seen: { status: 200 } })),
        },
        signed: { payload: "", protected: "", signature: "" },
        urls: URLS,
      },
    ],
    ask: { id: askId, atMs, urls: "", failing: new Map() },
  };
  const measured = new Map([...OUTCOMES].map(([url, outcome]) => [url, resultOf(outcome)]));
  const update = foldMeasurement(
    { catalogue, networkOf: () => "Example", line },
    {
      startMs: atMs,
      concurrency: 8,
      perHost: 2,
      confirmDelaysMs: [],
      deadlineMs: minutes(4),
      stop: new AbortController().signal,
      isReplay: false,
      only: [],
    },
    { services: [service], measured, rounds: [], connectivity: FINE, lagMs: 0 },
    asked,
    { durationMs: 1_000, areMonitorsLater: false },
  );
  return update(before).state;
}

test.each<[Line, readonly string[]]>([
  ["hosting", [HEALTHY, REFUSING, WALLED]],
  ["home", [HEALTHY, WALLED]],
])("a place is compared where the runner may know better, from %s", (line, counted) => {
  const start: State = {
    ...EMPTY_STATE,
    vantages: { ...EMPTY_STATE.vantages, vantages: [PLACE] },
  };
  const first = foldOnce(start, line, T0);
  const { vantages } = foldOnce(first, line, T0 + minutes(5));
  const tallies = vantages.tallies.get(PLACE.id);
  expect(URLS.filter((url) => (tallies?.get(url) ?? []).length > 0)).toEqual(counted);
  expect([...vantages.usual]).toEqual([[HEALTHY, 200]]);
  const heard: HeardVantage | undefined = vantages.heard.get(PLACE.id);
  expect(heard?.heardAtMs).toBe(T0 + minutes(5));
});
