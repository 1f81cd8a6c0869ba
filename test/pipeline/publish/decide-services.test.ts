import { expect, test } from "vitest";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import { decideServices } from "../../../src/pipeline/publish/decide-services.ts";
import {
  catalogueOf,
  endpointOf,
  minutes,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../../model/samples.ts";

const CATALOGUE = catalogueOf([serviceOf("bank", [endpointOf("https://bank.example/", true)])]);

/** The code of a service that was healthy at T0, so much later. */
function codeAfter(ageMs: number, pending: readonly string[] | undefined) {
  const history = { ...EMPTY_HISTORY, services: new Map([["bank", serviceHistoryOf()]]) };
  const nowMs = T0 + ageMs;
  const waiting = pending && new Set(pending);
  const snapshot = decideServices(CATALOGUE, history, new Map(), nowMs, nowMs, waiting);
  expect(snapshot.updatedAtMs).toBe(nowMs);
  return snapshot.services.map(({ verdict }) => verdict.code);
}

test.each<[number, readonly string[] | undefined, string]>([
  [minutes(15), undefined, "ok"],
  [minutes(15) + 1, undefined, "none"],
  [minutes(15) + 1, ["shop"], "none"],
  [minutes(60), ["bank"], "ok"],
  [minutes(60) + 1, ["bank"], "none"],
])("a verdict of %i ms ago, while %j are confirmed, is %s", (ageMs, pending, code) => {
  expect(codeAfter(ageMs, pending)).toEqual([code]);
});
