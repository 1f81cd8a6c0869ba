import { beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import { DEFAULT_SITE_SETTINGS } from "../../../src/model/site-settings.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { buildOpenApi } from "../../../src/site/openapi/openapi.ts";
import { createFront } from "../../../src/preview/front.ts";
import { failed, ok } from "../../model/samples.ts";
import { NOON_MS, startRun, stateIn, urlOf } from "../../pipeline/run-harness.ts";
import { freshStores, watchWrites } from "../../publish/writers.ts";
import { validatorsOf } from "../../site/schemas.ts";
import { STATUSPAGE_KEYS } from "./statuspage-keys.ts";

/* Real runs over a store in memory, from noon of one day to the next. */

const stores = freshStores();
const written: string[] = [];
const watched = {
  ...stores,
  publicStore: watchWrites(stores.publicStore, (key) => written.push(key)),
};

/** What a run at a time wrote into the public store. */
async function runAt(atMs: number, outcomeOf: (url: string) => Outcome = () => ok()) {
  written.length = 0;
  await startRun(watched, { startMs: atMs, outcomeOf }).result;
  return written.toSorted();
}

const failing = (slug: string) => (url: string) =>
  url === urlOf(slug) ? failed("tcp-timeout") : ok();

async function read(key: string): Promise<string> {
  const found = await stores.publicStore.read(key);
  if (found === undefined) throw new Error(`no ${key}`);
  return Buffer.from(found.body).toString();
}

const readJson = async (key: string) => JSON.parse(await read(key));

/** Of every run. */
const EACH = ["api/v1/status", "metrics"];
/** Of a run with another verdict of alpha. */
const CHANGED = [
  "api/v1/status",
  "api/v1/status/alpha",
  ...STATUSPAGE_KEYS,
  "changes/v1.json",
  "history/v1/alpha.json",
  "metrics",
];

const runs = new Map<string, readonly string[]>();
let stateWrites = 0;

beforeAll(async () => {
  const [first, second] = [await runAt(NOON_MS), await runAt(NOON_MS + 5 * MINUTE_MS)];
  runs.set("first", first);
  runs.set("second", second);
  const before = (await stateIn(stores)).publication.generation;
  runs.set("steady", await runAt(NOON_MS + 10 * MINUTE_MS));
  stateWrites = (await stateIn(stores)).publication.generation - before;
  runs.set("failing", await runAt(NOON_MS + 15 * MINUTE_MS, failing("alpha")));
  runs.set("still", await runAt(NOON_MS + 20 * MINUTE_MS, failing("alpha")));
  runs.set("well", await runAt(NOON_MS + 25 * MINUTE_MS));
  runs.set("hour", await runAt(NOON_MS + HOUR_MS));
  runs.set("late", await runAt(NOON_MS + 11 * HOUR_MS + 55 * MINUTE_MS));
  runs.set("midnight", await runAt(NOON_MS + 12 * HOUR_MS));
});

/** Without the evidence, which has tests of its own. */
const writtenBy = (name: string) =>
  (runs.get(name) ?? []).filter((key) => !key.startsWith("evidence/"));

describe("a run writes", () => {
  test("at first the documents, and the histories once these are there", () => {
    const first = runs.get("first") ?? [];
    expect(first.filter((key) => key === "changes/v1.json")).toHaveLength(1);
    const both = [...first, ...writtenBy("second")];
    expect(both.filter((key) => key.startsWith("history/")).toSorted()).toEqual([
      "history/v1/alpha.json",
      "history/v1/beta.json",
      "history/v1/index.json",
    ]);
  });

  test("the list and the metrics if nothing changed, in one generation", () => {
    expect(writtenBy("steady")).toEqual(EACH);
    expect(stateWrites).toBe(1);
    expect(writtenBy("late")).toContain("history/v1/index.json");
  });

  test("every document about it with a change of a verdict, and nothing until the next", () => {
    expect(new Set(writtenBy("failing"))).toEqual(new Set(CHANGED));
    expect(writtenBy("still")).toEqual(EACH);
    expect(new Set(writtenBy("well"))).toEqual(new Set(CHANGED));
  });

  test("the index with an hour, histories and accuracy with a day", () => {
    expect(writtenBy("hour")).toEqual(["api/v1/status", "history/v1/index.json", "metrics"]);
    expect(writtenBy("midnight")).toEqual([
      "accuracy/v1.json",
      "api/v1/status",
      "history/v1/alpha.json",
      "history/v1/beta.json",
      "history/v1/index.json",
      "metrics",
    ]);
  });
});

describe("a published document", () => {
  const validate = validatorsOf(
    JSON.parse(
      buildOpenApi({ ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" }),
    ),
  );

  test.each([
    ["changes/v1.json", "Changes"],
    ["operators/v1.json", "OperatorReports"],
    ["history/v1/index.json", "HistoryIndex"],
    ["history/v1/alpha.json", "ServiceHistory"],
    ["history/v1/beta.json", "ServiceHistory"],
    ["api/v2/summary.json", "StatuspageSummary"],
    ["api/v2/status.json", "StatuspageStatus"],
    ["api/v2/components.json", "StatuspageComponents"],
    ["api/v2/incidents.json", "StatuspageIncidents"],
    ["api/v2/incidents/unresolved.json", "StatuspageIncidents"],
    ["api/v2/scheduled-maintenances.json", "StatuspageMaintenances"],
    ["api/v2/scheduled-maintenances/active.json", "StatuspageMaintenances"],
    ["api/v2/scheduled-maintenances/upcoming.json", "StatuspageMaintenances"],
  ])("%s matches its schema and is served as JSON", async (key, schema) => {
    const isValid = validate(schema);
    expect(isValid(await readJson(key)), JSON.stringify(isValid.errors)).toBe(true);
    const answer = await createFront(stores.publicStore).request(`/${key}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
  });

  test("has the failure, its end, and the same times everywhere", async () => {
    const at = (minute: number): number => (NOON_MS + minute * MINUTE_MS) / 1_000;
    const { next, changes } = await readJson("changes/v1.json");
    expect([next, changes]).toMatchObject([
      3,
      [
        { seq: 1, id: `alpha.${at(15)}.fail`, before: "ok", code: "fail", color: "bad" },
        { seq: 2, id: `alpha.${at(25)}.ok`, before: "fail", code: "ok", surge: false },
      ],
    ]);
    expect(await readJson("history/v1/alpha.json")).toMatchObject({
      changes: [
        { at: at(15), code: "fail", live: true },
        { at: at(25), code: "ok", live: false },
      ],
      days: [{ date: "2026-11-21", ok: 6, bad: 2, none: 280 }],
      outages: [{ start: at(15), end: at(25), seconds: 600, cause: "tcp-timeout" }],
    });
    const { incidents } = await readJson("api/v2/incidents.json");
    expect(incidents).toMatchObject([
      {
        status: "resolved",
        started_at: new Date(at(15) * 1_000).toISOString(),
        resolved_at: new Date(at(25) * 1_000).toISOString(),
      },
    ]);
    const { services } = await readJson("history/v1/index.json");
    expect(services).toMatchObject([
      { slug: "alpha", uptime: { "24h": 0.75 }, checks: { "24h": 8 } },
      { slug: "beta", uptime: { "24h": 1 } },
    ]);
    expect(await read("metrics")).toContain('status_snapshot_up{service="alpha"} 1\n');
  });
});
