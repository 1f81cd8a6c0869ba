import { jetstream, type JetStreamClient, jetstreamManager, type JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import pLimit from "p-limit";
import type { CheckResult } from "../model/monitor.ts";
import { SECOND_MS } from "../model/time.ts";
import { SLOT_MS } from "../model/uptime.ts";
import type { CheckTarget } from "../monitors/checks/check-target.ts";
import { packWork, unpackResults } from "./batch-codec.ts";
import { connectEngine, type EngineAddress, toEngineError } from "./connection.ts";
import { mergeResults } from "./merge-results.ts";
import {
  batchIdOf,
  batchIn,
  type BatchName,
  endSubjectOf,
  RESULT_STREAM,
  resultsOf,
  WORK_STREAM,
  workSubjectOf,
} from "./names.ts";
import { planBatches } from "./plan-batches.ts";
import { ensureStreams } from "./streams.ts";

/** Messages that wait for their acknowledgement. */
const CONCURRENCY = 64;

/** Before the deadline, workers are asked for what they have; it has to arrive in time. */
const LAST_CALL_MS = 8 * SECOND_MS;
/** Of a run that is shorter than usual. */
const LAST_CALL_SHARE = 0.25;

/** A vantage that is silent for so long after another one is done is not waited for. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Settings of a publisher that hands its checks to an engine. */
export interface DispatchSettings {
  readonly address: EngineAddress;
  readonly cell: string;
  /** The places whose workers are asked, each for every monitor. */
  readonly vantages: readonly string[];
  /** Slot of the run that begins now. */
  readonly slotNow: () => number;
  /** Length of a run, milliseconds. */
  readonly deadlineMs: number;
  /** Targets of a batch. @default BATCH_TARGETS */
  readonly batchTargets?: number;
}

/** What a publisher has to say about a dispatch. */
export interface DispatchCounts {
  readonly batches: number;
  readonly answered: number;
  /** Answers that were late, repeated, of other work, or broken. */
  readonly dropped: number;
  /** From the first batch to the last answer. */
  readonly durationMs: number;
}

export interface DispatchCallbacks {
  readonly onProgress: (done: number) => void;
  readonly onWarning: (message: string) => void;
  readonly onDone?: (counts: DispatchCounts) => void;
}

/**
 * Checks monitors by workers elsewhere. Every target gets a result: it is skipped if no worker answered in time, whatever happens to
 * the engine. Never rejects.
 */
export async function checkThroughEngine(
  targets: readonly CheckTarget[],
  settings: DispatchSettings,
  signal: AbortSignal,
  callbacks: DispatchCallbacks,
): Promise<ReadonlyMap<string, CheckResult>> {
  const slot = settings.slotNow();
  const batches = planBatches(targets, slot, settings.batchTargets);
  const ledger = openDispatchLedger(batches, settings.vantages, callbacks);
  try {
    const connection = await connectEngine(settings.address, "status-snapshot publisher", true);
    try {
      await dispatch(connection, ledger, { ...settings, slot }, signal);
    } finally {
      await connection.close();
    }
  } catch (error) {
    const { message } = toEngineError(settings.address.url, error);
    callbacks.onWarning(
      `${message.replace(/^(--engine \S+: )+/u, "$1")}. What no worker has answered is skipped in this run.`,
    );
  }
  callbacks.onDone?.(ledger.counts());
  return ledger.results(targets);
}

interface Running extends DispatchSettings {
  readonly slot: number;
}

async function dispatch(
  connection: NatsConnection,
  ledger: DispatchLedger,
  settings: Running,
  signal: AbortSignal,
): Promise<void> {
  const { cell, slot, vantages } = settings;
  const manager = await jetstreamManager(connection);
  await ensureStreams(manager, vantages);
  const client = jetstream(connection);
  const consumer = await client.consumers.get(RESULT_STREAM, {
    filter_subjects: resultsOf(cell, slot),
  });
  const messages = await consumer.consume({ callback: (message) => take(message, ledger) });
  const timer = setTimeout(
    () => connection.publish(endSubjectOf(cell, slot)),
    settings.deadlineMs - Math.min(LAST_CALL_MS, LAST_CALL_SHARE * settings.deadlineMs),
  );
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    // Answers come in while work still goes out.
    await Promise.race([
      Promise.all([send(client, ledger, settings, signal), ledger.done]),
      aborted,
    ]);
  } finally {
    clearTimeout(timer);
    ledger.close();
    messages.stop();
    connection.publish(endSubjectOf(cell, slot));
    // Work that no worker has begun would only keep workers from the next slot.
    if (!ledger.isComplete())
      await manager.streams
        .purge(WORK_STREAM, { filter: `work.*.${cell}.${slot}.*` })
        .catch(() => undefined);
    await connection.flush().catch(() => undefined);
  }
}

