import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { SECOND_MS } from "../model/time.ts";
import { SLOT_MS } from "../model/monitor/uptime.ts";
import { MAX_MESSAGE_BYTES } from "./batches.ts";
import { consumerOf, RESULT_STREAM, WORK_STREAM } from "./names.ts";

/** A worker says this often that it goes on; after three times as long another one gets the batch. */
export const SIGN_OF_LIFE_MS: number = 10 * SECOND_MS;
const ACK_WAIT_MS = 3 * SIGN_OF_LIFE_MS;

/** A batch that kills its workers, or meets only workers that are offline, is skipped. */
const MAX_DELIVERIES = 3;

/** Batches under way at all workers of a vantage: some wait for minutes for their confirmations. */
const MAX_UNDER_WAY = 1_024;

/** Nothing is worth more than the slot that it belongs to. */
const COMMON = {
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: nanos(SLOT_MS),
  duplicate_window: nanos(SLOT_MS),
  max_msg_size: MAX_MESSAGE_BYTES,
} as const;

const STREAMS: readonly (Partial<StreamConfig> & { readonly name: string })[] = [
  {
    ...COMMON,
    name: WORK_STREAM,
    subjects: ["work.>"],
    retention: RetentionPolicy.Workqueue,
    allow_msg_ttl: true,
  },
  { ...COMMON, name: RESULT_STREAM, subjects: ["results.>"], retention: RetentionPolicy.Limits },
];

/** Makes the streams and the consumers of these vantages, unless they are there. Rejects with the error of the server. */
export async function ensureStreams(manager: JetStreamManager, vantages: readonly string[]) {
  for (const stream of STREAMS) await manager.streams.add(stream);
  for (const vantage of vantages)
    await manager.consumers.add(WORK_STREAM, {
      durable_name: consumerOf(vantage),
      filter_subject: `work.${vantage}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_deliver: MAX_DELIVERIES,
      max_ack_pending: MAX_UNDER_WAY,
    });
}
