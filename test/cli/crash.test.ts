import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeState } from "../../src/history/codec.ts";
import { startWorld, type World } from "../world/world.ts";
import { openStage, type Stage } from "./stage.ts";

const ROUNDS = 25;
/** On a busy machine a round takes seconds: after this long no other begins, but a few there have to be. */
const ENOUGH_MS = 60_000;
const FEWEST_ROUNDS = 5;
const NOON = Date.parse("2026-11-01T12:00:00Z");

let world: World;
let one: Stage;
let twin: Stage;

beforeAll(async () => {
  world = await startWorld();
  one = await openStage(world);
  twin = await openStage(world);
});
afterAll(async () => {
  await Promise.all([one.close(), twin.close()]);
  await world.close();
});

const at = (round: number): readonly string[] => [
  "--at",
  new Date(NOON + round * 300_000).toISOString(),
];

/** Fails unless every document there is whole, and the state, if there is one, can be read. */
async function expectWhole(stage: Stage): Promise<void> {
  for (const [path, text] of await stage.published()) {
    if (path.endsWith(".html"))
      expect({ path, end: text.slice(-7) }).toEqual({ path, end: "</html>" });
  }
  for (const [path, text] of await stage.documents()) {
    const value = JSON.parse(text);
    const fields = path.endsWith("v1/status.json") ? 2 : 8;
    expect({ path, fields: Object.keys(value).length }).toEqual({ path, fields });
  }
  const bytes = await readFile(join(stage.folder, ".state/state.json.gz")).catch(() => undefined);
  if (bytes !== undefined) expect(decodeState(bytes)).toMatchObject({ kind: "ok" });
}

/** What does not depend on how long an answer took, and names no host. */
async function comparable(stage: Stage): Promise<ReadonlyMap<string, string>> {
  const isEqual = /^(?:api\/|(?:en\/)?(?:feed|index)\b|checked\.svg$)/u;
  return new Map([...(await stage.published())].filter(([path]) => isEqual.test(path)));
}

test("a run killed at any moment leaves whole documents, and the next run heals everything", async () => {
  // The twin lives the same days undisturbed: what it publishes is what the killed one has to publish.
  let runMs = (await twin.run(at(-1))).durationMs;
  await one.run(at(-1));
  const startedMs = performance.now();
  const isEnough = (rounds: number): boolean =>
    rounds >= FEWEST_ROUNDS && performance.now() - startedMs > ENOUGH_MS;
  for (let round = 0; round < ROUNDS && !isEnough(round); round += 1) {
    const beta = round % 2 === 0 ? ({ kind: "tls-reset" } as const) : ({ kind: "page" } as const);
    await Promise.all([one.set("beta", beta), twin.set("beta", beta)]);
    const delayMs = Math.round(Math.random() * runMs);
    const victim = one.start(["run", ...one.options, ...at(round)]);
    await delay(delayMs);
    victim.child.kill("SIGKILL");
    await victim.ended;
    await expectWhole(one);
    const [healing, calm] = await Promise.all([one.run(at(round)), twin.run(at(round))]);
    expect([healing.code, calm.code]).toEqual([0, 0]);
    runMs = (runMs + calm.durationMs) / 2;
    const place = `killed ${delayMs} ms into round ${round}`;
    expect({ place, documents: await comparable(one) }).toEqual({
      place,
      documents: await comparable(twin),
    });
  }
}, 120_000);

test("two runs at once both publish, and leave the newest state and whole documents", async () => {
  for (let round = 0; round < 3; round += 1) {
    const start = NOON + 86_400_000 + round * 300_000;
    const time = (ms: number): readonly string[] => ["--at", new Date(ms).toISOString()];
    const both = await Promise.all([one.run(time(start)), one.run(time(start + 1_000))]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    await expectWhole(one);
    const bytes = await readFile(join(one.folder, ".state/state.json.gz"));
    const decoded = decodeState(bytes);
    if (decoded.kind !== "ok") throw new Error(decoded.message);
    const { updated } = await one.list();
    expect(updated).toBe((decoded.state.history.updatedAtMs ?? 0) / 1_000);
    expect(updated).toBeGreaterThanOrEqual(start / 1_000);
    expect((await one.detail("beta")).since).toBe(
      (decoded.state.history.services.get("beta")?.sinceMs ?? 0) / 1_000,
    );
  }
}, 30_000);
