import { expect, test } from "vitest";
import { StoreError } from "../../src/model/store.ts";
import { SECOND_MS } from "../../src/model/time.ts";
import { deliver } from "../../src/notify/deliver.ts";
import type { News } from "../../src/notify/outbox.ts";
import { openLedger } from "../../src/notify/ledger.ts";
import { T0 } from "../model/samples.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const CHANNELS = ["a", "b", "c", "d"];

const NEWS: News = {
  next: CHANNELS.length + 1,
  changes: CHANNELS.map((subject, at) => ({ seq: at + 1, subject, atMs: T0, kind: "added" })),
  lastRunMs: T0,
  channelsFor: ({ subject }) => [subject],
  subjectsOf: () => 1,
};

/** One cycle in which each message takes so long; the writes of the ledger fail from one on. */
async function run(takesMs: number, failsAt = Number.POSITIVE_INFINITY, stopsAt = failsAt) {
  const memory = createMemoryStore();
  const clock = { nowMs: T0, writes: 0 };
  const sent: string[] = [];
  const stop = new AbortController();
  const store = {
    ...memory,
    write: async (...write: Parameters<typeof memory.write>) => {
      clock.writes += 1;
      if (clock.writes >= failsAt) throw new StoreError("write", "ledger", "the disk is full");
      return memory.write(...write);
    },
  };
  const delivery = deliver(
    {
      read: async () => [
        {
          ...NEWS,
          send: async (channel) => {
            sent.push(channel);
            clock.nowMs += takesMs;
            if (sent.length === stopsAt) stop.abort();
            return { kind: "delivered" } as const;
          },
        },
      ],
      onFailed: () => undefined,
      concurrency: 1,
    },
    {
      ledgers: [await openLedger(store, "ledger.json.gz")],
      holder: "one",
      wallMs: () => clock.nowMs,
      signal: stop.signal,
    },
  );
  const result = await delivery.catch((error: unknown) => error);
  return { result, sent: sent.length };
}

test.each([
  [0, 4],
  [15 * SECOND_MS - 1, 4],
  [15 * SECOND_MS, 3],
  [22.5 * SECOND_MS, 2],
  [29 * SECOND_MS, 2],
  [45 * SECOND_MS, 1],
])("a cycle whose messages take %i ms each begins %i of four", async (takesMs, sent) => {
  expect(await run(takesMs)).toMatchObject({ sent, result: { delivered: sent, failed: 0 } });
});

test("nothing more is sent once the ledger could not be written", async () => {
  expect(await run(0, 1)).toMatchObject({ sent: 0, result: expect.any(StoreError) });
  expect(await run(0, 2)).toMatchObject({ sent: 1, result: expect.any(StoreError) });
});

test("nothing more is sent after a stop", async () => {
  const { sent } = await run(0, Number.POSITIVE_INFINITY, 2);
  expect(sent).toBe(2);
});
