import { expect, test } from "vitest";
import type { PublishMemory, Registry } from "../../src/pipeline/publish/monitor-removals.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import { type RequestCounts, StoreError } from "../../src/model/store.ts";
import { SLOT_MS } from "../../src/model/monitor/uptime.ts";
import {
  advanceMonitors,
  loadMonitorHistory,
} from "../../src/pipeline/publish/monitor-generation.ts";
import type { MonitorSubject } from "../../src/pipeline/pages/monitor-outputs.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import {
  openPublishing as open,
  publishGeneration,
} from "../../src/pipeline/publish/publish-generation.ts";
import type { PublishSetup } from "../../src/pipeline/publish/publish-setup.ts";
import { loadState } from "../../src/state/state-file.ts";
import { NOW_MS, openSetup, post, reportOf } from "./publish-harness.ts";
import { freshStores, type Stores } from "../publish/writers.ts";

const SHARDS = 64;

/** So many public monitors. */
function registryOf(count: number): Registry {
  const monitors = Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    name: `m${index}`,
    url: `https://m${index}.example/`,
    isPublic: true,
  }));
  return { monitors, rejectedIds: [], isComplete: true };
}

const MONITORS = 200;
const REGISTRY = registryOf(MONITORS);

/** A publisher with a registry, and the number of badges that it has computed. */
function openPublisher(stores: Stores, memory?: PublishMemory, registry = REGISTRY) {
  const { setup } = openSetup(stores);
  const computed = { badges: 0 };
  const textOf = ({ counts, monitor: { label = "" } }: MonitorSubject): string => {
    computed.badges += 1;
    return `${label}${counts["24h"].healthy}/${counts["24h"].decided}`;
  };
  const withMonitors: PublishSetup = {
    ...setup,
    readRegistry: async () => registry,
    badges: {
      signatureOf: textOf,
      keysOf: (id) => [`m/${id}`],
      build: async (subject) => [
        {
          key: `m/${subject.monitor.id}`,
          body: Buffer.from(textOf(subject)),
          contentType: "text/plain",
          cacheControl: "max-age=60",
        },
      ],
    },
    ...(memory === undefined ? {} : { memory }),
  };
  return { setup: withMonitors, computed };
}

/** A run whose checks all have this result. */
async function check(setup: PublishSetup, nowMs: number, result: CheckResult): Promise<void> {
  const { monitors } = await setup.readRegistry();
  const results = new Map(monitors.map(({ id }) => [id, result]));
  const checked = { atMs: nowMs, results };
  await publishGeneration(open(setup), nowMs, (state) => ({ state, nowMs, events: [], checked }), {
    reportsAtMs: nowMs,
  });
}

async function badgeIn({ publicStore }: Stores, id = "m7"): Promise<string> {
  return Buffer.from((await publicStore.read(`m/${id}`))?.body ?? []).toString();
}

const FAILING: CheckResult = { kind: "failing", code: "tcp-timeout" };

/** Publishes reports one by one, as an intake does. Returns the requests of each publish to the state store. */
async function publishReports(
  { setup }: Pick<ReturnType<typeof openPublisher>, "setup">,
  { stateStore }: Stores,
  count: number,
): Promise<readonly RequestCounts[]> {
  const requests: RequestCounts[] = [];
  for (let number = 0; number < count; number += 1) {
    await post(stateStore, `${NOW_MS + number}-x`, [reportOf("alpha", `n${number}`)]);
    const generation = await refresh(setup, NOW_MS);
    requests.push(generation.requests.state);
  }
  return requests;
}

test("a report costs an intake two reads, also with 2,000 monitors", async () => {
  const stores = freshStores();
  const registry = registryOf(2_000);
  await check(openPublisher(stores, undefined, registry).setup, NOW_MS, FAILING);
  const intake = openPublisher(stores, {}, registry);
  const [first, ...others] = await publishReports(intake, stores, 4);
  expect(first).toEqual({ read: SHARDS + 2, find: 0, write: 2, remove: 1, list: 1 });
  const cheap = { read: 2, find: 0, write: 2, remove: 1, list: 1 };
  expect(others).toEqual([cheap, cheap, cheap]);
  expect(intake.computed.badges).toBe(2_000);
  // Without a cache each publish reads the shards, which proves the test.
  const [uncached] = await publishReports(openPublisher(stores, undefined, registry), stores, 1);
  expect(uncached?.read).toBe(SHARDS + 1);
});

