import { expect, test } from "vitest";
import {
  EMPTY_LEDGER,
  NO_SURGE,
  type Report,
  type Surge,
} from "../../../src/model/service/reports.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import {
  findIgnoredNetworks,
  holdCommon,
  type Observation,
  observe,
  stepSurge,
} from "../../../src/reports/counting/surge.ts";
import { DAY_MS, NOON_MS, SLOT_MS } from "./samples.ts";

const SLOT = 5_900_000;

function see(count: number, others: Partial<Observation> = {}): Observation {
  return {
    count,
    blocks: count,
    largestBlock: Math.min(count, 1),
    mean: 0.05,
    isCold: false,
    ...others,
  };
}

/** Phases after evaluations of these counts in consecutive slots. */
function play(counts: readonly number[], others: Partial<Observation> = {}): readonly string[] {
  let surge = NO_SURGE;
  return counts.map((count, place) => {
    surge = stepSurge(surge, see(count, others), SLOT + place);
    return surge.phase;
  });
}

test("five never start a surge, six do if almost none are expected", () => {
  expect(play([5])).toEqual(["off"]);
  expect(play([6])).toEqual(["on"]);
  expect(play([34], { mean: 5 })).toEqual(["off"]);
  expect(play([35], { mean: 5 })).toEqual(["on"]);
});

test("a surge needs four blocks, none with more than half", () => {
  expect(play([20], { blocks: 3, largestBlock: 7 })).toEqual(["off"]);
  expect(play([20], { blocks: 4, largestBlock: 11 })).toEqual(["off"]);
  expect(play([20], { blocks: 4, largestBlock: 10 })).toEqual(["on"]);
});

test("a surge ends at the second quiet evaluation, at least 15 minutes after its start", () => {
  expect(play([6, 0, 0, 0])).toEqual(["on", "on", "on", "off"]);
  expect(play([6, 6, 6, 6, 0, 0])).toEqual(["on", "on", "on", "on", "on", "off"]);
  expect(play([6, 6, 6, 0, 6, 0, 0])).toEqual(["on", "on", "on", "on", "on", "on", "off"]);
});

test("three reports surge over a mean of 0.05, 15 do not over a mean of 10", () => {
  expect(play([6, 3, 3, 3, 3])).toEqual(["on", "on", "on", "on", "on"]);
  expect(play([6, 2, 2, 2])).toEqual(["on", "on", "on", "off"]);
  expect(play([63, 15, 15, 15], { mean: 10 })).toEqual(["on", "on", "on", "off"]);
});

test("in the first seven days 15 start a surge for any mean, and fewer are quiet", () => {
  expect(play([14], { isCold: true })).toEqual(["off"]);
  expect(play([15], { isCold: true, mean: 100 })).toEqual(["on"]);
  expect(play([15, 15, 15, 14, 14], { isCold: true })).toEqual(["on", "on", "on", "on", "off"]);
});

const ON: Surge = { phase: "on", startedAtMs: SLOT * SLOT_MS, quiet: 0, loudSlot: SLOT };

function hold(surges: readonly Surge[], services: number): readonly string[] {
  const named = new Map(surges.map((surge, place) => [`s${place}`, surge]));
  return [...holdCommon(named, services, SLOT).values()].map(({ phase }) => phase);
}

test("surges of more than 30 % of the services that start together are held", () => {
  expect(
    hold(
      Array.from({ length: 25 }, () => ON),
      85,
    ),
  ).toEqual(Array(25).fill("on"));
  expect(
    hold(
      Array.from({ length: 26 }, () => ON),
      85,
    ),
  ).toEqual(Array(26).fill("held"));
});

test("starts of the last 15 minutes are together, and an older surge stays", () => {
  const older: Surge = { ...ON, startedAtMs: (SLOT - 3) * SLOT_MS };
  const recent: Surge = { ...ON, startedAtMs: (SLOT - 2) * SLOT_MS };
  expect(hold([older, recent, ON, ON, ON, ON], 10)).toEqual(["on", ...Array(5).fill("held")]);
  expect(hold([older, older, ON, ON, ON, ON], 10)).toEqual(Array(6).fill("on"));
});

test("fewer than five services have no common cause in a small catalogue", () => {
  expect(hold([ON, ON, ON, ON], 4)).toEqual(Array(4).fill("on"));
});

test("a held surge ends by the same rules, and can start again", () => {
  const held: Surge = { ...ON, phase: "held" };
  const quiet = stepSurge(stepSurge(held, see(0), SLOT + 3), see(0), SLOT + 4);
  expect(quiet.phase).toBe("off");
  expect(stepSurge(quiet, see(9), SLOT + 5).phase).toBe("on");
});

/** The service with these reports, of a network and block each. */
function serviceWith(
  reports: readonly (readonly [atMs: number, network: string, block: string])[],
) {
  const all = reports.map(([atMs, network, block]): Report => {
    return { slug: "bank", atMs, network, block };
  });
  const service = foldReports(EMPTY_LEDGER, all, NOON_MS).ledger.services.get("bank");
  if (service === undefined) throw new Error("no report was taken");
  return service;
}

test("a window has the 15 minutes before its slot, and counts ignored networks apart", () => {
  const service = serviceWith([
    [NOON_MS - 3 * SLOT_MS - 1, "before", "x"],
    [NOON_MS - 3 * SLOT_MS, "first", "x"],
    [NOON_MS - SLOT_MS, "second", "x"],
    [NOON_MS - 1, "third", "y"],
    [NOON_MS, "after", "z"],
  ]);
  const slot = NOON_MS / SLOT_MS;
  const counted = { count: 3, ignored: 0, blocks: 2, largestBlock: 2 };
  expect(observe(service, slot, new Set())).toMatchObject(counted);
  const second = service.recent.networks[2] ?? 0;
  expect(observe(service, slot, new Set([second, 1]))).toMatchObject({
    count: 2,
    ignored: 1,
    blocks: 2,
    largestBlock: 1,
  });
});

test.each([
  [5, 0],
  [6, 1],
])("a network that reports %i services in a window: %i ignored", (services, ignored) => {
  const reports = Array.from({ length: services }, (_, at): Report => {
    return { slug: `s${at}`, atMs: NOON_MS - SLOT_MS, network: "n", block: "b" };
  });
  const { ledger } = foldReports(EMPTY_LEDGER, reports, NOON_MS);
  expect(findIgnoredNetworks(ledger.services, NOON_MS / SLOT_MS).size).toBe(ignored);
  expect(findIgnoredNetworks(ledger.services, NOON_MS / SLOT_MS + 3).size).toBe(0);
});

test("a service has a history from seven days after its first report on", () => {
  const service = serviceWith([[NOON_MS - SLOT_MS, "n", "b"]]);
  const isColdAfter = (ageMs: number): boolean =>
    observe({ ...service, firstAtMs: NOON_MS - ageMs }, NOON_MS / SLOT_MS, new Set()).isCold;
  expect([7 * DAY_MS - 1, 7 * DAY_MS].map(isColdAfter)).toEqual([true, false]);
});
