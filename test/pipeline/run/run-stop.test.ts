import { expect, test } from "vitest";
import type { ObjectStore } from "../../../src/model/store.ts";
import { LIST_KEY } from "../../../src/services/snapshot/api-documents.ts";
import { STATE_KEY } from "../../../src/state/state-file.ts";
import { ok } from "../../model/samples.ts";
import { freshStores } from "../../publish/writers.ts";
import { type RunParts, startRun } from "../run-harness.ts";

/** How a run ends that is stopped in one of its first steps, and what it has probed. */
async function runStoppedIn(step: "state" | "list" | "registry") {
  const stopping = new AbortController();
  const hang = (): Promise<never> => {
    setImmediate(() => stopping.abort("aborted"));
    return new Promise(() => undefined);
  };
  const hangingAt = (store: ObjectStore, key: string): ObjectStore => ({
    ...store,
    read: (asked, maxBytes) => (asked === key ? hang() : store.read(asked, maxBytes)),
  });
  const { publicStore, stateStore } = freshStores();
  const stores = {
    publicStore: step === "list" ? hangingAt(publicStore, LIST_KEY) : publicStore,
    stateStore: step === "state" ? hangingAt(stateStore, STATE_KEY) : stateStore,
  };
  const probed: string[] = [];
  const parts: RunParts = {
    stop: stopping.signal,
    outcomeOf: (url) => (probed.push(url), ok()),
    ...(step === "registry" && { untilRegistry: hang }),
  };
  const { result, eventsNamed } = startRun(stores, parts);
  const written = [...publicStore.objects, ...stateStore.objects].length;
  return { result: await result, told: eventsNamed("run-stopped").length, probed, written };
}

test.each(["state", "list", "registry"] as const)(
  "a run that is stopped while it waits for its %s ends at once, and probes nothing",
  async (step) => {
    const ended = { result: { kind: "stopped" }, told: 1, probed: [], written: 0 };
    expect(await runStoppedIn(step)).toEqual(ended);
  },
);

test("a run that was stopped before it began reads nothing", async () => {
  const stores = freshStores();
  const reads: string[] = [];
  const read: ObjectStore["read"] = (key) => (reads.push(key), stores.stateStore.read(key));
  const stateStore = { ...stores.stateStore, read };
  const { result } = startRun({ ...stores, stateStore }, { stop: AbortSignal.abort("aborted") });
  expect(await result).toEqual({ kind: "stopped" });
  expect(reads).toEqual([]);
});
