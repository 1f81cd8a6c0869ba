import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, inject, test } from "vitest";
import { useCliFixture } from "../cli/cli-fixture.ts";
import {
  type Entry,
  expectBadgesAsListed,
  type MonitorHarness,
  openMonitorHarness,
} from "./monitor-harness.ts";
import { createRandom } from "./random.ts";
import { expectDone, publishedBy, startClock } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { openSlots } from "./slots.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const cliFixture = useCliFixture();
/** From ten hours ago, so that every slot of a test is over and within the current windows. */
const { at, numberOf } = openSlots(120);
const KILLS = 9;
/** As long as no kill has met the short time in which a journal is left. */
const MAX_KILLS = 27;
const RACES = 6;
/** Comparing the list with all badges takes a second. */
const LOOK_EVERY = 3;
/** Every second one is public: one of each habit, and a second turning one. More would only make runs longer. */
const KILLED_MONITORS = 10;
/** Public monitors at a time, so that one of each habit is left beside the one that is unpublished. */
const RACED_MONITORS = 6;

afterAll(() => s3.destroy());

/** How a target answers: always, never, or in every second slot. */
type Habit = "well" | "failing" | "turning";

const HABITS: readonly Habit[] = ["well", "turning", "failing", "turning", "well"];

const habitOf = (index: number): Habit => HABITS[index % HABITS.length] ?? "well";

const isWell = (habit: Habit, slot: number): boolean =>
  habit === "turning" ? slot % 2 === 0 : habit === "well";

/** The expected uptime of a monitor that was checked in these slots. */
function uptimeIn(habit: Habit, slots: readonly number[]) {
  return { decided: slots.length, healthy: slots.filter((slot) => isWell(habit, slot)).length };
}

/** Monitors `m0`, `m1` and so on, with all habits. */
async function openScene(count: number, isPublic: (index: number) => boolean) {
  const workspace = await cliFixture.workspace([{ slug: "alpha" }]);
  const harness = await openMonitorHarness(ceph, s3, workspace);
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const id = `m${index}`;
    return { id, url: `https://${workspace.host(id)}/`, public: isPublic(index) };
  });
  await harness.writeRegistry(entries);
  const answerAs = async (slot: number): Promise<void> => {
    for (const [index, { id }] of entries.entries()) {
      const status = isWell(habitOf(index), slot) ? 200 : 404;
      if (slot === 0 || habitOf(index) === "turning")
        await workspace.set(id, { kind: "page", status });
    }
  };
  return { harness, answerAs };
}

/** Only in the registry: its badges are published by the next run. */
async function makePublic(harness: MonitorHarness, id: string): Promise<void> {
  const entries = await harness.readRegistry();
  await harness.writeRegistry(
    entries.map((entry) => (entry.id === id ? { ...entry, public: true } : entry)),
  );
}

/** The slots that the state has counted; fails if one was counted twice. */
async function countedSlots(harness: MonitorHarness): Promise<readonly number[]> {
  const { clock } = await harness.clock();
  expect(clock.runs).toBe(clock.recentSlots.length);
  expect(new Set(clock.recentSlots).size).toBe(clock.runs);
  return clock.recentSlots.map(numberOf);
}

/** Expects that the list has the answers of each target in the counted slots, and that every badge shows the list's value. */
async function expectRight(
  harness: MonitorHarness,
  slots: readonly number[],
  place: string,
): Promise<void> {
  const rows = await harness.list();
  const uptimes = [...rows.values()].map(({ id, uptime }) => ({ place, id, ...uptime }));
  expect(uptimes).toEqual(
    uptimes.map(({ id }, index) => ({ place, id, ...uptimeIn(habitOf(index), slots) })),
  );
  await expectBadgesAsListed(harness, rows);
}

