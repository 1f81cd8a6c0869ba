import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectStore } from "../src/model/store.ts";

/** Concurrent reads: more would slow down the measured processes. */
const READERS = 4;
const PAUSE_MS = 20;

/** Polls details until they count the expected reports. */
export interface DetailWatch {
  /** A report about the service was accepted at this time of `performance.now()`. */
  readonly expect: (slug: string, acceptedMs: number) => void;
  /** Stops polling; gives the delay of each report, and the number of reports that were never counted. */
  readonly close: () => Promise<{ readonly delaysMs: readonly number[]; readonly missing: number }>;
}

/**
 * Polls only the details of services with a pending report. The n-th report of a service is published when its detail counts n, so
 * the store has to be new, and every report has to come from a different network.
 */
export function watchDetails(store: ObjectStore): DetailWatch {
  const waiting = new Map<string, number[]>();
  const found = new Map<string, number>();
  const delaysMs: number[] = [];
  const over = new AbortController();

  const readDetail = async (slug: string): Promise<void> => {
    const object = await store.read(`api/v1/status/${slug}`);
    const seenMs = performance.now();
    const { reportsDay } = Object(JSON.parse(new TextDecoder().decode(object?.body)));
    const times = waiting.get(slug) ?? [];
    const before = found.get(slug) ?? 0;
    const counted = times.splice(0, Math.max(0, Number(reportsDay) - before));
    found.set(slug, before + counted.length);
    if (times.length === 0) waiting.delete(slug);
    for (const acceptedMs of counted) delaysMs.push(seenMs - acceptedMs);
  };
  const poll = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const [slug] = waiting.keys();
      const times = slug === undefined ? undefined : waiting.get(slug);
      if (slug !== undefined && times !== undefined) {
        // Moves it to the end of the queue.
        waiting.delete(slug);
        waiting.set(slug, times);
        await readDetail(slug);
      }
      await sleep(PAUSE_MS);
    }
  };
  const readers = Array.from({ length: READERS }, poll);
  return {
    expect: (slug, acceptedMs) => {
      waiting.set(slug, [...(waiting.get(slug) ?? []), acceptedMs]);
    },
    async close() {
      over.abort();
      await Promise.all(readers);
      const missing = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
      return { delaysMs, missing };
    },
  };
}
