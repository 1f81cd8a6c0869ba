import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeHours, encodeHours } from "../../../src/state/archive-store.ts";
import { decodeShard, encodeShard } from "../../../src/state/codec/monitor-shard.ts";
import {
  decodeEdits,
  decodeOwnerShard,
  encodeEdits,
  encodeOwnerShard,
} from "../../../src/state/codec/owner-shard.ts";
import { decodeInbox, encodeInbox } from "../../../src/state/codec/report-batch.ts";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import { decodeVisitorShard, encodeVisitorShard } from "../../../src/state/codec/visitor-shard.ts";

/**
 * Each file of `golden/` has what is stored of a value with everything in it, and the value that was read from it, with maps, sets
 * and columns of numbers under names of their own.
 */
function golden(name: string): { readonly stored: unknown; readonly value: never } {
  const text = readFileSync(new URL(`golden/${name}.json`, import.meta.url), "utf8");
  const { stored, value } = JSON.parse(text);
  return { stored, value: untag(value) as never }; // each codec refuses another type
}

function untag(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untag);
  if (value === null || typeof value !== "object") return value;
  if ("$map" in value) return new Map(untag(value.$map) as [unknown, unknown][]); // written so
  if ("$set" in value) return new Set(value.$set as unknown[]); // written so
  if ("$doubles" in value) return Float64Array.from(value.$doubles as number[]); // written so
  if ("$words" in value) return Uint32Array.from(value.$words as number[]); // written so
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, untag(one)]));
}

function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : Buffer.from(bytes)).toString());
}

function bytesOf(stored: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(stored));
}

test.each([
  ["state", encodeState, decodeState, "state"],
  ["fresh-state", encodeState, decodeState, "state"],
  ["uptime", encodeShard, decodeShard, "shard"],
  ["owned", encodeOwnerShard, decodeOwnerShard, "shard"],
  ["edits", encodeEdits, decodeEdits, "edits"],
  ["visitors", encodeVisitorShard, decodeVisitorShard, "shard"],
  ["reports", encodeInbox, decodeInbox, "reports"],
] as const)(
  "%s: the stored layout and its values stay what they were",
  (name, encode, decode, of) => {
    const { stored, value } = golden(name);
    expect(decode(bytesOf(stored))).toEqual({ kind: "ok", [of]: value });
    expect(jsonOf(encode(value))).toEqual(stored);
  },
);

test("hours of reports: the stored layout and its values stay what they were", () => {
  const { stored, value } = golden("hours");
  expect(decodeHours(bytesOf(stored))).toEqual(value);
  expect(jsonOf(encodeHours(value))).toEqual(stored);
});
