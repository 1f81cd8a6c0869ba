import { NO_MONTHS } from "./no-months.ts";
import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { expect, test } from "vitest";
import { decideServices } from "../../src/pipeline/publish/decide-services.ts";
import { fold } from "../../src/services/history/fold.ts";
import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { EMPTY_HISTORY } from "../../src/model/service/history.ts";
import { NO_OPERATOR_SUMS } from "../../src/model/service/reports.ts";
import type { EndpointResult } from "../../src/model/probe-outcome.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import { reportsAsOf } from "../../src/reports/counting/counts.ts";
import { changeOf } from "../model/verdict-changes.ts";
import { foldReports } from "../../src/reports/counting/fold-reports.ts";
import { reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import { viewSite } from "../../src/pipeline/pages/site-view.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  resultOf,
  runRecord,
  serviceOf,
  T0,
  traceOf,
} from "../model/samples.ts";

const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" };
const MAIN = "https://bank.example.ru/";
const SIDE = "https://cdn.example.ru/";
const CATALOGUE: Catalogue = catalogueOf([
  serviceOf("bank", [endpointOf(MAIN, true), endpointOf(SIDE, false)], ["provider"]),
  serviceOf("shop", [endpointOf("https://shop.example.ru/", true)]),
]);

function stateAfter(runs: readonly Readonly<Record<string, EndpointResult>>[]): State {
  const atMsOf = (index: number): number => T0 + minutes(5 * index);
  const history = runs.reduce(
    (before, results, index) =>
      fold(
        before,
        runRecord({ atMs: atMsOf(index), results: new Map(Object.entries(results)) }),
        CATALOGUE,
      ),
    EMPTY_HISTORY,
  );
  const last = runs.at(-1) ?? {};
  const runAtMs = atMsOf(runs.length - 1);
  const evidence = new Map(
    CATALOGUE.services.map(({ slug, endpoints }) => [
      slug,
      {
        runAtMs,
        endpoints: endpoints.flatMap(({ url }) => {
          const result = last[url];
          return result === undefined ? [] : [{ url, result }];
        }),
      },
    ]),
  );
  return { ...EMPTY_STATE, history, evidence };
}

function viewOf(state: State, reportsAtMs: number = state.history.updatedAtMs ?? T0) {
  const nowMs = state.history.updatedAtMs ?? T0;
  const reports = reportsAsOf(state.reports.ledger, nowMs);
  const snapshot = decideServices(CATALOGUE, state.history, reports, nowMs, nowMs);
  const accuracy = reportAccuracy(state.accuracy, []);
  return viewSite(ADDRESS, {
    catalogue: CATALOGUE,
    state,
    snapshot,
    nowMs,
    reportsAtMs,
    accuracy,
    truth: [],
    months: NO_MONTHS,
    operators: new Map(),
  });
}

test("a service has its verdict, and each endpoint the result of the last run", () => {
  const state = stateAfter([
    { [MAIN]: resultOf(ok()), [SIDE]: resultOf(ok()) },
    { [MAIN]: resultOf(failed("tls-reset")), [SIDE]: resultOf(ok(), true) },
    { [MAIN]: resultOf(failed("tls-reset")), [SIDE]: resultOf(ok(), true) },
  ]);
  const [bank] = viewOf(state).services;
  expect(bank).toMatchObject({
    slug: "bank",
    category: { id: "banks" },
    staleCheckMs: null,
    annotations: [{ kind: "provider" }],
    endpoints: [
      {
        url: MAIN,
        isCritical: true,
        status: { kind: "failed", stage: "tls", code: "tls-reset" },
      },
      { url: SIDE, isCritical: false, status: { kind: "ok", isFlaky: true, isUnverified: false } },
    ],
  });
  expect(bank?.halfHours.at(-1)).toBe("failing");
  expect(bank?.endpoints.map(({ halfHours }) => halfHours.slice(-2))).toEqual([
    [null, "failing"],
    [null, "up"],
  ]);
});

test("a finding has the status and whether the certificate was verified", () => {
  const unverified = { ...ok(), trace: traceOf(200, { tlsVerified: false }) };
  const [bank] = viewOf(
    stateAfter([
      {
        [MAIN]: resultOf(failed("http-server-error", { httpStatus: 503 })),
        [SIDE]: resultOf(unverified),
      },
    ]),
  ).services;
  expect(bank?.endpoints.map(({ status }) => status)).toEqual([
    { kind: "failed", stage: "http", code: "http-server-error", httpStatus: 503 },
    { kind: "ok", isFlaky: false, isUnverified: true },
  ]);
});

