import { expect, test } from "vitest";
import { FINE } from "../../../src/model/service/connectivity.ts";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import { fold } from "../../../src/services/history/fold.ts";
import {
  catalogueOf,
  endpointOf,
  minutes,
  ok,
  resultOf,
  runRecord,
  serviceOf,
  T0,
} from "../../model/samples.ts";

/** Seven services: two endpoints of `a` and one of each other, `g` in another network than the rest. */
const URLS = ["a1", "a2", "b", "c", "d", "e", "f", "g"] as const;
const urlOf = (name: string): string => `https://${name}.ru/`;
const CATALOGUE = catalogueOf(
  ["a", "b", "c", "d", "e", "f", "g"].map((slug) =>
    serviceOf(
      slug,
      URLS.filter((name) => name.startsWith(slug)).map((name) => endpointOf(urlOf(name), true)),
    ),
  ),
);

/** The class of each service, with the shared cause, after a run in which these endpoints take 12 s. */
function classesWhile(slow: string) {
  const names = slow.split(" ");
  const run = runRecord({
    atMs: T0 + minutes(5),
    connectivity: FINE,
    results: new Map(
      URLS.map((name) => [urlOf(name), resultOf(ok(names.includes(name) ? 12_000 : 200))]),
    ),
    networks: new Map(URLS.map((name) => [urlOf(name), name === "g" ? "Other" : "Selectel"])),
  });
  const { services } = fold(EMPTY_HISTORY, run, CATALOGUE);
  return Object.fromEntries(
    [...services].flatMap(([slug, { checkClass, sharedCause }]) =>
      checkClass === "up" ? [] : [[slug, [checkClass, sharedCause].join(" ")]],
    ),
  );
}

test("half of the endpoints of a network that are slow at once are the network's", () => {
  expect(classesWhile("a1 b c d")).toEqual({
    a: "slow Selectel",
    b: "slow Selectel",
    c: "slow Selectel",
    d: "slow Selectel",
  });
});

test.each([
  ["fewer than half", "b c d", ["b", "c", "d"]],
  ["of two services alone", "a1 a2 b", ["a", "b"]],
  ["elsewhere", "g", ["g"]],
])("slow endpoints %s are their own", (_, slow, slugs) => {
  expect(classesWhile(slow)).toEqual(Object.fromEntries(slugs.map((slug) => [slug, "slow "])));
});

test("a service outside of the slow network is its own", () => {
  expect(classesWhile("a1 b c d g")).toMatchObject({ b: "slow Selectel", g: "slow " });
});
