import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunEvent } from "../../src/model/run-event.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import { createServiceSource } from "../../src/notify/services/service-source.ts";
import { type FakeReceivers, startReceivers } from "./fake-receivers.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

const RUN_MS = 1_795_511_100_000;

let receivers: FakeReceivers;
beforeAll(async () => {
  receivers = await startReceivers();
  receivers.reset();
  Object.assign(receivers.world, { updated: RUN_MS / 1_000, codes: new Map([["vk", "fail"]]) });
});
afterAll(() => receivers.close());

test("that nothing is told without a recent run is said once, and again after one", async () => {
  const events: RunEvent[] = [];
  let nowMs = RUN_MS;
  const source = createServiceSource({
    websiteUrl: `${receivers.url}/site`,
    channels: [],
    services: new Map(),
    emit: (event) => void events.push(event),
    probe: LOOPBACK_PROBE,
    signal: new AbortController().signal,
    env: {},
    killGroup: () => undefined,
    wallMs: () => nowMs,
  });
  const readAt = async (ms: number): Promise<readonly [boolean | undefined, number]> => {
    nowMs = ms;
    const [{ isPaused }] = await source.read([{ cursor: 1, channels: new Map() }]);
    return [isPaused, events.length];
  };
  expect(await readAt(RUN_MS)).toEqual([false, 0]);
  expect(await readAt(RUN_MS + HOUR_MS)).toEqual([true, 1]);
  expect(await readAt(RUN_MS + 2 * HOUR_MS)).toEqual([true, 1]);
  expect(await readAt(RUN_MS)).toEqual([false, 1]);
  expect(await readAt(RUN_MS + HOUR_MS)).toEqual([true, 2]);
  expect(events[0]).toEqual({ event: "alerts-paused", updatedMs: RUN_MS });
});
