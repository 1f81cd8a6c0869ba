import { expect, test } from "vitest";
import type { ServiceEvidence } from "../../src/model/evidence.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import { refresh } from "../../src/refresh.ts";
import { openRelease as open, release, type Step } from "../../src/release.ts";
import { detailsIn, NOW_MS, openRelease, post, reportOf } from "./release-lab.ts";
import { freshStores } from "./writers.ts";

/** What a run folds, as far as it matters here: its time, and what it saw of services. */
function runAt(atMs: number, slugs: readonly string[] = []): Step {
  const seen: ServiceEvidence = { runAtMs: atMs, endpoints: [] };
  return (state) => ({
    state: {
      ...state,
      history: { ...state.history, updatedAtMs: atMs },
      evidence: new Map(slugs.map((slug) => [slug, seen])),
    },
    nowMs: atMs,
    events: [],
  });
}

test("a publish as of an older time than that of the last run does not bring back what was true then", async () => {
  const stores = freshStores();
  const { setup } = openRelease(stores);
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  const laterMs = NOW_MS + 2 * HOUR_MS;
  await release(open(setup), laterMs, runAt(laterMs), { reportsAtMs: laterMs });
  const gone = { alpha: { reportsHour: 0, reportsDay: 1 } };
  expect(await detailsIn(stores.publicStore)).toMatchObject(gone);
  await refresh(setup, NOW_MS);
  expect(await detailsIn(stores.publicStore)).toMatchObject(gone);
});

test("what was seen of services is kept while they are in the catalogue", async () => {
  const { setup } = openRelease(freshStores());
  const step = runAt(NOW_MS, ["alpha", "gone"]);
  const { state } = await release(open(setup), NOW_MS, step, { reportsAtMs: NOW_MS });
  expect([...state.evidence.keys()]).toEqual(["alpha"]);
});