describe.concurrent("monitors in races", () => {
  test(`after each of at least ${KILLS} kills of a run, the next one repairs, and counts no check twice`, async () => {
    const seed = randomUUID();
    const random = createRandom(seed);
    const { harness, answerAs } = await openScene(KILLED_MONITORS, (index) => index % 2 === 0);
    const clock = startClock();
    await answerAs(0);
    expectDone(await harness.run(...at(0)));
    let slot = 0;
    const healed = [0];
    let [unsettled, finished] = [0, 0];
    let [runMs, publishMs] = [1_500, 500];
    for (let round = 1; round <= (unsettled > 0 ? KILLS : MAX_KILLS); round += 1) {
      slot += 1;
      await answerAs(slot);
      const victim = harness.start(...at(slot));
      // Half of the victims are killed while they write, which is the shorter part of a run.
      const isLate = round % 2 === 0;
      if (isLate) await isChecked(victim);
      await delay(random() * 1.1 * (isLate ? publishMs : runMs));
      victim.child.kill("SIGKILL");
      await victim.ended;
      const left = await harness.clock();
      const counted = left.clock.recentSlots.map(numberOf);
      if (left.isUnsettled) unsettled += 1;
      else if (counted.includes(slot)) finished += 1;
      // The next run is in the slot of the killed one, a second later, as from a second runner; or in the next slot.
      if (round % 3 !== 0) slot += 1;
      await answerAs(slot);
      const next = await harness.run(...at(slot, 1));
      expectDone(next);
      runMs = (runMs + next.durationMs) / 2;
      publishMs = (publishMs + Number(publishedBy(next)["durationMs"])) / 2;
      healed.push(slot);
      const slots = await countedSlots(harness);
      // The slots of the repairing runs, and those of killed runs that the state already had.
      expect(slots).toEqual(expect.arrayContaining([...healed, ...counted]));
      expect((await harness.clock()).isUnsettled).toBe(false);
      if (round % LOOK_EVERY === 0)
        await expectRight(harness, slots, `seed ${seed}, round ${round}`);
    }
    const slots = await countedSlots(harness);
    await expectRight(harness, slots, `seed ${seed}, after the last round`);
    console.log(
      `kills: ${healed.length - 1} rounds, seed ${seed}, ${slots.length} slots counted of ${slot + 1}, of the dead ${unsettled} left a journal and ${finished} were done, ${clock.seconds()}`,
    );
    expect(unsettled).toBeGreaterThan(0);
  });

  /** Waits until the checks have ended and publishing begins. */
  async function isChecked(running: ReturnType<MonitorHarness["start"]>): Promise<void> {
    const isOver = (): boolean => running.stderr().includes('"monitors-finished"');
    while (!isOver() && running.child.exitCode === null) await delay(5);
  }

  test(`two runs and an unpublish race ${RACES} times: only its objects are removed`, async () => {
    const seed = randomUUID();
    const random = createRandom(seed);
    const { harness, answerAs } = await openScene(
      RACES + RACED_MONITORS - 1,
      (index) => index < RACED_MONITORS,
    );
    const clock = startClock();
    await answerAs(0);
    expectDone(await harness.run(...at(0)));
    let early = 0;
    for (let round = 1; round <= RACES; round += 1) {
      if (round > 1) await makePublic(harness, `m${round + RACED_MONITORS - 2}`);
      const id = `m${round - 1}`;
      await answerAs(round);
      const runs = [harness.start(...at(round)), harness.start(...at(round, 1))];
      await delay(random() * 1_500);
      const edit = harness.startEdit("unpublish", id, ...at(round, 2));
      const edited = await edit.ended;
      expectDone(edited);
      expect(edited.stdout).toBe(
        `${id} is not public: its badges are gone. It is still checked.\n`,
      );
      if ((await harness.badges()).has(id)) early += 1;
      for (const { ended } of runs) expectDone(await ended);
      const place = `seed ${seed}, round ${round}`;
      const gone = Array.from({ length: round }, (_, index) => `m${index}`);
      const badges = await harness.badges();
      expect({ place, left: gone.filter((one) => badges.has(one)) }).toEqual({ place, left: [] });
      const slots = await countedSlots(harness);
      expect(slots).toEqual(Array.from({ length: round + 1 }, (_, index) => index));
      if (round % LOOK_EVERY === 0) await expectRight(harness, slots, place);
    }
    await expectRight(harness, await countedSlots(harness), `seed ${seed}, after the last round`);
    console.log(
      `races: ${RACES} rounds, seed ${seed}, badges seen after the command said they were gone ${early} times, ${clock.seconds()}`,
    );
  });
});
