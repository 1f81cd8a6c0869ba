import { expect, test } from "vitest";
import type { Registry } from "../../src/departures.ts";
import type { CheckVerdict } from "../../src/model/monitor.ts";
import { type RequestCounts, StoreError } from "../../src/model/store.ts";
import { SLOT_MS } from "../../src/model/uptime.ts";
import { createMonitoring } from "../../src/monitoring.ts";
import type { MonitoringMemory } from "../../src/monitoring-memory.ts";
import { refresh } from "../../src/refresh.ts";
import { openRelease as open, release, type ReleaseSetup } from "../../src/release.ts";
import { loadState } from "../../src/state.ts";
import { NOW_MS, openRelease, post, reportOf } from "./release-lab.ts";
import { freshStores, type Stores } from "./writers.ts";

const SHARDS = 64;

/** So many monitors, all public. */
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

/** A publisher of a registry, and how many looks it has computed. */
function openPublisher(stores: Stores, memory?: MonitoringMemory, registry = REGISTRY) {
  const { setup } = openRelease(stores);
  const seen = { looks: 0 };
  const withMonitors: ReleaseSetup = {
    ...setup,
    readRegistry: async () => registry,
    badges: {
      looksOf: (counts, { label = "" }) => {
        seen.looks += 1;
        const look = { label, tone: "none" } as const;
        const message = `${label}${counts["24h"].healthy}/${counts["24h"].decided}`;
        const day = { ...look, message };
        return { "24h": day, "7d": day, "30d": day, "90d": day };
      },
      signatureOf: (looks) => looks["24h"].message,
      keysOf: (id) => [`m/${id}`],
      build: async (id, looks) => [
        {
          key: `m/${id}`,
          body: Buffer.from(looks["24h"].message),
          contentType: "text/plain",
          cacheControl: "max-age=60",
        },
      ],
    },
    ...(memory === undefined ? {} : { memory }),
  };
  return { setup: withMonitors, seen };
}

/** A run of checks, all of one kind. */
async function check(setup: ReleaseSetup, nowMs: number, verdict: CheckVerdict): Promise<void> {
  const { monitors } = await setup.readRegistry();
  const verdicts = new Map(monitors.map(({ id }) => [id, verdict]));
  const checked = { atMs: nowMs, verdicts };
  await release(open(setup), nowMs, (state) => ({ state, nowMs, events: [], checked }), {
    reportsAtMs: nowMs,
  });
}

async function badgeIn({ publicStore }: Stores, id = "m7"): Promise<string> {
  return Buffer.from((await publicStore.read(`m/${id}`))?.body ?? []).toString();
}

const FAILING: CheckVerdict = { kind: "failing", code: "tcp-timeout" };

/** One report after another, each published as an intake does; what each publish asked of the state store. */
async function publishReports(
  { setup }: Pick<ReturnType<typeof openPublisher>, "setup">,
  { stateStore }: Stores,
  count: number,
): Promise<readonly RequestCounts[]> {
  const requests: RequestCounts[] = [];
  for (let number = 0; number < count; number += 1) {
    await post(stateStore, `${NOW_MS + number}-x`, [reportOf("alpha", `n${number}`)]);
    const released = await refresh(setup, NOW_MS);
    requests.push(released.requests.state);
  }
  return requests;
}

test("a report among 2,000 monitors costs an intake a read of the state and of the report, and no look at the monitors", async () => {
  const stores = freshStores();
  const registry = registryOf(2_000);
  await check(openPublisher(stores, undefined, registry).setup, NOW_MS, FAILING);
  const intake = openPublisher(stores, {}, registry);
  const [first, ...others] = await publishReports(intake, stores, 4);
  expect(first).toEqual({ read: SHARDS + 2, find: 0, write: 2, remove: 1, list: 1 });
  const cheap = { read: 2, find: 0, write: 2, remove: 1, list: 1 };
  expect(others).toEqual([cheap, cheap, cheap]);
  expect(intake.seen.looks).toBe(2_000);
  // Without a memory each publish pays: so the test can tell.
  const [forgetful] = await publishReports(openPublisher(stores, undefined, registry), stores, 1);
  expect(forgetful?.read).toBe(SHARDS + 1);
});

