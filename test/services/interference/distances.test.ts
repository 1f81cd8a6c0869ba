import { expect, test } from "vitest";
import { isUnicast } from "../../../src/services/interference/distances.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const COUNTRIES = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));

/** The shortest way to a country, to and fro, in steps of 50 km; undefined: the country is absent. */
function kilometresTo(country: string): number | undefined {
  for (let km = 50; km <= 20_000; km += 50) if (isUnicast(country, km / 100, 0) === true) return km;
  return undefined;
}

const KNOWN = COUNTRIES.flatMap((country) => {
  const km = kilometresTo(country);
  return km === undefined ? [] : [[country, km] as const];
});

test("distances are rounded down to 50 km", () => {
  expect(KNOWN).toHaveLength(38);
  for (const [country, km] of KNOWN)
    expect([country, isUnicast(country, (km - 0.5) / 100, 0)]).toEqual([country, false]);
});

test.each([
  ["EE", 550],
  ["LT", 650],
  ["FI", 800],
  ["DE", 1_450],
  ["NL", 1_850],
  ["GB", 2_200],
  ["JP", 6_350],
  ["SG", 8_000],
])("%s is %i km away, less than any of its towns", (country, km) => {
  expect(kilometresTo(country)).toBe(km);
});

test("both ways count together", () => {
  expect(isUnicast("DE", 7.25, 7.25)).toBe(true);
  expect(isUnicast("DE", 7.25, 7.24)).toBe(false);
});

test.each([
  ["a country that is absent", "ZZ", 90, 90],
  ["Russia itself", "RU", 90, 90],
  ["no time here", "DE", undefined, 90],
  ["no time there", "DE", 90, undefined],
])("%s proves nothing", (_, country, here, there) => {
  expect(isUnicast(country, here, there)).toBeUndefined();
});
