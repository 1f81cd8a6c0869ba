import { expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { refresh, refreshInTurn } from "../../src/pipeline/publish/refresh.ts";
import type { PublishSetup } from "../../src/pipeline/publish/publish-setup.ts";
import { loadState, STATE_KEY } from "../../src/state/state-file.ts";
import { catalogueOf, setupOver } from "./empty-setup.ts";
import { freshStores } from "../publish/writers.ts";

/* Two real writers: the rival advances the state each time the writer has won a generation. */

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const CATALOGUE = catalogueOf(["alpha"]);

/** A writer that is overtaken so many times. Its clock moves only during its pauses. */
function openRace(times: number) {
  const below = freshStores();
  const rival = setupOver(below, CATALOGUE, async () => undefined);
  let left = times;
  const stateStore: ObjectStore = {
    ...below.stateStore,
    async write(key, object, precondition) {
      const result = await below.stateStore.write(key, object, precondition);
      if (key !== STATE_KEY || left === 0) return result;
      left -= 1;
      await refresh(rival, NOW_MS);
      throw new StoreError("write", key, "the answer was lost", { isUnknown: true });
    },
  };
  const pauses: number[] = [];
  let clockMs = 0;
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
    clockMs += ms;
  };
  const setup: PublishSetup = {
    ...setupOver({ ...below, stateStore }, CATALOGUE, pause),
    now: () => clockMs,
    random: () => 0.5,
  };
  const marksKept = async (): Promise<readonly string[]> =>
    (await loadState(below.stateStore)).state.publication.marks;
  return { setup, pauses, marksKept, clockMs: () => clockMs, tries: () => times - left };
}

/** Pause of an attempt after a lost response: see `backOff`. */
const LOST_RESPONSE_PAUSE_MS = 10;

test("a refresh that leaves the website builds none of it", async () => {
  const setup = setupOver(freshStores(), CATALOGUE, async () => undefined);
  let built = 0;
  const site = { ...setup.site, build: async () => ((built += 1), []) };
  await refresh({ ...setup, site }, NOW_MS);
  expect(built).toBe(1);
  await refresh({ ...setup, site }, NOW_MS, { isSiteLater: true });
  expect(built).toBe(1);
});

test("a writer overtaken seven times waits longer each time, then publishes", async () => {
  const race = openRace(7);
  const { published } = await refreshInTurn(race.setup, NOW_MS, new AbortController().signal);
  expect(published.isOvertaken).toBe(false);
  expect(race.pauses).toEqual(
    [100, 200, 400, 800, 1_600, 2_000, 2_000].flatMap((ms) => [LOST_RESPONSE_PAUSE_MS, ms]),
  );
  // Each attempt of both writers has its own mark; the last one is that of the confirmed generation.
  expect(new Set(await race.marksKept()).size).toBe(15);
});

test("a writer that is overtaken for half a minute gives up with isOvertaken", async () => {
  const race = openRace(Infinity);
  const { published } = await refreshInTurn(race.setup, NOW_MS, new AbortController().signal);
  expect(published.isOvertaken).toBe(true);
  expect(race.clockMs()).toBeGreaterThan(30_000);
  expect(race.clockMs()).toBeLessThan(33_000);
});

test("a writer that has to stop does not wait", async () => {
  const race = openRace(Infinity);
  const { published } = await refreshInTurn(race.setup, NOW_MS, AbortSignal.abort());
  expect(published.isOvertaken).toBe(true);
  expect(race.pauses).toEqual([LOST_RESPONSE_PAUSE_MS]);
});
