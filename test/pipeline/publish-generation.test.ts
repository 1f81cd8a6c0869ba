import { expect, test } from "vitest";
import type { ServiceEvidence } from "../../src/model/service/evidence.ts";
import { toLateDocument } from "../../src/model/service/snapshot.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import {
  openPublishing as open,
  publishGeneration,
} from "../../src/pipeline/publish/publish-generation.ts";
import type { StateUpdate } from "../../src/pipeline/publish/publish-setup.ts";
import { detailsIn, NOW_MS, openSetup, post, reportOf } from "./publish-harness.ts";
import { catalogueOf } from "./empty-setup.ts";
import { freshStores } from "../publish/writers.ts";

/** The parts of a fold that matter here: its time, and the evidence of services. */
function runAt(atMs: number, slugs: readonly string[] = []): StateUpdate {
  const evidence: ServiceEvidence = { runAtMs: atMs, endpoints: [] };
  return (state) => ({
    state: {
      ...state,
      history: { ...state.history, updatedAtMs: atMs },
      evidence: new Map(slugs.map((slug) => [slug, evidence])),
    },
    nowMs: atMs,
    events: [],
  });
}

test("a publish as of a time before the last run does not bring back older counts", async () => {
  const stores = freshStores();
  const { setup } = openSetup(stores);
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  const laterMs = NOW_MS + 2 * HOUR_MS;
  await publishGeneration(open(setup), laterMs, runAt(laterMs), { reportsAtMs: laterMs });
  const gone = { alpha: { reportsHour: 0, reportsDay: 1 } };
  expect(await detailsIn(stores.publicStore)).toMatchObject(gone);
  await refresh(setup, NOW_MS);
  expect(await detailsIn(stores.publicStore)).toMatchObject(gone);
});

test("evidence is kept for services of the catalogue", async () => {
  const { setup } = openSetup(freshStores());
  const update = runAt(NOW_MS, ["alpha", "gone"]);
  const { state } = await publishGeneration(open(setup), NOW_MS, update, { reportsAtMs: NOW_MS });
  expect([...state.evidence.keys()]).toEqual(["alpha"]);
});

const refusalOf = (off: string) =>
  `StoreError: memory: the clock of this machine is ${off} that of the store. Set the clock (NTP): what is published carries its time, so nothing is.`;

test.each([
  [29_999, "published", []],
  [30_000, "published", [30_000]],
  [-30_000, "published", [-30_000]],
  [299_999, "published", [299_999]],
  [300_000, refusalOf("5 minutes ahead of"), []],
  [-300_000, refusalOf("5 minutes behind"), []],
])("with a clock that is %i ms ahead a generation ends: %s", async (aheadMs, outcome, told) => {
  const stores = freshStores();
  const stateStore = { ...stores.stateStore, clockAheadMs: () => aheadMs };
  const { setup, eventsNamed } = openSetup({ ...stores, stateStore });
  const deps = open(setup);
  const publish = () => publishGeneration(deps, NOW_MS, runAt(NOW_MS), { reportsAtMs: NOW_MS });
  const results = [await publish().catch(String), await publish().catch(String)];
  const ends = results.map((one) => (typeof one === "string" ? one : "published"));
  expect(ends).toEqual([outcome, outcome]);
  expect(eventsNamed("clock-off")).toEqual(told.map((ms) => ({ event: "clock-off", aheadMs: ms })));
});

test("a page is made only to be written, or compared after a doubt", async () => {
  const stores = freshStores();
  let made = 0;
  const publish = async (signature: string, nowMs: number): Promise<void> => {
    const page = toLateDocument("status/alpha", signature, () => {
      made += 1;
      return `made of ${signature}`;
    });
    const { setup } = openSetup(stores);
    const site = { ...setup.site, build: async () => [[page]] };
    await refresh({ ...setup, site }, nowMs);
  };
  const shown = async (): Promise<string> =>
    Buffer.from((await stores.publicStore.read("status/alpha"))?.body ?? []).toString();
  await publish("a", NOW_MS);
  expect([made, await shown()]).toEqual([1, "made of a"]);
  // The next audit, too, asks for its tag alone.
  for (const hours of [0.1, 2, 4]) await publish("a", NOW_MS + hours * HOUR_MS);
  expect(made).toBe(1);
  await publish("b", NOW_MS + 5 * HOUR_MS);
  expect([made, await shown()]).toEqual([2, "made of b"]);
  const object = { body: Buffer.from("x"), contentType: "text/html", cacheControl: "" };
  await stores.publicStore.write("status/alpha", object);
  await publish("b", NOW_MS + 7 * HOUR_MS);
  expect([made, await shown()]).toEqual([3, "made of b"]);
});