function take(message: JsMsg, ledger: DispatchLedger): void {
  const name = batchIn(message.subject);
  if (name === undefined) ledger.drop();
  else ledger.accept(name, message.data);
}

/** Puts the batches into the work stream; one that is there already is not put twice. */
async function send(
  client: JetStreamClient,
  ledger: DispatchLedger,
  { cell, slot, vantages }: Running,
  signal: AbortSignal,
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const names = vantages.flatMap((vantage) =>
    Array.from({ length: ledger.size }, (_, number) => ({ vantage, cell, slot, number })),
  );
  await Promise.all(
    names.map((name) =>
      limit(async () => {
        if (signal.aborted) return;
        await client.publish(workSubjectOf(name), ledger.bytesOf(name.number), {
          msgID: batchIdOf(name),
          ttl: `${SLOT_MS / SECOND_MS}s`,
        });
      }),
    ),
  );
}

/** What was sent, and what has come back. */
function openDispatchLedger(
  batches: readonly (readonly CheckTarget[])[],
  vantages: readonly string[],
  { onProgress }: DispatchCallbacks,
) {
  const packed = batches.map((batch) => ({
    ...packWork(batch),
    ids: batch.map(({ id }) => id),
  }));
  const answers = new Map<string, ReadonlyMap<string, CheckResult>>();
  const startedMs = performance.now();
  let [dropped, done, endedMs, isClosed] = [0, 0, startedMs, false];
  let timer: NodeJS.Timeout | undefined;
  let resolveDone: (() => void) | undefined;
  const isDone = new Promise<void>((resolve) => {
    resolveDone = resolve;
  });
  const answeredBy = (vantage: string): number =>
    packed.filter((_, number) => answers.has(`${vantage} ${number}`)).length;
  const check = (): void => {
    const complete = vantages.filter((vantage) => answeredBy(vantage) === packed.length).length;
    if (complete === vantages.length) resolveDone?.();
    clearTimeout(timer);
    if (complete > 0) timer = setTimeout(() => resolveDone?.(), PATIENCE_MS);
  };
  if (packed.length === 0) resolveDone?.();
  return {
    size: packed.length,
    done: isDone,
    isComplete: () => answers.size === packed.length * vantages.length,
    bytesOf: (number: number) => packed[number]?.bytes ?? new Uint8Array(),
    drop: (): void => void (dropped += 1),
    accept: ({ vantage, number }: BatchName, bytes: Uint8Array): void => {
      const batch = packed[number];
      const key = `${vantage} ${number}`;
      const isWanted = batch !== undefined && vantages.includes(vantage);
      if (isClosed || !isWanted || answers.has(key)) return void (dropped += 1);
      const results = unpackResults(bytes, batch.ids, batch.digest);
      if (results === undefined) return void (dropped += 1);
      answers.set(key, new Map(results));
      endedMs = performance.now();
      if (vantage === vantages[0]) onProgress((done += batch.ids.length));
      check();
    },
    close: (): void => {
      isClosed = true;
      clearTimeout(timer);
    },
    counts: (): DispatchCounts => ({
      batches: packed.length * vantages.length,
      answered: answers.size,
      dropped,
      durationMs: Math.round(endedMs - startedMs),
    }),
    results: (targets: readonly CheckTarget[]): ReadonlyMap<string, CheckResult> => {
      const merged = new Map<string, CheckResult>();
      for (const [number, { ids }] of packed.entries()) {
        const each = vantages.map((vantage) => answers.get(`${vantage} ${number}`));
        for (const id of ids) merged.set(id, mergeResults(each.map((one) => one?.get(id))));
      }
      for (const { id } of targets) if (!merged.has(id)) merged.set(id, { kind: "skipped" });
      return merged;
    },
  };
}

type DispatchLedger = ReturnType<typeof openDispatchLedger>;
