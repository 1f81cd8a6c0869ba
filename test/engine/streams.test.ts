import type { JetStreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { ensureStreams, SIGN_OF_LIFE_MS } from "../../src/engine/streams.ts";

const FIVE_MINUTES_NS = 300_000_000_000;

test("streams and consumers have the limits of the protocol", async () => {
  const made: unknown[] = [];
  const manager = {
    streams: { add: async (config: object) => void made.push(config) },
    consumers: { add: async (stream: string, config: object) => void made.push([stream, config]) },
  };
  // Nothing else of a server is asked for.
  await ensureStreams(manager as unknown as JetStreamManager, ["main", "spb"]);
  const common = {
    storage: "file",
    discard: "old",
    max_age: FIVE_MINUTES_NS,
    duplicate_window: FIVE_MINUTES_NS,
    max_msg_size: 1_048_576,
  };
  const consumerOf = (vantage: string) => [
    "status-snapshot-work",
    {
      durable_name: `worker-${vantage}`,
      filter_subject: `work.${vantage}.>`,
      ack_policy: "explicit",
      ack_wait: 30_000_000_000,
      max_deliver: 3,
      max_ack_pending: 1_024,
    },
  ];
  expect(made).toEqual([
    {
      ...common,
      name: "status-snapshot-work",
      subjects: ["work.>"],
      retention: "workqueue",
      allow_msg_ttl: true,
    },
    { ...common, name: "status-snapshot-results", subjects: ["results.>"], retention: "limits" },
    consumerOf("main"),
    consumerOf("spb"),
  ]);
  expect(SIGN_OF_LIFE_MS).toBe(10_000);
});
