import { setTimeout as delay } from "node:timers/promises";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { packWork } from "../src/engine/batch-codec.ts";
import { connectEngine } from "../src/engine/connection.ts";
import {
  batchIdOf,
  batchIn,
  resultsOf,
  RESULT_STREAM,
  workSubjectOf,
} from "../src/engine/names.ts";
import { ensureStreams } from "../src/engine/streams.ts";
import type { CheckTarget } from "../src/monitors/checks/check-target.ts";
import { type EngineServer, startInstantWorker } from "./engine-server.ts";
import { hostOf } from "./monitor-workspace.ts";
import { cpuSecondsOf } from "./processes.ts";

/** What ten million monitors in batches of 500 are in a slot. */
const BATCHES = 20_000;
const SECONDS = 300;
const TARGETS = 500;
const CELLS = 100;
const SETTLE_MS = 2_000;

/** What a server costs that hands out all work of a slot. */
export interface ServerCost {
  readonly batches: number;
  readonly seconds: number;
  /** CPU of the server, of one core. */
  readonly corePercent: number;
  /** From the publish of a batch to its answer. */
  readonly lagMs: number;
  readonly missing: number;
}

/** Sends the batches of a hundred cells evenly over a slot to a worker that answers at once. */
export async function measureServer({ url, pid }: EngineServer): Promise<ServerCost> {
  const connection = await connectEngine({ url }, "publisher", true);
  const manager = await jetstreamManager(connection);
  await ensureStreams(manager, ["main"]);
  const client = jetstream(connection);
  const worker = await startInstantWorker(url);
  const sentAtMs = new Map<string, number>();
  let [lagMs, answered] = [0, 0];
  const slot = 7_000_000;
  const results = await client.consumers.get(RESULT_STREAM, {
    filter_subjects: resultsOf("*", slot),
  });
  const messages = await results.consume({
    callback: ({ subject }) => {
      const name = batchIn(subject);
      if (name === undefined) return;
      answered += 1;
      lagMs = Math.max(lagMs, performance.now() - (sentAtMs.get(batchIdOf(name)) ?? Infinity));
    },
  });
  const bodies = Array.from({ length: CELLS }, (_, cell) => bodyOf(cell));
  const cpuBefore = cpuSecondsOf(pid);
  const startedMs = performance.now();
  for (let at = 0; at < BATCHES; at += 1) {
    const cell = at % CELLS;
    const name = {
      vantage: "main",
      cell: `${cell}-${CELLS}`,
      slot,
      number: Math.floor(at / CELLS),
    };
    const msgID = batchIdOf(name);
    sentAtMs.set(msgID, performance.now());
    await client.publish(workSubjectOf(name), bodies[cell] ?? new Uint8Array(), {
      msgID,
      ttl: "300s",
    });
    const dueMs = startedMs + ((at + 1) * SECONDS * 1_000) / BATCHES;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
  }
  await delay(SETTLE_MS);
  const seconds = (performance.now() - startedMs) / 1_000;
  const corePercent = (100 * (cpuSecondsOf(pid) - cpuBefore)) / seconds;
  messages.stop();
  await worker.stop();
  await connection.close();
  return { batches: BATCHES, seconds, corePercent, lagMs, missing: BATCHES - answered };
}

function bodyOf(cell: number): Uint8Array {
  const targets = Array.from({ length: TARGETS }, (_, at): CheckTarget => {
    const number = cell * TARGETS + at;
    return { id: `monitor-${number}`, url: `https://${hostOf(number)}/`, lastState: "healthy" };
  });
  return packWork(targets).bytes;
}
