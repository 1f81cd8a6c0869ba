import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, inject, test } from "vitest";
import { useTheatre } from "../cli/theatre.ts";
import {
  type Entry,
  expectBadgesAsListed,
  type MonitorLab,
  openMonitorLab,
} from "./monitor-lab.ts";
import { createRandom } from "./random.ts";
import { expectDone, publishedBy, startClock } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { openSlots } from "./slots.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const theatre = useTheatre();
/** From ten hours ago, so that every slot of a test is over and the windows of now hold them all. */
const { at, numberOf } = openSlots(120);
const KILLS = 30;
const RACES = 20;
/** A look at the list and at all badges takes a second. */
const LOOK_EVERY = 5;
/** Every other one is public: one of each habit, and one more that turns. More would only make runs longer. */
const KILLED_MONITORS = 10;
/** Monitors that are public at a time, so that beside the one that is switched off there is one of each habit. */
const RACED_MONITORS = 6;

afterAll(() => s3.destroy());

/** How a target answers: always, never, or by turns with the slot. */
type Habit = "well" | "failing" | "turning";

const HABITS: readonly Habit[] = ["well", "turning", "failing", "turning", "well"];

const habitOf = (index: number): Habit => HABITS[index % HABITS.length] ?? "well";

const isWell = (habit: Habit, slot: number): boolean =>
  habit === "turning" ? slot % 2 === 0 : habit === "well";

/** What the list has to say of a monitor that was checked in these slots. */
function uptimeIn(habit: Habit, slots: readonly number[]) {
  return { decided: slots.length, healthy: slots.filter((slot) => isWell(habit, slot)).length };
}

/** Monitors named `m0` and so on, of all habits. */
async function openScene(count: number, isPublic: (index: number) => boolean) {
  const stage = await theatre.stage([{ slug: "alpha" }]);
  const lab = await openMonitorLab(ceph, s3, stage);
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const id = `m${index}`;
    return { id, url: `https://${stage.host(id)}/`, public: isPublic(index) };
  });
  await lab.writeRegistry(entries);
  const answerAs = async (slot: number): Promise<void> => {
    for (const [index, { id }] of entries.entries()) {
      const status = isWell(habitOf(index), slot) ? 200 : 404;
      if (slot === 0 || habitOf(index) === "turning") await stage.set(id, { kind: "page", status });
    }
  };
  return { lab, answerAs };
}

/** In the registry alone: its badges come with the next run. */
async function makePublic(lab: MonitorLab, id: string): Promise<void> {
  const entries = await lab.readRegistry();
  await lab.writeRegistry(
    entries.map((entry) => (entry.id === id ? { ...entry, public: true } : entry)),
  );
}

/** Slots that the state says were counted; fails when one was twice. */
async function countedSlots(lab: MonitorLab): Promise<readonly number[]> {
  const { clock } = await lab.clock();
  expect(clock.runs).toBe(clock.recentSlots.length);
  expect(new Set(clock.recentSlots).size).toBe(clock.runs);
  return clock.recentSlots.map(numberOf);
}

/** The list says of every monitor what its target answered in the counted slots, and every badge says what the list does. */
async function expectRight(
  lab: MonitorLab,
  slots: readonly number[],
  place: string,
): Promise<void> {
  const rows = await lab.list();
  const uptimes = [...rows.values()].map(({ id, uptime }) => ({ place, id, ...uptime }));
  expect(uptimes).toEqual(
    uptimes.map(({ id }, index) => ({ place, id, ...uptimeIn(habitOf(index), slots) })),
  );
  await expectBadgesAsListed(lab, rows);
}

