import { expect, test } from "vitest";
import { EMPTY_HISTORY, type History } from "../../../src/model/service/history.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { fold } from "../../../src/services/history/fold.ts";
import {
  hourlyUptimesOf,
  uptimesOfService,
} from "../../../src/services/history/service-chart-series.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  ok,
  resultOf,
  runRecord,
  serviceOf,
} from "../../model/samples.ts";

const URL = "https://bank.example.ru/";
const CATALOGUE = catalogueOf([serviceOf("bank", [endpointOf(URL, true)])]);
const MIDNIGHT = Date.UTC(2026, 10, 20);

/** Runs each 20 minutes; every fifth fails. */
const RUNS = Array.from({ length: 120 }, (_, place) => MIDNIGHT + place * 20 * MINUTE_MS);

function historyUntil(nowMs: number): History {
  return RUNS.filter((atMs) => atMs < nowMs).reduce((history, atMs, place) => {
    const outcome = place % 5 === 0 ? failed("tcp-timeout") : ok();
    return fold(
      history,
      runRecord({ atMs, results: new Map([[URL, resultOf(outcome)]]) }),
      CATALOGUE,
    );
  }, EMPTY_HISTORY);
}

function hourlyAt(nowMs: number) {
  const { services, runs } = historyUntil(nowMs);
  return hourlyUptimesOf(services.get("bank"), runs, nowMs);
}

test("the uptimes of an hour are those at its beginning, whatever came since", () => {
  for (const hourMs of [MIDNIGHT + 5 * HOUR_MS, MIDNIGHT + DAY_MS, MIDNIGHT + 30 * HOUR_MS]) {
    const { services, runs } = historyUntil(hourMs);
    const record = services.get("bank") ?? { strip: "", days: [] };
    const atItsBeginning = uptimesOfService(record, runs, hourMs);
    expect(atItsBeginning["90d"].decided).toBeGreaterThan(10);
    for (const passedMs of [0, 1, 25 * MINUTE_MS, HOUR_MS - 1])
      expect(hourlyAt(hourMs + passedMs)).toEqual(atItsBeginning);
  }
});

test("a service without a check has none", () => {
  const none = { decided: 0, healthy: 0 };
  expect(hourlyUptimesOf(undefined, [], MIDNIGHT)).toEqual({
    "24h": none,
    "7d": none,
    "30d": none,
    "90d": none,
  });
});
