import { jetstream, type JetStreamClient, jetstreamManager } from "@nats-io/jetstream";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import pLimit from "p-limit";
import * as z from "zod";
import type { CheckResult } from "../model/monitor/monitor.ts";
import { untilStopped } from "../model/stopping.ts";
import { SECOND_MS } from "../model/time.ts";
import { SLOT_MS } from "../model/monitor/uptime.ts";
import type { CheckObserver, CheckTarget } from "../monitors/checks/check-target.ts";
import { planBatches } from "./batches.ts";
import { type EngineAddress, toEngineError, withEngine } from "./connection.ts";
import { type DispatchLedger, openDispatchLedger } from "./dispatch-ledger.ts";
import {
  batchIdOf,
  batchIn,
  endSubjectOf,
  RESULT_STREAM,
  resultsSubject,
  WORK_STREAM,
  workSubjectOf,
} from "./names.ts";
import { ensureStreams } from "./streams.ts";

/** Messages that wait for their acknowledgement. */
const CONCURRENCY = 64;

/** Where the server tells of work that a worker gave back. */
const GIVEN_BACK = `$JS.EVENT.ADVISORY.CONSUMER.MSG_NAKED.${WORK_STREAM}.*`;

/** Before the deadline, workers are asked for what they have; it has to arrive in time. */
const LAST_CALL_MS = 8 * SECOND_MS;
/** Of a run that has less time for them than usual. */
const LAST_CALL_SHARE = 0.25;

export interface DispatchSettings {
  readonly address: EngineAddress;
  readonly cell: string;
  /** The places whose workers are asked, each for every monitor. */
  readonly vantages: readonly string[];
  /** Slot of the run that begins now. */
  readonly slotNow: () => number;
  /** Targets of a batch. @default BATCH_TARGETS */
  readonly batchTargets?: number;
}

/** Checks monitors by workers elsewhere. A target without an answer in time is skipped, whatever fails. Never rejects. @param leftMs until the signal is aborted at the latest. */
export async function checkThroughEngine(
  targets: readonly CheckTarget[],
  settings: DispatchSettings,
  signal: AbortSignal,
  { onProgress, onWarning, onDone }: CheckObserver,
  leftMs: number,
): Promise<ReadonlyMap<string, CheckResult>> {
  const slot = settings.slotNow();
  const batches = planBatches(targets, slot, settings.batchTargets);
  const { address, vantages } = settings;
  const ledger = openDispatchLedger(batches, vantages, () => performance.now(), onProgress);
  try {
    await withEngine(address, "publisher", true, (connection) =>
      dispatch(connection, ledger, { ...settings, slot, leftMs }, signal),
    );
  } catch (error) {
    const { message } = toEngineError(address.url, error);
    onWarning(`${message}. What no worker has answered is skipped in this run.`);
  }
  onDone(ledger.counts());
  return ledger.results();
}

type Running = DispatchSettings & Readonly<Record<"slot" | "leftMs", number>>;

async function dispatch(
  connection: NatsConnection,
  ledger: DispatchLedger,
  settings: Running,
  signal: AbortSignal,
): Promise<void> {
  const { cell, slot, vantages, leftMs } = settings;
  const manager = await jetstreamManager(connection);
  await ensureStreams(manager, vantages);
  const client = jetstream(connection);
  const consumer = await client.consumers.get(RESULT_STREAM, {
    filter_subjects: resultsSubject(cell, slot),
  });
  const messages = await consumer.consume({
    callback: ({ subject, data }) => ledger.accept(batchIn(subject), data),
  });
  connection.subscribe(GIVEN_BACK, { callback: (_, message) => noteGivenBack(message, ledger) });
  const timer = setTimeout(
    () => connection.publish(endSubjectOf(cell, slot)),
    leftMs - Math.min(LAST_CALL_MS, LAST_CALL_SHARE * leftMs),
  );
  try {
    // Answers come in while work still goes out.
    await Promise.race([
      Promise.all([send(client, ledger, settings, signal), ledger.done]),
      untilStopped(signal),
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

const GIVEN_BACK_NEWS = z.object({ stream_seq: z.int() });

/** The server tells all that listen. */
function noteGivenBack(message: Msg, ledger: DispatchLedger): void {
  try {
    ledger.gaveBack(GIVEN_BACK_NEWS.parse(message.json()).stream_seq);
  } catch {
    // A message without a number is not one of these.
  }
}

/** Puts the batches into the work stream; one that is there already is not put twice. */
async function send(
  client: JetStreamClient,
  ledger: DispatchLedger,
  { cell, slot, vantages }: Running,
  signal: AbortSignal,
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const messages = vantages.flatMap((vantage) =>
    ledger.work.map((bytes, number) => ({ name: { vantage, cell, slot, number }, bytes })),
  );
  await Promise.all(
    messages.map(({ name, bytes }) =>
      limit(async () => {
        if (signal.aborted) return;
        const { seq } = await client.publish(workSubjectOf(name), bytes, {
          msgID: batchIdOf(name),
          ttl: `${SLOT_MS / SECOND_MS}s`,
        });
        ledger.sent(name, seq);
      }),
    ),
  );
}
