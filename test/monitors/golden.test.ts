import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OWNER_EDITS, OWNER_SHARD } from "../../src/state/codec/owned-monitor.ts";
import { unpackWork } from "../../src/engine/batches.ts";

/* Objects that an earlier version wrote, with the longest and the shortest settings, and what it read in them. */

function bytesOf(name: string): Uint8Array {
  return readFileSync(new URL(`golden/${name}`, import.meta.url));
}

const { owned, edits, targets } = JSON.parse(new TextDecoder().decode(bytesOf("decoded.json")));

test("a stored shard of owned monitors is read as before", () => {
  const decoded = OWNER_SHARD.decode(bytesOf("owner-shard.json.gz"));
  expect(decoded.kind === "ok" ? [...decoded.value.owned.values()] : decoded).toEqual(owned);
});

test("stored edits are read as before", () => {
  expect(OWNER_EDITS.decode(bytesOf("owner-edits.json"))).toEqual({ kind: "ok", value: edits });
});

test("work for the engine is read as before", () => {
  expect(unpackWork(bytesOf("work.json.gz"))?.targets).toEqual(targets);
});
