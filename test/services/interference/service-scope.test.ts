import { expect, test } from "vitest";
import type { EndpointResult } from "../../../src/model/probe-outcome.ts";
import { toUtcDay } from "../../../src/model/time.ts";
import {
  type HeardResult,
  NO_VANTAGES,
  type Vantage,
  type VantagesState,
} from "../../../src/model/service/vantage.ts";
import { judgeService } from "../../../src/services/interference/judge-services.ts";
import { endpointOf, failed, ok, resultOf, serviceOf, T0 } from "../../model/samples.ts";

const [DEAD, CUT, SIDE] = ["https://dead.ru/", "https://cut.ru/", "https://side.ru/"] as const;
const [SILENT, OPENED] = ["https://silent.ru/", "https://opened.ru/"] as const;

/** Two proven places of a kind, in networks of their own, that say this of an endpoint. */
function twoOf(kind: "control" | "moscow", url: string, said: HeardResult): VantagesState {
  const country = kind === "moscow" ? "RU" : "DE";
  const vantages = [1, 2].map((asn): Vantage => {
    const id = `${kind}${asn}`;
    return { id, kind, country, line: "home", asn, network: id, publicKey: "" };
  });
  const days = new Map([[url, [{ day: toUtcDay(T0), healthy: 280, failed: 0 }]]]);
  const results = new Map([[url, said]]);
  const [connectivity, isWhiteList] = ["fine" as const, null];
  const heard = { askId: "now", heardAtMs: T0, connectivity, isWhiteList, results };
  return {
    ...NO_VANTAGES,
    vantages,
    asks: [{ id: "now", atMs: T0, urls: "u", failing: new Map([[DEAD, "192.0.2.1"]]) }],
    heard: new Map(vantages.map(({ id }) => [id, heard])),
    tallies: new Map(vantages.map(({ id }) => [id, days])),
  };
}

const ABROAD = twoOf("control", DEAD, { code: "tcp-timeout" });
const AT_HOME = twoOf("moscow", CUT, { code: "tcp-timeout" });
const KNOWN: VantagesState = {
  ...ABROAD,
  vantages: [...ABROAD.vantages, ...AT_HOME.vantages],
  heard: new Map([...ABROAD.heard, ...AT_HOME.heard]),
  tallies: new Map([...ABROAD.tallies, ...AT_HOME.tallies]),
};

const RESULTS = new Map<string, EndpointResult>([
  [DEAD, resultOf(failed("tcp-timeout", { address: "192.0.2.1" }))],
  [CUT, { ...resultOf(ok()), outvotedBy: "failing", decidedBy: "home" }],
  [SIDE, resultOf(ok())],
  [SILENT, { ...resultOf(failed("tcp-timeout")), mayBeRefused: true }],
  [OPENED, { ...resultOf(failed("tcp-timeout")), outvotedBy: "healthy" }],
]);

/** The scope of a service with these critical endpoints and one that is not. */
function scopeOf(urls: readonly string[], known = KNOWN, side: string = SIDE) {
  const endpoints = [...urls.map((url) => endpointOf(url, true)), endpointOf(side, false)];
  return judgeService(
    { ...serviceOf("a", endpoints), isAbroad: true },
    {
      known,
      nowMs: T0,
      resultOf: (url) => RESULTS.get(url),
      claimsOf: () => [],
      connectivity: "fine",
      failingRunsOf: () => 3,
    },
  ).scope;
}

test("the scope of a service is that of its critical endpoints, as far as they agree", () => {
  expect(scopeOf([DEAD])).toBe("everywhere");
  expect(scopeOf([CUT])).toBe("access");
  expect(scopeOf([DEAD, CUT])).toBe("mixed");
  expect(scopeOf([DEAD], KNOWN, CUT)).toBe("everywhere");
});

test("an endpoint that works, or is not known, does not hide where another fails", () => {
  expect(scopeOf([SIDE, DEAD])).toBe("everywhere");
  expect(scopeOf([SIDE])).toBe("none");
  expect(scopeOf([DEAD], NO_VANTAGES)).toBe("unknown");
  expect(scopeOf([SIDE, DEAD], NO_VANTAGES)).toBe("unknown");
  expect(scopeOf([DEAD, CUT], AT_HOME)).toBe("access");
});

test("an endpoint that may refuse the runner is known by lines of subscribers alone", () => {
  const open = twoOf("control", SILENT, { code: "ok" });
  const failing = new Map([SILENT, OPENED].map((url) => [url, null] as const));
  const known = { ...open, asks: open.asks.map((ask) => ({ ...ask, failing })) };
  expect(scopeOf([SILENT], known)).toBe("unknown");
  expect(scopeOf([OPENED], known)).toBe("network");
});