test("check results of another process are published with the next report", async () => {
  const stores = freshStores();
  await check(openPublisher(stores).setup, NOW_MS, { kind: "healthy" });
  const intake = openPublisher(stores, {});
  await publishReports(intake, stores, 2);
  expect(await badgeIn(stores)).toBe("1/1");
  // Removed, so that the intake has to draw it from its cache.
  const draw = async (nowMs: number): Promise<string> => {
    await stores.publicStore.remove("m/m7");
    await refresh({ ...intake.setup, mustVerify: true, auditsAll: true }, nowMs);
    return badgeIn(stores);
  };
  const laterMs = NOW_MS + SLOT_MS;
  await check(openPublisher(stores).setup, laterMs, FAILING);
  expect(await draw(laterMs)).toBe("1/2");
  // A healthy run, which changes every record, and then one that changes none.
  await check(openPublisher(stores).setup, laterMs + SLOT_MS, { kind: "healthy" });
  const lastMs = laterMs + 2 * SLOT_MS;
  expect(await draw(lastMs)).toBe("2/3");
  await check(openPublisher(stores).setup, lastMs, { kind: "healthy" });
  expect(await draw(lastMs)).toBe("3/4");
  const { state } = await loadState(stores.stateStore);
  expect(state.publication.groups.get("m7")).toMatchObject({ digest: "3/4", isPublished: true });
});

test("badges are computed again in the next slot and after an edit of the registry", async () => {
  const stores = freshStores();
  await check(openPublisher(stores).setup, NOW_MS, FAILING);
  const intake = openPublisher(stores, {});
  const publish = (nowMs: number, registry: Registry) =>
    refresh({ ...intake.setup, readRegistry: async () => registry }, nowMs);
  await publish(NOW_MS, REGISTRY);
  await publish(NOW_MS + SLOT_MS - 1, REGISTRY);
  expect(intake.computed.badges).toBe(MONITORS);
  await publish(NOW_MS + SLOT_MS, REGISTRY);
  expect(intake.computed.badges).toBe(2 * MONITORS);
  const [first, ...others] = REGISTRY.monitors;
  if (first === undefined) throw new Error("an empty registry");
  const edited = [{ ...first, label: "shop " }, ...others];
  await publish(NOW_MS + SLOT_MS, { ...REGISTRY, monitors: edited });
  expect(await badgeIn(stores, "m0")).toBe("shop 0/1");
  await publish(NOW_MS + SLOT_MS, { ...REGISTRY, monitors: edited.slice(0, -1) });
  expect(await stores.publicStore.find(`m/m${MONITORS - 1}`)).toBeUndefined();
});

test("a new address of the website computes all badges again, because pages contain it", async () => {
  const stores = freshStores();
  const intake = openPublisher(stores, {});
  const badgesAt = async (host: string): Promise<number> => {
    const before = intake.computed.badges;
    await refresh({ ...intake.setup, baseUrl: `https://${host}.example` }, NOW_MS);
    return intake.computed.badges - before;
  };
  expect(await badgesAt("one")).toBeGreaterThan(0);
  expect(await badgesAt("one")).toBe(0);
  expect(await badgesAt("other")).toBe(MONITORS);
});

test("a cached journal of a dead writer stays applied after another writer applied it", async () => {
  const stores = freshStores();
  const publicStore = {
    ...stores.publicStore,
    write: () => Promise.reject(new StoreError("write", "", "refused")),
  };
  await check(openPublisher(stores).setup, NOW_MS, { kind: "healthy" });
  const dying = openPublisher({ ...stores, publicStore }).setup;
  await expect(check(dying, NOW_MS + SLOT_MS, FAILING)).rejects.toThrow("refused");
  const memory: PublishMemory = {};
  const cached = async () => {
    const { state } = await loadState(stores.stateStore);
    const { recordOf } = await loadMonitorHistory(stores.stateStore, state, memory);
    return { isPending: state.monitors.pending !== null, state: recordOf("m7")?.state };
  };
  expect(await cached()).toEqual({ isPending: true, state: "failing" });
  await refresh(openPublisher(stores).setup, NOW_MS + SLOT_MS);
  expect(await cached()).toEqual({ isPending: false, state: "failing" });
});

test("a cache of one store is not used for another", async () => {
  const [one, other] = [freshStores(), freshStores()];
  await check(openPublisher(one).setup, NOW_MS, FAILING);
  await check(openPublisher(other).setup, NOW_MS, { kind: "healthy" });
  const memory: PublishMemory = {};
  const cachedOf = async ({ stateStore }: Stores, identity: string) => {
    const { state } = await loadState(stateStore);
    const { setup } = openPublisher(one, memory);
    const deps = { ...setup, stateStore: { ...stateStore, identity } };
    const { recordOf } = await loadMonitorHistory(deps.stateStore, state, memory);
    const { families } = await advanceMonitors(deps, state, NOW_MS, {});
    return [recordOf("m7")?.state, families.get("")?.signatures.get("m7")];
  };
  expect(await cachedOf(one, "one")).toEqual(["failing", "0/1"]);
  expect(await cachedOf(other, "other")).toEqual(["healthy", "1/1"]);
});
