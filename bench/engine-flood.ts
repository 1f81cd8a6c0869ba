import { setTimeout as delay } from "node:timers/promises";
import { jetstream, type JetStreamClient, jetstreamManager } from "@nats-io/jetstream";
import pLimit from "p-limit";
import { packWork } from "../src/engine/batches.ts";
import { connectEngine } from "../src/engine/connection.ts";
import {
  batchIdOf,
  batchIn,
  resultsSubject,
  RESULT_STREAM,
  workSubjectOf,
} from "../src/engine/names.ts";
import { ensureStreams } from "../src/engine/streams.ts";
import type { CheckTarget } from "../src/monitors/checks/check-target.ts";
import { type EngineServer, startWorker } from "./engine-server.ts";
import { hostOf } from "./monitor-workspace.ts";
import { cpuSecondsOf } from "./processes.ts";
import { SECOND_MS } from "../src/model/time.ts";

/** What ten million monitors in batches of 500 are in a slot of 300 s. */
const BATCHES_PER_SECOND = 20_000 / 300;
const TARGETS = 500;
/** The batches of a cell of 100,000 monitors, and how many of them a run sends before the first is acknowledged. */
const OF_A_CELL = 200;
const UNACKNOWLEDGED = 64;
const SETTLE_MS = 2_000;
const FIRST_SLOT = 7_000_000;

/** How the batches of a slot go through the server. */
export interface Load {
  readonly what: string;
  readonly seconds: number;
  /** Batches that are sent together. */
  readonly burst: number;
  readonly workers: number;
  /** How long a worker has a batch. */
  readonly checkMs: number;
}

/** The first is the one with the goals. */
export const LOADS: readonly Load[] = [
  {
    what: "as runs send them",
    seconds: 300,
    burst: OF_A_CELL,
    workers: 1,
    checkMs: 0,
  },
  {
    what: "to 40 workers, 0.4 s each",
    seconds: 60,
    burst: OF_A_CELL,
    workers: 40,
    checkMs: 400,
  },
  { what: "sent singly", seconds: 60, burst: 1, workers: 1, checkMs: 0 },
];

/** What a server costs that hands out all work of a slot. */
export interface ServerCost {
  readonly load: Load;
  readonly batches: number;
  readonly seconds: number;
  /** CPU of the server, of one core. */
  readonly corePercent: number;
  /** From the publish of a batch to its answer. */
  readonly lagMs: number;
  readonly missing: number;
}

/** Hands out work in each of these ways, one after another. */
export async function measureServer({ url, pid }: EngineServer): Promise<readonly ServerCost[]> {
  const connection = await connectEngine({ url }, "publisher", true);
  await ensureStreams(await jetstreamManager(connection), ["main"]);
  const client = jetstream(connection);
  const costs: ServerCost[] = [];
  for (const [place, load] of LOADS.entries()) {
    const workers = await Promise.all(
      Array.from({ length: load.workers }, () => startWorker(url, load.checkMs)),
    );
    costs.push(await measureLoad(client, load, FIRST_SLOT + place, pid));
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  await connection.close();
  return costs;
}

async function measureLoad(
  client: JetStreamClient,
  load: Load,
  slot: number,
  pid: number,
): Promise<ServerCost> {
  const sentAtMs = new Map<string, number>();
  let [lagMs, answered] = [0, 0];
  const results = await client.consumers.get(RESULT_STREAM, {
    filter_subjects: resultsSubject("*", slot),
  });
  const messages = await results.consume({
    callback: ({ subject }) => {
      const name = batchIn(subject);
      if (name === undefined) return;
      answered += 1;
      lagMs = Math.max(lagMs, performance.now() - (sentAtMs.get(batchIdOf(name)) ?? Infinity));
    },
  });
  const cpuBefore = cpuSecondsOf(pid);
  const startedMs = performance.now();
  const batches = await send(client, load, slot, sentAtMs);
  await delay(SETTLE_MS);
  const seconds = (performance.now() - startedMs) / SECOND_MS;
  const corePercent = (100 * (cpuSecondsOf(pid) - cpuBefore)) / seconds;
  messages.stop();
  return { load, batches, seconds, corePercent, lagMs, missing: batches - answered };
}

/** Sends the batches of cells evenly over the time, and returns their number. */
async function send(
  client: JetStreamClient,
  { seconds, burst }: Load,
  slot: number,
  sentAtMs: Map<string, number>,
): Promise<number> {
  const batches = Math.round(BATCHES_PER_SECOND * seconds);
  const cells = Math.ceil(batches / OF_A_CELL);
  const limit = pLimit(UNACKNOWLEDGED);
  const startedMs = performance.now();
  for (let from = 0; from < batches; from += burst) {
    const numbers = Array.from({ length: Math.min(burst, batches - from) }, (_, at) => from + at);
    await Promise.all(
      numbers.map((at) =>
        limit(async () => {
          const cell = Math.floor(at / OF_A_CELL);
          const name = { vantage: "main", cell: `${cell}-${cells}`, slot, number: at % OF_A_CELL };
          const msgID = batchIdOf(name);
          sentAtMs.set(msgID, performance.now());
          await client.publish(workSubjectOf(name), bodyOf(cell), { msgID, ttl: "300s" });
        }),
      ),
    );
    const dueMs = startedMs + ((from + burst) * SECOND_MS) / BATCHES_PER_SECOND;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
  }
  return batches;
}

const bodies = new Map<number, Uint8Array>();

/** Work of a cell. Made once, because only the server is measured. */
function bodyOf(cell: number): Uint8Array {
  const known = bodies.get(cell);
  if (known !== undefined) return known;
  const targets = Array.from({ length: TARGETS }, (_, at): CheckTarget => {
    const number = cell * TARGETS + at;
    return { id: `monitor-${number}`, url: `https://${hostOf(number)}/`, lastState: "healthy" };
  });
  const { bytes } = packWork(targets);
  bodies.set(cell, bytes);
  return bytes;
}