test("what another process found out about monitors since is published by the next report", async () => {
  const stores = freshStores();
  await check(openPublisher(stores).setup, NOW_MS, { kind: "healthy" });
  const intake = openPublisher(stores, {});
  await publishReports(intake, stores, 2);
  expect(await badgeIn(stores)).toBe("1/1");
  // Taken away, so that the intake has to draw it from what it knows.
  const draw = async (nowMs: number): Promise<string> => {
    await stores.publicStore.remove("m/m7");
    await refresh({ ...intake.setup, mustLook: true, auditsAll: true }, nowMs);
    return badgeIn(stores);
  };
  const laterMs = NOW_MS + SLOT_MS;
  await check(openPublisher(stores).setup, laterMs, FAILING);
  expect(await draw(laterMs)).toBe("1/2");
  // Back to healthy, which changes every record; then a run that changes none.
  await check(openPublisher(stores).setup, laterMs + SLOT_MS, { kind: "healthy" });
  const lastMs = laterMs + 2 * SLOT_MS;
  expect(await draw(lastMs)).toBe("2/3");
  await check(openPublisher(stores).setup, lastMs, { kind: "healthy" });
  expect(await draw(lastMs)).toBe("3/4");
  const { state } = await loadState(stores.stateStore, () => undefined);
  expect(state.publication.groups.get("m7")).toMatchObject({ digest: "3/4", isPublished: true });
});

test("time alone makes the looks anew, and an edited registry does", async () => {
  const stores = freshStores();
  await check(openPublisher(stores).setup, NOW_MS, FAILING);
  const intake = openPublisher(stores, {});
  const publish = (nowMs: number, registry: Registry) =>
    refresh({ ...intake.setup, readRegistry: async () => registry }, nowMs);
  await publish(NOW_MS, REGISTRY);
  await publish(NOW_MS + SLOT_MS - 1, REGISTRY);
  expect(intake.seen.looks).toBe(MONITORS);
  await publish(NOW_MS + SLOT_MS, REGISTRY);
  expect(intake.seen.looks).toBe(2 * MONITORS);
  const [first, ...others] = REGISTRY.monitors;
  if (first === undefined) throw new Error("a registry of nobody");
  const edited = [{ ...first, label: "shop " }, ...others];
  await publish(NOW_MS + SLOT_MS, { ...REGISTRY, monitors: edited });
  expect(await badgeIn(stores, "m0")).toBe("shop 0/1");
  await publish(NOW_MS + SLOT_MS, { ...REGISTRY, monitors: edited.slice(0, -1) });
  expect(await stores.publicStore.find(`m/m${MONITORS - 1}`)).toBeUndefined();
});

test("another address of the website makes the looks anew: pages name it", async () => {
  const stores = freshStores();
  const intake = openPublisher(stores, {});
  const looksAt = async (host: string): Promise<number> => {
    const before = intake.seen.looks;
    await refresh({ ...intake.setup, baseUrl: `https://${host}.example` }, NOW_MS);
    return intake.seen.looks - before;
  };
  expect(await looksAt("one")).toBeGreaterThan(0);
  expect(await looksAt("one")).toBe(0);
  expect(await looksAt("other")).toBe(MONITORS);
});

test("a journal that was seen before its writer died is in the shards once somebody has settled it", async () => {
  const stores = freshStores();
  const publicStore = {
    ...stores.publicStore,
    write: () => Promise.reject(new StoreError("write", "", "refused")),
  };
  await check(openPublisher(stores).setup, NOW_MS, { kind: "healthy" });
  const dying = openPublisher({ ...stores, publicStore }).setup;
  await expect(check(dying, NOW_MS + SLOT_MS, FAILING)).rejects.toThrow("refused");
  const monitoring = createMonitoring(openPublisher(stores, {}).setup);
  const seen = async () => {
    const { state } = await loadState(stores.stateStore, () => undefined);
    const { recordOf } = await monitoring.historyOf(state);
    return { isPending: state.monitors.pending !== null, state: recordOf("m7")?.state };
  };
  expect(await seen()).toEqual({ isPending: true, state: "failing" });
  await refresh(openPublisher(stores).setup, NOW_MS + SLOT_MS);
  expect(await seen()).toEqual({ isPending: false, state: "failing" });
});

test("a memory of one place says nothing of another", async () => {
  const [one, other] = [freshStores(), freshStores()];
  await check(openPublisher(one).setup, NOW_MS, FAILING);
  await check(openPublisher(other).setup, NOW_MS, { kind: "healthy" });
  const memory: MonitoringMemory = {};
  const seenOf = async ({ stateStore }: Stores, identity: string) => {
    const { state } = await loadState(stateStore, () => undefined);
    const { setup } = openPublisher(one, memory);
    const monitoring = createMonitoring({ ...setup, stateStore: { ...stateStore, identity } });
    const { recordOf } = await monitoring.historyOf(state);
    const { families } = await monitoring.advance(state, NOW_MS);
    return [recordOf("m7")?.state, families.get("")?.signatures.get("m7")];
  };
  expect(await seenOf(one, "one")).toEqual(["failing", "0/1"]);
  expect(await seenOf(other, "other")).toEqual(["healthy", "1/1"]);
});