describe.concurrent("monitors, with both tests at once to save time", () => {
  test(`a run over ${KILLED_MONITORS} monitors is killed ${KILLS} times, at any point: the next one heals, and no check is lost or counted twice`, async () => {
    const seed = randomUUID();
    const random = createRandom(seed);
    const { lab, answerAs } = await openScene(KILLED_MONITORS, (index) => index % 2 === 0);
    const clock = startClock();
    await answerAs(0);
    expectDone(await lab.run(...at(0)));
    let slot = 0;
    const healed = [0];
    let [unsettled, finished] = [0, 0];
    let [runMs, publishMs] = [1_500, 500];
    for (let round = 1; round <= KILLS; round += 1) {
      slot += 1;
      await answerAs(slot);
      const victim = lab.start(...at(slot));
      // Half of the victims die while they write, which is the shorter part of a run.
      const isLate = round % 2 === 0;
      if (isLate) await isChecked(victim);
      await delay(random() * 1.1 * (isLate ? publishMs : runMs));
      victim.child.kill("SIGKILL");
      await victim.ended;
      const left = await lab.clock();
      const counted = left.clock.recentSlots.map(numberOf);
      if (left.isUnsettled) unsettled += 1;
      else if (counted.includes(slot)) finished += 1;
      // The next run comes in the slot of the dead one, a second later, as from a second runner; or in the one after it.
      if (round % 3 !== 0) slot += 1;
      await answerAs(slot);
      const next = await lab.run(...at(slot, 1));
      expectDone(next);
      runMs = (runMs + next.durationMs) / 2;
      publishMs = (publishMs + Number(publishedBy(next)["durationMs"])) / 2;
      healed.push(slot);
      const slots = await countedSlots(lab);
      // The healing runs' own, and whatever of the dead ones the state held before.
      expect(slots).toEqual(expect.arrayContaining([...healed, ...counted]));
      expect((await lab.clock()).isUnsettled).toBe(false);
      if (round % LOOK_EVERY === 0) await expectRight(lab, slots, `seed ${seed}, round ${round}`);
    }
    const slots = await countedSlots(lab);
    await expectRight(lab, slots, `seed ${seed}, after the last round`);
    console.log(
      `kills: ${KILLS} rounds, seed ${seed}, ${slots.length} slots counted of ${slot + 1}, of the dead ${unsettled} left a journal and ${finished} were done, ${clock.seconds()}`,
    );
    expect(unsettled).toBeGreaterThan(0);
  });

  /** Waits until the checks are over and publishing begins. */
  async function isChecked(running: ReturnType<MonitorLab["start"]>): Promise<void> {
    const isOver = (): boolean => running.stderr().includes('"monitors-finished"');
    while (!isOver() && running.child.exitCode === null) await delay(5);
  }

  test(`two runs and one who switches a page off, at once, ${RACES} times: its objects are gone, all others are right`, async () => {
    const seed = randomUUID();
    const random = createRandom(seed);
    const { lab, answerAs } = await openScene(
      RACES + RACED_MONITORS - 1,
      (index) => index < RACED_MONITORS,
    );
    const clock = startClock();
    await answerAs(0);
    expectDone(await lab.run(...at(0)));
    let early = 0;
    for (let round = 1; round <= RACES; round += 1) {
      if (round > 1) await makePublic(lab, `m${round + RACED_MONITORS - 2}`);
      const id = `m${round - 1}`;
      await answerAs(round);
      const runs = [lab.start(...at(round)), lab.start(...at(round, 1))];
      await delay(random() * 1_500);
      const edit = lab.startEdit("unpublish", id, ...at(round, 2));
      const edited = await edit.ended;
      expectDone(edited);
      expect(edited.stdout).toBe(
        `${id} is not public: its badges are gone. It is still checked.\n`,
      );
      if ((await lab.badges()).has(id)) early += 1;
      for (const { ended } of runs) expectDone(await ended);
      const place = `seed ${seed}, round ${round}`;
      const gone = Array.from({ length: round }, (_, index) => `m${index}`);
      const badges = await lab.badges();
      expect({ place, left: gone.filter((one) => badges.has(one)) }).toEqual({ place, left: [] });
      const slots = await countedSlots(lab);
      expect(slots).toEqual(Array.from({ length: round + 1 }, (_, index) => index));
      if (round % LOOK_EVERY === 0) await expectRight(lab, slots, place);
    }
    await expectRight(lab, await countedSlots(lab), `seed ${seed}, after the last round`);
    console.log(
      `races: ${RACES} rounds, seed ${seed}, badges seen after the command said they were gone ${early} times, ${clock.seconds()}`,
    );
  });
});