test("a generation tells what it withheld, and what it does not know", async () => {
  const stores = freshStores();
  const monitors = ["a", "b", "c", "d"].map((id) => {
    return { id, name: id, url: `https://${id}.example/`, isPublic: true };
  });
  const { setup, eventsNamed } = openSetup(stores);
  const checked = {
    atMs: NOW_MS,
    results: new Map(monitors.map(({ id }) => [id, { kind: "healthy" } as const])),
  };
  const known = async () => ({ monitors, rejectedIds: [], isComplete: true });
  const count: StateUpdate = (state) => ({ state, nowMs: NOW_MS, checked });
  const publish = (changes: Partial<typeof setup>, update: StateUpdate) =>
    publishGeneration(open({ ...setup, ...changes }), NOW_MS, update, { reportsAtMs: NOW_MS });
  await publish({ readRegistry: known }, count);
  expect(eventsNamed("monitors-already-counted")).toEqual([]);
  await publish({ readRegistry: known }, count);
  expect(eventsNamed("monitors-already-counted")).toHaveLength(1);
  expect(eventsNamed("monitors-withheld")).toEqual([]);
  const problem = "monitors.yaml: line 3 is no monitor";
  const lost = async () => ({ monitors: [], rejectedIds: [], isComplete: true, problem });
  await publish({ readRegistry: lost, maxRemovalShare: 0.2 }, (state) => ({
    state,
    nowMs: NOW_MS,
  }));
  expect(eventsNamed("monitors-withheld")).toEqual([{ event: "monitors-withheld", count: 4 }]);
  expect(eventsNamed("monitors-degraded")).toEqual([
    { event: "monitors-degraded", message: problem },
  ]);
  expect(eventsNamed("removals-withheld")).toEqual([]);
});

test("services that are missing at once are withheld and told", async () => {
  const stores = freshStores();
  const { setup, eventsNamed } = openSetup(stores);
  const slugs = ["a", "b", "c", "d", "e"];
  const maxRemovalShare = 0.2;
  await refresh(
    { ...setup, maxRemovalShare, readCatalogue: async () => catalogueOf(slugs) },
    NOW_MS,
  );
  const few = async () => catalogueOf(slugs.slice(0, 1));
  await refresh({ ...setup, maxRemovalShare, readCatalogue: few }, NOW_MS);
  expect(eventsNamed("removals-withheld")).toEqual([{ event: "removals-withheld", count: 4 }]);
});

test("a website without an address is told by each generation that writes it", async () => {
  const stores = freshStores();
  const { setup, eventsNamed } = openSetup(stores);
  const told = () => eventsNamed("site-without-address");
  await refresh({ ...setup, needsAddress: true }, NOW_MS);
  expect(told()).toEqual([{ event: "site-without-address", assumedUrl: null }]);
  await refresh(setup, NOW_MS);
  expect(told()).toHaveLength(1);
});

test("a publish counts its objects, its requests and its time", async () => {
  const stores = freshStores();
  const { setup, eventsNamed } = openSetup(stores);
  const times = [1_000.4, 4_000];
  const now = () => times[0] ?? 0;
  const site = { ...setup.site, build: async () => (times.shift(), []) };
  const { published, requests } = await refresh({ ...setup, now, site }, NOW_MS);
  const { written, unchanged, removed } = published;
  expect(requests.state.write).toBe(2);
  expect(requests.public.write).toBe(written);
  expect(eventsNamed("published")).toEqual([
    { event: "published", written, unchanged, removed, durationMs: 3_000, requests },
  ]);
});
