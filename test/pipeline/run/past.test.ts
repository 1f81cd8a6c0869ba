import { expect, test } from "vitest";
import type { Line } from "../../../src/model/service/choices.ts";
import type { EndpointResult } from "../../../src/model/probe-outcome.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import type { HeardResult } from "../../../src/model/service/vantage.ts";
import {
  createBaselines,
  createSeenAddresses,
  neighboursIn,
} from "../../../src/pipeline/run/past.ts";
import {
  endpointOf,
  failed,
  ok,
  PLACE,
  resultOf,
  runMark,
  serviceOf,
  T0,
  traceOf,
} from "../../model/samples.ts";

const A = "https://a.example/";
const B = "https://b.example/";

function evidenceOf(results: Readonly<Record<string, EndpointResult>>): State["evidence"] {
  const endpoints = Object.entries(results).map(([url, result]) => ({ url, result }));
  return new Map([["a", { runAtMs: T0, endpoints }]]);
}

function okAt(address: string, redirects = 0) {
  return { kind: "ok", trace: traceOf(90, { address, redirects, bodyBytes: 100 }) } as const;
}

/** What is known of an endpoint with these samples, of runs that are an hour and a half apart. */
function baselineOf(
  track: string,
  refuses: readonly ("hosting" | "abroad")[] = [],
  line: Line = "hosting",
) {
  const runs = Array.from(track, (_, at) => runMark({ atMs: T0 + at * 5_400_000 }));
  const history = { ...EMPTY_STATE.history, runs, endpoints: new Map([[A, track]]) };
  const baselines = createBaselines({ history, evidence: new Map() }, line);
  return baselines({ ...endpointOf(A, true), refuses: [...refuses] });
}

test("an endpoint without a past is compared with what is always slow", () => {
  expect(baselineOf("")).toEqual({
    lastState: "unknown",
    isLongFailing: false,
    isSilenceVague: false,
    slowMs: 8_000,
  });
});

test.each([
  ["!".repeat(17), true],
  [`0${"!".repeat(16)}`, false],
  [`${"!".repeat(16)}0`, false],
])("an endpoint with the samples %s has failed for a day: %s", (track, isLongFailing) => {
  expect(baselineOf(track).isLongFailing).toBe(isLongFailing);
});

test.each<[string, readonly ("hosting" | "abroad")[], Line, boolean]>([
  ["!", ["hosting"], "hosting", true],
  ["!", ["hosting"], "home", false],
  ["!", ["abroad"], "hosting", false],
  ["*", ["hosting"], "hosting", false],
])(
  "after %s the silence of an owner that refuses %j is vague at %s: %s",
  (track, refuses, line, is) => {
    expect(baselineOf(track, refuses, line).isSilenceVague).toBe(is);
  },
);

test("the last failure is known, an answer is not", () => {
  const failure = failed("tls-reset");
  const evidence = evidenceOf({ [A]: resultOf(failure), [B]: resultOf(ok()) });
  const baselines = createBaselines({ history: EMPTY_STATE.history, evidence }, "home");
  expect(baselines(endpointOf(A, true))).toMatchObject({ failure });
  expect(baselines(endpointOf(B, true))).not.toHaveProperty("failure");
  // Once for each endpoint, because it is costly.
  expect(baselines(endpointOf(A, true))).toBe(baselines(endpointOf(A, true)));
});

test("neighbours are the endpoints that answered in the last run, at their addresses", () => {
  const [a, b] = [endpointOf(A, true), endpointOf(B, false)];
  const gone = endpointOf("https://gone.example/", true);
  const evidence = evidenceOf({
    [A]: resultOf(okAt("192.0.2.1")),
    [B]: resultOf(failed("tls-reset", { address: "192.0.2.2" })),
  });
  expect(neighboursIn([serviceOf("a", [a, b, gone])], evidence)).toEqual([
    { address: "192.0.2.1", target: a, isLarge: false },
  ]);
});

test("an endpoint was seen where the runner reached it without a redirect", () => {
  const skipped = { kind: "skipped", reason: "deadline" } as const;
  const evidence = evidenceOf({
    [A]: {
      ...resultOf(failed("dns-nxdomain")),
      attempts: [skipped, okAt("192.0.2.9", 1), okAt("192.0.2.1")],
    },
    [B]: resultOf(skipped),
  });
  const seenAt = createSeenAddresses({ evidence, vantages: EMPTY_STATE.vantages });
  expect([A, B, "https://never.example/"].map(seenAt)).toEqual(["192.0.2.1", undefined, undefined]);
});

test.each<[string, HeardResult, "control" | "moscow", string]>([
  [
    "a control that it answered",
    { code: "ok", address: "198.51.100.1" },
    "control",
    "198.51.100.1",
  ],
  [
    "no control where it failed",
    { code: "tls-reset", address: "198.51.100.1" },
    "control",
    "192.0.2.1",
  ],
  ["no control without an address", { code: "ok" }, "control", "192.0.2.1"],
  ["no place in Moscow", { code: "ok", address: "198.51.100.1" }, "moscow", "192.0.2.1"],
])("where an endpoint was seen is told by %s", (_, result, kind, address) => {
  const heard = { askId: "1", heardAtMs: T0, connectivity: "fine", isWhiteList: null } as const;
  const vantages = {
    ...EMPTY_STATE.vantages,
    vantages: [{ ...PLACE, kind }],
    heard: new Map([[PLACE.id, { ...heard, results: new Map([[A, result]]) }]]),
  };
  const evidence = evidenceOf({ [A]: resultOf(okAt("192.0.2.1")) });
  expect(createSeenAddresses({ evidence, vantages })(A)).toBe(address);
});
