import { expect, test } from "vitest";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import type { EndpointResult } from "../../../src/model/probe-outcome.ts";
import { fold } from "../../../src/services/history/fold.ts";
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
} from "../../model/samples.ts";

const MAIN = "https://bank.example.ru/";
const SIDE = "https://cdn.example.ru/";
const CATALOGUE = catalogueOf([
  serviceOf("bank", [endpointOf(MAIN, true), endpointOf(SIDE, false)]),
]);

const WORKS = resultOf(ok());
const FLAKY = resultOf(ok(), true);
const FAILS = resultOf(failed("tcp-timeout"));

/** The class after each run of the main and the side endpoint. */
function classesAfter(runs: readonly (readonly [EndpointResult, EndpointResult])[]) {
  let history = EMPTY_HISTORY;
  return runs.map(([main, side], index) => {
    const results = new Map([
      [MAIN, main],
      [SIDE, side],
    ]);
    const record = runRecord({ atMs: T0 + minutes(5 * index), results });
    history = fold(history, record, CATALOGUE);
    return history.services.get("bank")?.checkClass;
  });
}

const PARTIAL = [
  [WORKS, WORKS],
  [WORKS, FAILS],
  [WORKS, FAILS],
] as const;

test.each<[string, readonly [EndpointResult, EndpointResult], string]>([
  ["goes on while a critical endpoint needs a second attempt", [FLAKY, WORKS], "partial"],
  ["ends although another one needs a second attempt", [WORKS, FLAKY], "up"],
  ["ends with a clean run", [WORKS, WORKS], "up"],
  ["goes on while something fails", [WORKS, FAILS], "partial"],
])("a partial outage %s", (_, last, expected) => {
  expect(classesAfter([...PARTIAL, last]).slice(2)).toEqual(["partial", expected]);
});