test("an endpoint whose wall has answered names the vendor", () => {
  const walled = { ...ok(), trace: traceOf(200, { wall: "qrator" }) };
  const [bank] = viewOf(
    stateAfter([{ [MAIN]: resultOf(walled), [SIDE]: resultOf(ok()) }]),
  ).services;
  expect(bank?.endpoints[0]?.status).toEqual({
    kind: "ok",
    isFlaky: false,
    isUnverified: false,
    wall: "Qrator",
  });
});

test("charts show the main endpoint, days, and reports up to their own time", () => {
  const run = { [MAIN]: resultOf(ok(300)), [SIDE]: resultOf(ok(5_000)) };
  // More than two hours, so that one clock hour is complete.
  const state = stateAfter(Array.from({ length: 30 }, () => run));
  const nowMs = state.history.updatedAtMs ?? T0;
  const report = { slug: "bank", atMs: nowMs, network: "n", block: "b" };
  const { ledger } = foldReports(state.reports.ledger, [report], nowMs);
  const reported = { ...state, reports: { ...state.reports, ledger } };
  const [bank] = viewOf(reported).services;
  expect(bank?.days.at(-1)).toBe("up");
  const known = bank?.responseMs.filter((ms) => ms !== null) ?? [];
  expect(known.length).toBeGreaterThan(0);
  for (const ms of known) expect(Math.abs(ms - 300)).toBeLessThan(60);
  expect(bank?.reportHours.slice(-2)).toEqual([0, 1]);
  const [later] = viewOf(reported, nowMs + HOUR_MS).services;
  expect(later?.reportHours.slice(-2)).toEqual([1, 0]);
});

test("a service that was never probed has only unknown values", () => {
  const [, shop] = viewOf(stateAfter([{ [MAIN]: resultOf(ok()) }])).services;
  expect(shop).toMatchObject({
    verdict: { code: "none", sinceMs: null },
    staleCheckMs: null,
    endpoints: [{ status: { kind: "unknown" } }],
  });
  expect(shop?.days.every((day) => day === null)).toBe(true);
});

test("a service that the last run did not probe has the time of its last probe", () => {
  const shop = "https://shop.example.ru/";
  const state = stateAfter([
    { [MAIN]: resultOf(ok()), [shop]: resultOf(ok()) },
    { [MAIN]: resultOf(ok()) },
  ]);
  const view = viewOf(state);
  expect(view.services.map(({ staleCheckMs }) => staleCheckMs)).toEqual([null, T0]);
});

test("the view of healthy services does not change with the next run", () => {
  const healthy = { [MAIN]: resultOf(ok()), [SIDE]: resultOf(ok()) };
  // All runs are in the half hour that begins at T0.
  const runs = [healthy, healthy, healthy];
  expect(viewOf(stateAfter(runs))).toEqual(viewOf(stateAfter(runs.slice(0, 2))));
});

test("changes are sorted by newest first, without those of removed services", () => {
  const changes = [
    changeOf({ seq: 1, slug: "bank", atMs: T0 + 1, code: "fail" }),
    changeOf({ seq: 2, slug: "gone", atMs: T0 + 2, code: "fail" }),
    changeOf({ seq: 3, slug: "shop", atMs: T0 + 3, code: "slow" }),
  ];
  const state = { ...stateAfter([]), verdicts: { codes: new Map(), changes, next: 4 } };
  expect(viewOf(state).changes.map(({ name, atMs }) => [name, atMs])).toEqual([
    ["Сервис shop", T0 + 3],
    ["Сервис bank", T0 + 1],
  ]);
});

test.each<[string, boolean | null, string, readonly string[]]>([
  ["has a white list", true, "now", ["Net mob"]],
  ["had one when it was last heard", true, "before", []],
  ["has none", false, "now", []],
  ["cannot tell", null, "now", []],
])("a network that %s", (_, isWhiteList, askId, expected) => {
  const place = { id: "mob", kind: "mobile", country: "RU", asn: 31_133 } as const;
  const heard = { askId, heardAtMs: T0, connectivity: "fine", isWhiteList } as const;
  const vantages = {
    ...EMPTY_STATE.vantages,
    vantages: [{ ...place, network: "Net mob", publicKey: "" }],
    asks: [{ id: "now", atMs: T0, urls: "", failing: new Map<string, string | null>() }],
    heard: new Map([["mob", { ...heard, results: new Map() }]]),
  };
  expect(viewOf({ ...stateAfter([]), vantages }).whiteLists).toEqual(expected);
});

