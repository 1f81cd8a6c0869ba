import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeHours, encodeHours } from "../../../src/state/archive-store.ts";
import { decodeShard, encodeShard } from "../../../src/state/codec/monitor-shard.ts";
import { OWNER_EDITS, OWNER_SHARD } from "../../../src/state/codec/owned-monitor.ts";
import { decodeInbox, encodeInbox } from "../../../src/state/inbox.ts";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import { VISITOR_SHARD } from "../../../src/state/visitor-shards.ts";

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
  if ("$bytes" in value) return Uint8Array.from(value.$bytes as number[]); // written so
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, untag(one)]));
}

function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : Buffer.from(bytes)).toString());
}

function bytesOf(stored: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(stored));
}

test.each([
  ["state", encodeState, decodeState],
  ["fresh-state", encodeState, decodeState],
  ["uptime", encodeShard, decodeShard],
  ["owned", OWNER_SHARD.encode, OWNER_SHARD.decode],
  ["edits", OWNER_EDITS.encode, OWNER_EDITS.decode],
  ["visitors", VISITOR_SHARD.encode, VISITOR_SHARD.decode],
  ["reports", encodeInbox, decodeInbox],
] as const)("%s: the stored layout and its values stay what they were", (name, encode, decode) => {
  const { stored, value } = golden(name);
  expect(decode(bytesOf(stored))).toEqual({ kind: "ok", value });
  expect(jsonOf(encode(value))).toEqual(stored);
});

describe.each([
  ["state", decodeState],
  ["uptime", decodeShard],
  ["owned", OWNER_SHARD.decode],
  ["edits", OWNER_EDITS.decode],
  ["visitors", VISITOR_SHARD.decode],
  ["reports", decodeInbox],
] as const)("%s of a newer version", (name, decode) => {
  function expectNewer(stored: unknown, how: string): void {
    const what = `was written by a newer version of status-snapshot \\(${how}; this one reads layout 1\\)`;
    const message = new RegExp(`${what}; install that version, or restore a backup$`, "u");
    const expected = { kind: "invalid", isNewer: true, message: expect.stringMatching(message) };
    expect(decode(bytesOf(stored))).toEqual(expected);
  }

  test("is told by a larger layout number", () => {
    expectNewer({ ...Object(golden(name).stored), version: 2 }, "it has layout 2");
  });

  test("is told by an unknown key in any object", () => {
    const { stored } = golden(name);
    const objects = [...objectsIn(stored)];
    expect(objects.length).toBeGreaterThan(0);
    for (const one of objects) {
      one["more"] = 1;
      expectNewer(stored, '(?:[^ ]+: )?Unrecognized key: "more"');
      delete one["more"];
    }
  });
});

/** All objects of the JSON, but records, in which any key is known. */
function* objectsIn(json: unknown): Generator<Record<string, unknown>> {
  if (json === null || typeof json !== "object") return;
  if (!Array.isArray(json)) yield json as Record<string, unknown>; // an object of JSON
  for (const [key, value] of Object.entries(json))
    if (key !== "categories") yield* objectsIn(value);
}

test("hours of reports: the stored layout and its values stay what they were", () => {
  const { stored, value } = golden("hours");
  expect(decodeHours(bytesOf(stored))).toEqual(value);
  expect(jsonOf(encodeHours(value))).toEqual(stored);
});
