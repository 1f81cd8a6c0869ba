import fc from "fast-check";
import { expect, test } from "vitest";
import type { Report } from "../../src/model/service/reports.ts";
import { MINUTE_MS } from "../../src/model/time.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import { explainReports } from "../../src/reports/counting/explain-surge.ts";
import { loadState } from "../../src/state/state-file.ts";
import { atDepth, isFull } from "../depth.ts";
import { setupOver } from "./empty-setup.ts";
import { createFaultyStores, FAULTS, pauseIn } from "../publish/faulty-store.ts";
import { CATALOGUE, detailsIn, NOW_MS, post, SLUGS } from "./publish-harness.ts";
import { expectOnlyStoreErrors, freshStores } from "../publish/writers.ts";

/* The real inbox, counts and documents over failing stores, with known reports. */

/** Objects with the slugs of their reports; each report has a separate network. */
const posts = fc.array(fc.array(fc.constantFrom(...SLUGS), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 6,
});

test("every report is counted once and the inbox becomes empty, over failing stores", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      posts,
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      async (scheduler, objects, writers, faults) => {
        const below = freshStores();
        const { stores, settle } = createFaultyStores(below, scheduler, faults);
        const pause = pauseIn(scheduler);
        const expected: Record<string, number> = { alpha: 0, beta: 0 };
        const written = new Map<string, Uint8Array>();
        const posting = objects.map(async (slugs, index) => {
          const reports = slugs.map((slug, at): Report => {
            expected[slug] = (expected[slug] ?? 0) + 1;
            const network = `n${index}-${at}`;
            return { slug, atMs: NOW_MS - MINUTE_MS, network, block: network };
          });
          await scheduler.schedule(Promise.resolve(), `post ${index}`);
          const id = `${NOW_MS + index}-x`;
          written.set(id, await post(below.stateStore, id, reports));
        });
        const refreshing = Array.from({ length: writers }, async (_, writer) => {
          for (let times = 0; times < 2; times += 1) {
            const setup = setupOver(stores, CATALOGUE, pause);
            // The first writer wrote all objects itself; the others have to read them.
            await refresh(writer === 0 ? { ...setup, written } : setup, NOW_MS);
          }
        });
        const results = await scheduler.waitFor(Promise.allSettled([...refreshing, ...posting]));
        expectOnlyStoreErrors(results);
        await settle();
        await refresh(
          setupOver(below, CATALOGUE, async () => undefined),
          NOW_MS,
        );
        expect(await detailsIn(below.publicStore)).toMatchObject({
          alpha: { reportsHour: expected["alpha"], reportsDay: expected["alpha"] },
          beta: { reportsHour: expected["beta"], reportsDay: expected["beta"] },
        });
        // A report that was folded twice would count once, because of its network, but its raw count would be two.
        const { state } = await loadState(below.stateStore);
        for (const slug of SLUGS) {
          const { raw } = explainReports(state.reports.ledger, slug, NOW_MS).day;
          expect(raw, slug).toBe(expected[slug]);
        }
        expect(await below.stateStore.list("inbox")).toEqual([]);
      },
    ),
    { numRuns: atDepth(25, 300) },
  );
});

test.skipIf(isFull)(
  "an object that reappears under its id after it was counted is not counted again",
  async () => {
    const stores = freshStores();
    const setup = setupOver(stores, CATALOGUE, async () => undefined);
    const reports: readonly Report[] = [
      { slug: "alpha", atMs: NOW_MS, network: "a", block: "a" },
      { slug: "alpha", atMs: NOW_MS, network: "b", block: "b" },
    ];
    await post(stores.stateStore, "1-x", reports);
    await refresh(setup, NOW_MS);
    // Three hours later the networks could count again: only the id prevents it.
    await post(stores.stateStore, "1-x", reports);
    await refresh(setup, NOW_MS + 3 * 60 * MINUTE_MS);
    expect(await detailsIn(stores.publicStore)).toMatchObject({
      alpha: { reportsHour: 0, reportsDay: 2 },
    });
  },
);
