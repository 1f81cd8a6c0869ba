import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import type { RunEvent } from "../../../src/model/run-event.ts";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import { loadState, STATE_KEY } from "../../../src/state/state-file.ts";
import { createMemoryStore } from "../../../src/store/memory.ts";
import { T0 } from "../../model/samples.ts";

const STORED = readFileSync(new URL("state-v5.json", import.meta.url), "utf8");

test("an outage of version 5 begins with its first class, and what answered is proven", () => {
  const stored = JSON.stringify(JSON.parse(STORED));
  const outage = `"checkClass":"server-error","sinceMs":${T0 + 9},"isSinceExact":true,"downSinceMs":${T0}`;
  const changed = stored.replace(
    /"checkClass":"up","sinceMs":\d+,"isSinceExact":true,"downSinceMs":null/u,
    outage,
  );
  expect(changed).toContain(outage);
  const decoded = decodeState(gzipSync(changed));
  expect(decoded).toMatchObject({ kind: "ok", migratedFrom: 5 });
  const state = decoded.kind === "ok" ? decoded.state : EMPTY_STATE;
  const { history, lastRun } = state;
  expect(history.services.get("b")).toMatchObject({ checkClass: "server-error", sinceMs: T0 });
  expect(history.runs.map(({ connectivity }) => connectivity)).toEqual(["fine", "fine"]);
  expect([...history.proven]).toEqual(["anchor:https://ya.ru/", "https://b.ru/"]);
  expect(lastRun?.connectivity.state).toBe("fine");
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", state });
});

test("a loaded state of version 5 is logged as migrated, and not written", async () => {
  const store = createMemoryStore();
  const body = gzipSync(STORED);
  await store.write(STATE_KEY, { body, contentType: "", cacheControl: "" });
  const events: RunEvent[] = [];
  await loadState(store, (event) => void events.push(event));
  expect(events).toEqual([{ event: "state-migrated", fromVersion: 5 }]);
  expect(Buffer.compare(store.objects.get(STATE_KEY)?.body ?? new Uint8Array(), body)).toBe(0);
});
