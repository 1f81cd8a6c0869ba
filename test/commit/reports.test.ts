import fc from "fast-check";
import { expect, test } from "vitest";
import { inboxKey } from "../../src/inbox.ts";
import type { Catalogue } from "../../src/model/catalogue.ts";
import type { Report } from "../../src/model/reports.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { MINUTE_MS } from "../../src/model/time.ts";
import { refresh } from "../../src/refresh.ts";
import type { ReleaseSetup } from "../../src/release.ts";
import { explainReports } from "../../src/reports/explain.ts";
import { encodeInbox } from "../../src/reports/inbox.ts";
import { loadState } from "../../src/state.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createFaultyStore, FAULTS, type Fault } from "./faulty-store.ts";

/* The real inbox, counts and documents over stores that fail, with reports that are known beforehand. */

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const SLUGS = ["alpha", "beta"] as const;

const CATALOGUE: Catalogue = {
  categories: [{ id: "all", name: "Все" }],
  anchors: [],
  services: SLUGS.map((slug) => ({
    slug,
    name: slug,
    category: "all",
    endpoints: [],
    annotations: [],
  })),
};

interface Stores {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
}

let marks = 0;

function setupOf(stores: Stores, pause: () => Promise<void>): ReleaseSetup {
  const look = { label: "", message: "", tone: "none" } as const;
  return {
    ...stores,
    catalogue: CATALOGUE,
    emit: () => undefined,
    now: () => 0,
    pause,
    random: () => ((marks * 7) % 10) / 10,
    newMark: () => `mark-${(marks += 1)}`,
    maxRemovalShare: 1,
    mustLook: false,
    readRegistry: async () => ({ monitors: [], rejectedIds: [], isComplete: false }),
    badges: {
      looksOf: () => ({ "24h": look, "7d": look, "30d": look, "90d": look }),
      signatureOf: () => "",
      keysOf: () => [],
      build: async () => [],
    },
  };
}

/** One object of the inbox, as the intake writes it. */
async function post(store: ObjectStore, id: string, reports: readonly Report[]): Promise<void> {
  const object = {
    body: encodeInbox(reports),
    contentType: "application/json",
    cacheControl: "no-store",
  };
  await store.write(inboxKey(id), object, { kind: "absent" });
}

async function countsOf(store: ObjectStore): Promise<Readonly<Record<string, unknown>>> {
  const entries = SLUGS.map(async (slug) => {
    const found = await store.read(`api/v1/status/${slug}`);
    const detail: unknown = JSON.parse(Buffer.from(found?.body ?? []).toString());
    return [slug, detail] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** So many objects, each with some reports of networks that are nobody else's. */
const posts = fc.array(fc.array(fc.constantFrom(...SLUGS), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 6,
});

test("whatever is lost, late, repeated or refused, every report is counted once and the inbox is empty in the end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      posts,
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      async (scheduler, objects, writers, faults) => {
        const below = { publicStore: createMemoryStore(), stateStore: createMemoryStore() };
        const queue = [...faults];
        const nextFault = (): Fault => queue.shift() ?? "none";
        const publicStore = createFaultyStore(below.publicStore, scheduler, nextFault);
        const stateStore = createFaultyStore(below.stateStore, scheduler, nextFault);
        const pause = async (): Promise<void> =>
          void (await scheduler.schedule(Promise.resolve(), "pause"));
        const expected: Record<string, number> = { alpha: 0, beta: 0 };
        const posting = objects.map(async (slugs, index) => {
          const reports = slugs.map((slug, at): Report => {
            expected[slug] = (expected[slug] ?? 0) + 1;
            const network = `n${index}-${at}`;
            return { slug, atMs: NOW_MS - MINUTE_MS, network, block: network };
          });
          await scheduler.schedule(Promise.resolve(), `post ${index}`);
          await post(below.stateStore, `${NOW_MS + index}-x`, reports);
        });
        const refreshing = Array.from({ length: writers }, async () => {
          for (let times = 0; times < 2; times += 1) {
            await refresh(setupOf({ publicStore, stateStore }, pause), NOW_MS);
          }
        });
        const results = await scheduler.waitFor(Promise.allSettled([...refreshing, ...posting]));
        for (const result of results) {
          if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
        }
        await scheduler.waitFor(
          Promise.allSettled([...publicStore.stragglers, ...stateStore.stragglers]),
        );
        await refresh(
          setupOf(below, async () => undefined),
          NOW_MS,
        );
        expect(await countsOf(below.publicStore)).toMatchObject({
          alpha: { reportsHour: expected["alpha"], reportsDay: expected["alpha"] },
          beta: { reportsHour: expected["beta"], reportsDay: expected["beta"] },
        });
        // A report that was taken in twice would be one of the same network, and not count: but it would have come twice.
        const { state } = await loadState(below.stateStore, () => undefined);
        for (const slug of SLUGS) {
          const { raw } = explainReports(state.reports.ledger, slug, NOW_MS).day;
          expect(raw, slug).toBe(expected[slug]);
        }
        expect(await below.stateStore.list("inbox")).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
}, 120_000);

test("an object that comes back under its id after it was counted counts nothing", async () => {
  const stores = { publicStore: createMemoryStore(), stateStore: createMemoryStore() };
  const setup = setupOf(stores, async () => undefined);
  const reports: readonly Report[] = [
    { slug: "alpha", atMs: NOW_MS, network: "a", block: "a" },
    { slug: "alpha", atMs: NOW_MS, network: "b", block: "b" },
  ];
  await post(stores.stateStore, "1-x", reports);
  await refresh(setup, NOW_MS);
  // A day later the networks could count again: only the id tells.
  await post(stores.stateStore, "1-x", reports);
  await refresh(setup, NOW_MS + 3 * 60 * MINUTE_MS);
  expect(await countsOf(stores.publicStore)).toMatchObject({
    alpha: { reportsHour: 0, reportsDay: 2 },
  });
});
