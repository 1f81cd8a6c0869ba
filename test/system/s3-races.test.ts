import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ageLock } from "../store/age-lock.ts";
import { connectS3 } from "./s3-client.ts";
import { createBucket, environmentOf, urlOf } from "./s3-harness.ts";
import { createRandom } from "./random.ts";
import { startClock } from "./results.ts";
import {
  commitOnce,
  expectedDocuments,
  observe,
  openCounterProgram,
  type Tally,
  type CounterProgram,
} from "./counter-program.ts";
import { buildWriter, startWriter, type Writer } from "./writers.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const env = environmentOf(ceph);
Object.assign(process.env, env);
const WRITERS = 4;
/** Maximum time until a writer is killed: of the first one, and the factor for the next one if it did not finish a commit. */
const FIRST_LIFE_MS = 120;
const LIFE_STEP = 1.1;
const STARTED_AHEAD = 3;
const folders: string[] = [];
let script: string;

beforeAll(async () => {
  script = await buildWriter(await openFolder());
});

afterAll(async () => {
  s3.destroy();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

interface Places {
  readonly publicUrl: string;
  readonly stateUrl: string;
  /** Makes the locks of a killed writer expire; no writer may be running. */
  readonly ageLocks: () => void;
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-races-"));
  folders.push(folder);
  return folder;
}

async function bucketPlaces(): Promise<Places> {
  const publicUrl = urlOf(ceph.endpoint, await createBucket(s3));
  const stateUrl = urlOf(ceph.endpoint, await createBucket(s3));
  return { publicUrl, stateUrl, ageLocks: () => undefined };
}

async function folderPlaces(): Promise<Places> {
  const folder = await openFolder();
  const [publicFolder, stateFolder] = [join(folder, "public"), join(folder, "state")];
  return {
    publicUrl: `file:${publicFolder}`,
    stateUrl: `file:${stateFolder}`,
    ageLocks: () => {
      ageLock(publicFolder);
      ageLock(stateFolder);
    },
  };
}

const start = ({ publicUrl, stateUrl }: Places): Writer =>
  startWriter(script, publicUrl, stateUrl, env);

/** Expects every document at the newest generation. */
async function expectConverged(
  counterProgram: CounterProgram,
  least: number,
  most: number,
): Promise<number> {
  const seen = await observe(counterProgram);
  expect(seen.count).toBeGreaterThanOrEqual(least);
  expect(seen.count).toBeLessThanOrEqual(most);
  expect(seen.documents).toEqual(expectedDocuments(seen.count));
  return seen.count;
}

const KINDS = [
  ["a store in buckets", bucketPlaces, { races: 60, kills: 24 }],
  ["a store in folders", folderPlaces, { races: 24, kills: 16 }],
] as const;

describe.each(KINDS)("%s", (kind, open, { races, kills }) => {
  test(`${WRITERS} processes race for ${races} rounds: each success counts once`, async () => {
    const places = await open();
    const writers = Array.from({ length: WRITERS }, () => start(places));
    await Promise.all(writers.map(({ ready }) => ready));
    const counterProgram = await openCounterProgram(places.publicUrl, places.stateUrl);
    let [successes, failures] = [0, 0];
    const clock = startClock();
    for (let round = 1; round <= races; round += 1) {
      const answers = await Promise.all(writers.map((writer) => writer.once()));
      const done = answers.filter((answer) => answer === "done").length;
      successes += done;
      failures += answers.length - done;
      // A failed commit may have been counted, but never twice.
      await expectConverged(counterProgram, successes, successes + failures);
    }
    const tallies = await Promise.all(writers.map((writer) => writer.finish()));
    const { generation } = await observe(counterProgram);
    console.log(
      `${kind}, races: ${races} rounds of ${WRITERS}, ${successes} successes, ${failures} failures, ${describeTally(tallies)}, generation ${generation}, ${clock.seconds()}`,
    );
    expect(failures).toBe(0);
  });

  test(`after each of ${kills} kills of a writer, the next commit repairs`, async () => {
    const places = await open();
    const counterProgram = await openCounterProgram(places.publicUrl, places.stateUrl);
    const seed = randomUUID();
    const random = createRandom(seed);
    let [successes, unfinished, count, torn] = [0, 0, 0, 0];
    let longestLifeMs = FIRST_LIFE_MS;
    const clock = startClock();
    // A start takes longer than a round, so some are started in advance.
    const ahead = Array.from({ length: STARTED_AHEAD }, () => start(places));
    for (let round = 1; round <= kills; round += 1) {
      const victim = ahead.shift() ?? start(places);
      await victim.ready;
      if (round + ahead.length < kills) ahead.push(start(places));
      victim.goOn();
      await delay(random() * longestLifeMs);
      const answers = await victim.kill();
      // Half of the kills hit the first commit and half a later one, however long a commit takes on this machine.
      longestLifeMs *= answers.length === 0 ? LIFE_STEP : 1 / LIFE_STEP;
      places.ageLocks();
      expect(answers.filter((answer) => answer !== "done")).toEqual([]);
      successes += answers.length;
      unfinished += 1;
      const left = await observe(counterProgram);
      expect(left.count).toBeGreaterThanOrEqual(Math.max(count, successes));
      const isTorn =
        JSON.stringify(left.documents) !== JSON.stringify(expectedDocuments(left.count));
      if (isTorn) torn += 1;
      await commitOnce(counterProgram);
      successes += 1;
      count = await expectConverged(counterProgram, successes, successes + unfinished);
    }
    console.log(
      `${kind}, kills: ${kills} rounds, seed ${seed}, ${successes} successes, ${torn} times documents of two generations lay there, ${describeTally([counterProgram.tally])}, ${clock.seconds()}`,
    );
    expect(torn).toBeGreaterThan(0);
  });
});

function describeTally(tallies: readonly Tally[]): string {
  const sum = (key: keyof Tally): number => tallies.reduce((all, one) => all + one[key], 0);
  return `${sum("conflicts")} conflicts, ${sum("unknowns")} unknown outcomes, ${sum("repairs")} repairs`;
}
