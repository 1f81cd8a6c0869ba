import { expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { refresh, refreshInTurn } from "../../src/refresh.ts";
import type { ReleaseSetup } from "../../src/release.ts";
import { loadState, STATE_KEY } from "../../src/state.ts";
import { catalogueOf, releaseOver } from "./empty-release.ts";
import { freshStores } from "./writers.ts";

/* A real writer whose real rival is faster: it advances the state in the moment in which the writer has won it. */

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const CATALOGUE = catalogueOf(["alpha"]);

/** A writer that is overtaken so many times, and what it does meanwhile: its clock moves only while it pauses. */
function openRace(times: number) {
  const below = freshStores();
  const rival = releaseOver(below, CATALOGUE, async () => undefined);
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
  const setup: ReleaseSetup = {
    ...releaseOver({ ...below, stateStore }, CATALOGUE, pause),
    now: () => clockMs,
    random: () => 0.5,
  };
  const marksKept = async (): Promise<readonly string[]> =>
    (await loadState(below.stateStore, () => undefined)).state.publication.marks;
  return { setup, pauses, marksKept, clockMs: () => clockMs, tries: () => times - left };
}

/** Before it finds that it lost, a try waits for half of this: see `backOff`. */
const AFTER_A_LOST_ANSWER_MS = 10;

test("who is overtaken seven times in a row waits longer each time, and publishes a generation of its own in the end", async () => {
  const race = openRace(7);
  const { published } = await refreshInTurn(race.setup, NOW_MS, new AbortController().signal);
  expect(published.isOvertaken).toBe(false);
  expect(race.pauses).toEqual(
    [100, 200, 400, 800, 1_600, 2_000, 2_000].flatMap((ms) => [AFTER_A_LOST_ANSWER_MS, ms]),
  );
  // Each try and each rival has a mark of its own; the last one is that of the generation that was confirmed.
  expect(new Set(await race.marksKept()).size).toBe(15);
});

test("who is overtaken for half a minute on end gives up, and says so", async () => {
  const race = openRace(Infinity);
  const { published } = await refreshInTurn(race.setup, NOW_MS, new AbortController().signal);
  expect(published.isOvertaken).toBe(true);
  expect(race.clockMs()).toBeGreaterThan(30_000);
  expect(race.clockMs()).toBeLessThan(33_000);
});

test("who is to stop waits for nobody", async () => {
  const race = openRace(Infinity);
  const { published } = await refreshInTurn(race.setup, NOW_MS, AbortSignal.abort());
  expect(published.isOvertaken).toBe(true);
  expect(race.pauses).toEqual([AFTER_A_LOST_ANSWER_MS]);
});
