import { expect, test } from "vitest";
import type { TruthEntry } from "../../src/model/service/accuracy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import { buildAccuracy, reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import { failed, ok } from "../model/samples.ts";
import { readTexts } from "../publish/counter-program.ts";
import { freshStores, type Stores, watchWrites } from "../publish/writers.ts";
import { openSetup, post, reportOf } from "./publish-harness.ts";
import { NOON_MS, startRun, stateIn, urlOf } from "./run-harness.ts";

const KEY = "accuracy/v1.json";

/** The months of the published document. */
async function monthsIn({ publicStore }: Stores) {
  const { [KEY]: text = "" } = await readTexts(publicStore, [KEY]);
  const { months }: { readonly months: readonly unknown[] } = JSON.parse(text);
  return months;
}

/** A run in which these services fail. */
async function runAt(stores: Stores, startMs: number, failing: readonly string[] = []) {
  const urls = new Set(failing.map(urlOf));
  const outcomeOf = (url: string) => (urls.has(url) ? failed("tcp-timeout") : ok());
  await startRun(stores, { startMs, outcomeOf }).result;
}

const NEXT_NOON_MS = NOON_MS + DAY_MS;

test("an outage of one run is told on the next day, and not before", async () => {
  const stores = freshStores();
  await runAt(stores, NOON_MS);
  expect(await monthsIn(stores)).toEqual([]);
  await runAt(stores, NOON_MS + 5 * MINUTE_MS, ["beta"]);
  await runAt(stores, NOON_MS + 10 * MINUTE_MS);
  expect(await monthsIn(stores)).toEqual([]);
  await runAt(stores, NEXT_NOON_MS);
  expect(await monthsIn(stores)).toMatchObject([
    {
      month: "2026-11",
      runs: 3,
      outages: { told: 1, short: 1, shortReported: 0 },
      false: { suspected: 1, confirmed: 0 },
      congestedRuns: 0,
      noneMinutes: { services: 0, runner: 0 },
    },
  ]);
  // The gap of a day ended today, and counts from tomorrow on.
  const { accuracy } = await stateIn(stores);
  expect(accuracy.today.runnerNoneMinutes).toBe(24 * 60 - 25);
});

test("several generations of one run, and a report that comes later, count a run once", async () => {
  const stores = freshStores();
  await runAt(stores, NOON_MS);
  await runAt(stores, NOON_MS + 5 * MINUTE_MS, ["beta"]);
  const { outages, today } = (await stateIn(stores)).accuracy;
  expect(today.runs).toBe(2);
  expect(outages).toMatchObject([{ slug: "beta", runs: 1 }]);
  // A run that was folded before.
  await startRun(stores, { startMs: NOON_MS + 5 * MINUTE_MS }).result;
  expect((await stateIn(stores)).accuracy.outages).toMatchObject([{ slug: "beta", runs: 1 }]);
});

test("on a day without a change nothing of it is written, at its end it is once", async () => {
  const stores = freshStores();
  await runAt(stores, NOON_MS);
  const keys: string[] = [];
  const publicStore = watchWrites(stores.publicStore, (key) => void keys.push(key));
  const watched = { ...stores, publicStore };
  await runAt(watched, NOON_MS + 5 * MINUTE_MS, ["beta"]);
  await runAt(watched, NOON_MS + 10 * MINUTE_MS);
  expect(keys.filter((key) => key === KEY)).toEqual([]);
  await runAt(watched, NOON_MS + 12 * HOUR_MS);
  await runAt(watched, NOON_MS + 12 * HOUR_MS + 5 * MINUTE_MS);
  expect(keys.filter((key) => key === KEY)).toEqual([KEY]);
});

test("a report makes a false alarm unsuspected", async () => {
  const stores = freshStores();
  const { setup } = openSetup(stores);
  const atMs = NOON_MS + 5 * MINUTE_MS;
  await runAt(stores, NOON_MS);
  await runAt(stores, atMs, ["beta"]);
  const report = { ...reportOf("beta", "net"), atMs: atMs - 2 * MINUTE_MS };
  await post(stores.stateStore, "1-x", [report]);
  await refresh(setup, atMs + MINUTE_MS);
  expect((await stateIn(stores)).accuracy.outages).toMatchObject([{ isReported: true }]);
});

test("the truth counts from the publish on that reads it", async () => {
  const stores = freshStores();
  await runAt(stores, NOON_MS);
  await runAt(stores, NOON_MS + 5 * MINUTE_MS, ["beta"]);
  await runAt(stores, NOON_MS + 10 * MINUTE_MS);
  await runAt(stores, NEXT_NOON_MS);
  const entry: TruthEntry = {
    slug: "beta",
    fromMs: NOON_MS,
    toMs: NOON_MS + HOUR_MS,
    what: "worked",
    source: "a visitor",
  };
  const { setup } = openSetup(stores);
  await refresh({ ...setup, readTruth: async () => [entry] }, NEXT_NOON_MS + MINUTE_MS);
  expect(await monthsIn(stores)).toMatchObject([{ false: { suspected: 0, confirmed: 1 } }]);
  const { accuracy } = await stateIn(stores);
  const { [KEY]: text } = await readTexts(stores.publicStore, [KEY]);
  const { body } = buildAccuracy(reportAccuracy(accuracy, [entry]));
  expect(text).toBe(new TextDecoder().decode(body));
});