test.each<[string, EndpointResult, object]>([
  [
    "only browsers do not get",
    { ...resultOf(ok()), outvotedBy: "failing", decidedBy: "browser" },
    { kind: "not-browsers" },
  ],
  [
    "subscribers do not get",
    { ...resultOf(ok()), outvotedBy: "failing", decidedBy: "home" },
    { kind: "not-at-home" },
  ],
  [
    "most places do not get",
    { ...resultOf(ok()), outvotedBy: "failing" },
    { kind: "ok", isFlaky: false, isUnverified: false },
  ],
  ["its owner denies", resultOf({ kind: "denied", trace: traceOf(90) }), { kind: "denied" }],
  ["was skipped", resultOf({ kind: "skipped", reason: "deadline" }), { kind: "skipped" }],
  [
    "only browsers get",
    { ...resultOf(failed("tls-reset")), outvotedBy: "healthy", decidedBy: "browser" },
    { kind: "only-browsers" },
  ],
  [
    "most places get",
    { ...resultOf(failed("tls-reset")), outvotedBy: "healthy" },
    { kind: "elsewhere" },
  ],
  [
    "its owner may refuse",
    { ...resultOf(failed("tls-reset")), mayBeRefused: true },
    { kind: "refused" },
  ],
  ["fails", resultOf(failed("tls-reset")), { kind: "failed", stage: "tls", code: "tls-reset" }],
])("an endpoint that %s is shown so", (_, result, status) => {
  const [bank] = viewOf(stateAfter([{ [MAIN]: result }])).services;
  expect(bank?.endpoints[0]?.status).toEqual(status);
  expect(bank?.endpoints[0]).not.toHaveProperty("isBrowserServed");
});

test("an endpoint says whether a browser got it, if one was asked", () => {
  const browser = { isOpen: false, stage: "tls", atMs: T0 } as const;
  const [bank] = viewOf(stateAfter([{ [MAIN]: { ...resultOf(ok()), browser } }])).services;
  expect(bank?.endpoints.map((one) => one.isBrowserServed)).toEqual([false, undefined]);
});

test.each([
  [2, []],
  [3, [{ operator: "mts", services: 3 }]],
])("an operator that alone makes the surges of %i services fails itself", (count, failing) => {
  const unusual = (isAlone: boolean) => ({
    ...NO_OPERATOR_SUMS,
    unusual: {
      isAlone,
      shares: [
        { operator: "mts", percent: 70, usual: 18 } as const,
        { operator: "beeline", percent: 20, usual: 10 } as const,
      ],
    },
  });
  const slugs = ["a", "b", "c", "d"];
  const catalogue = catalogueOf(slugs.map((slug) => serviceOf(slug, [])));
  const operators = new Map(slugs.map((slug, at) => [slug, unusual(at < count)] as const));
  const { accuracy } = EMPTY_STATE;
  const view = viewSite(ADDRESS, {
    catalogue,
    state: EMPTY_STATE,
    snapshot: decideServices(catalogue, EMPTY_HISTORY, new Map(), T0, T0),
    nowMs: T0,
    reportsAtMs: T0,
    accuracy: reportAccuracy(accuracy, []),
    truth: [],
    months: NO_MONTHS,
    operators,
  });
  expect(view.failingOperators).toEqual(failing);
  expect(view.services.map((one) => one.operators)).toEqual([...operators.values()]);
});

test("symptoms of the last day are most reported first, without those of no report", () => {
  const named = ["login", "slow", "slow", "payments", "slow", "payments"] as const;
  const reports = named.map((symptom, at) => {
    return { slug: "bank", atMs: T0, network: `n${at}`, block: `b${at}`, symptom };
  });
  const state = stateAfter([{ [MAIN]: resultOf(ok()) }]);
  const { ledger } = foldReports(state.reports.ledger, reports, T0);
  const view = viewOf({ ...state, reports: { ...state.reports, ledger } });
  expect(view.services.map(({ symptoms }) => symptoms)).toEqual([
    [
      ["slow", 3],
      ["payments", 2],
      ["login", 1],
    ],
    [],
  ]);
});
