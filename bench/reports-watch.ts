import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectStore } from "../src/model/store.ts";

/** Looks under way at once: more would only slow down what is measured. */
const LOOKS = 4;
const PAUSE_MS = 20;

/** A reader of details that waits for reports to be counted in them. */
export interface DetailWatch {
  /** One more report about the service was accepted at this time, as `performance.now()` has it. */
  readonly expect: (slug: string, acceptedMs: number) => void;
  /** Ends it: how long each report took, and how many were never found. */
  readonly close: () => Promise<{ readonly delaysMs: readonly number[]; readonly missing: number }>;
}

/**
 * Looks again and again at the details of services that lack an accepted report, and at no others. The n-th report of a service
 * is published when its detail counts n: the store has to be new, and every report to come from a network of its own.
 */
export function watchDetails(store: ObjectStore): DetailWatch {
  const waiting = new Map<string, number[]>();
  const found = new Map<string, number>();
  const delaysMs: number[] = [];
  const over = new AbortController();

  const look = async (slug: string): Promise<void> => {
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
  const lookOn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const [slug] = waiting.keys();
      const times = slug === undefined ? undefined : waiting.get(slug);
      if (slug !== undefined && times !== undefined) {
        // To the end of the queue.
        waiting.delete(slug);
        waiting.set(slug, times);
        await look(slug);
      }
      await sleep(PAUSE_MS);
    }
  };
  const looking = Array.from({ length: LOOKS }, lookOn);
  return {
    expect: (slug, acceptedMs) => {
      waiting.set(slug, [...(waiting.get(slug) ?? []), acceptedMs]);
    },
    async close() {
      over.abort();
      await Promise.all(looking);
      const missing = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
      return { delaysMs, missing };
    },
  };
}
