import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { decodeChecks } from "../../src/open-data/archive/spool.ts";
import { sha256Of } from "../../src/open-data/archive/seal.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { DAY_MS } from "../../src/model/time.ts";
import type { Workspace } from "./workspace.ts";

const DAY = "2026-11-01";
const MIDNIGHT_MS = Date.parse("2026-11-02T00:00:00Z");
const SLOT_MS = 300_000;
const FIRST_SLOTS = 3;

/** Where the runs of a workspace publish. */
export interface KilledPlace {
  readonly workspace: Workspace;
  /** Options of the stores. */
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  /** A killed process may have left a lock. */
  readonly afterKill: () => void;
}

/**
 * Runs of a day, then runs after midnight that are killed at random moments, which are in the fold of the day more often than not. Fails
 * unless every run of the day that came to its end is in the archive once, whole, and nothing else is.
 */
export async function killDuringFolds(place: KilledPlace, kills: number): Promise<void> {
  const runAt = (ms: number) => [
    "run",
    ...place.workspace.options,
    ...place.options,
    "--at",
    new Date(ms).toISOString(),
  ];
  const evening = MIDNIGHT_MS - FIRST_SLOTS * SLOT_MS;
  for (let slot = 0; slot < FIRST_SLOTS; slot += 1) {
    const { code, stderr } = await place.workspace.program(
      runAt(evening + slot * SLOT_MS),
      place.env,
    );
    expect([code, stderr.includes("archive-deferred")]).toEqual([0, false]);
  }
  const after = MIDNIGHT_MS + 4 * SLOT_MS;
  let longestMs = 1_500;
  for (let kill = 0; kill < kills; kill += 1) {
    const startedMs = performance.now();
    const run = place.workspace.start(runAt(after + kill * SLOT_MS), place.env);
    await Promise.race([delay(Math.random() * longestMs), run.ended]);
    run.child.kill("SIGKILL");
    const { code } = await run.ended;
    if (code === 0) longestMs = performance.now() - startedMs;
    place.afterKill();
  }
  // What a killed run has left in the spool goes when the next day is over.
  for (const ms of [after + kills * SLOT_MS, after + DAY_MS, after + DAY_MS + SLOT_MS])
    expect((await place.workspace.program(runAt(ms), place.env)).code).toBe(0);
  await expectWholeDay(place, evening);
}

async function expectWholeDay(
  { publicStore, stateStore }: KilledPlace,
  evening: number,
): Promise<void> {
  const read = async (name: string): Promise<Uint8Array> =>
    (await publicStore.read(`archive/v1/${name}`))?.body ?? new Uint8Array();
  const sealed = await read(`${DAY}/checks.ndjson.gz`);
  const checks = decodeChecks(sealed) ?? [];
  const times = Array.from(
    { length: FIRST_SLOTS },
    (_, slot) => (evening + slot * SLOT_MS) / 1_000,
  );
  expect([...new Set(checks.map(({ at }) => at))]).toEqual(times);
  // Alpha has two endpoints, beta and gamma one each.
  expect(checks).toHaveLength(4 * FIRST_SLOTS);
  const index: { days: { date: string; files: { path: string; sha256: string }[] }[] } = JSON.parse(
    new TextDecoder().decode(await read("index.json")),
  );
  const [, day] = index.days;
  expect(day?.date).toBe(DAY);
  for (const { path, sha256 } of day?.files ?? [])
    expect([path, sha256Of(await read(path))]).toEqual([path, sha256]);
  const left = (await stateStore.list("archive-spool")).filter(
    (key) => Number(/(\d+)\.ndjson/u.exec(key)?.[1]) * SLOT_MS < MIDNIGHT_MS,
  );
  expect(left).toEqual([]);
}
