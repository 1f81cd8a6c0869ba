import { expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../../src/model/store.ts";
import { MINUTE_MS } from "../../../src/model/time.ts";
import { freshStores } from "../../publish/writers.ts";
import { listIn, NOON_MS, startRun, stateIn } from "../run-harness.ts";

const [NEXT_DAY_MS, LATER_MS] = [740, 745].map((minutes) => NOON_MS + minutes * MINUTE_MS);

test("a run whose archive cannot be read publishes, and leaves the day to the next", async () => {
  const stores = freshStores();
  await startRun(stores).result;
  const list: ObjectStore["list"] = async (folder) => {
    if (folder.startsWith("archive")) throw new StoreError("list", folder, "access denied");
    return stores.stateStore.list(folder);
  };
  const hindered = { ...stores, stateStore: { ...stores.stateStore, list } };
  const { result, eventsNamed } = startRun(hindered, { startMs: NEXT_DAY_MS ?? 0 });
  expect(await result).toMatchObject({ kind: "valid" });
  expect((await listIn(stores)).updated).toBe(NEXT_DAY_MS);
  expect(eventsNamed("archive-deferred")).toEqual([
    { event: "archive-deferred", message: "access denied" },
  ]);
  expect((await stateIn(stores)).archive.days).toEqual([]);
  await startRun(stores, { startMs: LATER_MS ?? 0 }).result;
  expect((await stateIn(stores)).archive.days.map(({ date }) => date)).toEqual(["2026-11-21"]);
});
