import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeState } from "../../src/state/codec/state.ts";
import { ageLock } from "../store/age-lock.ts";
import { atDepth, isFull } from "../depth.ts";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/** Workspaces whose run is killed in each round, and compared with the same twin. */
const VICTIMS = atDepth(1, 2);
const ROUNDS = atDepth(2, 13);
const NOON = Date.parse("2026-11-01T12:00:00Z");

let internet: SimulatedInternet;
let victims: readonly Workspace[];
let twin: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
  const open = (): Promise<Workspace> => openWorkspace(internet, undefined, !isFull);
  victims = await Promise.all(Array.from({ length: VICTIMS }, open));
  twin = await open();
});
afterAll(async () => {
  await Promise.all([...victims, twin].map((one) => one.close()));
  await internet.close();
});

const at = (round: number): readonly string[] => [
  "--at",
  new Date(NOON + round * 300_000).toISOString(),
];

/** Fails unless every document is whole, and the state, if it exists, can be read. */
async function expectWhole(workspace: Workspace): Promise<void> {
  for (const [path, text] of await workspace.published()) {
    if (path.endsWith(".html"))
      expect({ path, end: text.slice(-7) }).toEqual({ path, end: "</html>" });
  }
  for (const [path, text] of await workspace.documents()) {
    const value = JSON.parse(text);
    const fields = path.endsWith("v1/status.json") ? 2 : 8;
    expect({ path, fields: Object.keys(value).length }).toEqual({ path, fields });
  }
  const bytes = await readFile(join(workspace.folder, ".state/state.json.gz")).catch(
    () => undefined,
  );
  if (bytes !== undefined) expect(decodeState(bytes)).toMatchObject({ kind: "ok" });
}

/** The files that do not depend on response times or host names. */
async function comparable(workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  const isEqual = /^(?:api\/|(?:en\/)?(?:feed|index)\b|checked\.svg$)/u;
  return new Map([...(await workspace.published())].filter(([path]) => isEqual.test(path)));
}

/** Kills a run after `afterMs`; false if it had ended before. */
async function killRun(workspace: Workspace, round: number, afterMs: number): Promise<boolean> {
  const run = workspace.start(["run", ...workspace.options, ...at(round)]);
  await delay(afterMs);
  run.child.kill("SIGKILL");
  const { code } = await run.ended;
  for (const store of ["public", ".state"]) ageLock(join(workspace.folder, store));
  return code === null;
}

test("a killed run leaves whole documents, and the next run repairs everything", async () => {
  const all = [...victims, twin];
  const runAll = (round: number) => Promise.all(all.map((workspace) => workspace.run(at(round))));
  // The twin makes the same runs without kills, so it has the documents that the others must publish.
  const first = all.map((workspace) => workspace.program(["run", ...workspace.options, ...at(-1)]));
  const runMs = (await Promise.all(first)).at(-1)?.durationMs ?? 0;
  let kills = 0;
  // At least one run must have been killed before its end.
  for (let round = 0; round < ROUNDS || kills === 0; round += 1) {
    const beta = round % 2 === 0 ? ({ kind: "tls-reset" } as const) : ({ kind: "page" } as const);
    await Promise.all(all.map((workspace) => workspace.set("beta", beta)));
    // Below the measured time, because fewer concurrent runs are faster.
    const killPoints = victims.map(() => ({
      round,
      killedMs: Math.round(Math.random() * 0.8 * runMs),
    }));
    const areKilled = await Promise.all(
      victims.map((victim, index) => killRun(victim, round, killPoints[index]?.killedMs ?? 0)),
    );
    kills += areKilled.filter(Boolean).length;
    for (const victim of victims) await expectWhole(victim);
    const runs = await runAll(round);
    expect(runs.map(({ code }) => code)).toEqual(all.map(() => 0));
    const documents = await comparable(twin);
    for (const [index, victim] of victims.entries()) {
      const killPoint = killPoints[index];
      expect({ killPoint, documents: await comparable(victim) }).toEqual({ killPoint, documents });
    }
  }
});

test("two runs at once both publish, and leave the newest state and whole documents", async () => {
  for (let round = 0; round < atDepth(1, 3); round += 1) {
    const start = NOON + 86_400_000 + round * 300_000;
    const runAt = (ms: number) =>
      twin.program(["run", ...twin.options, "--at", new Date(ms).toISOString()]);
    const both = await Promise.all([runAt(start), runAt(start + 1_000)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    await expectWhole(twin);
    const bytes = await readFile(join(twin.folder, ".state/state.json.gz"));
    const decoded = decodeState(bytes);
    if (decoded.kind !== "ok") throw new Error(decoded.message);
    const { updated } = await twin.list();
    expect(updated).toBe((decoded.value.history.updatedAtMs ?? 0) / 1_000);
    expect(updated).toBeGreaterThanOrEqual(start / 1_000);
    expect((await twin.detail("beta")).since).toBe(
      (decoded.value.history.services.get("beta")?.sinceMs ?? 0) / 1_000,
    );
  }
});
