import { gzipSync } from "node:zlib";
import type * as z from "zod";
import type { UptimeShard } from "../../model/monitor/uptime.ts";
import { inflateJson, MAX_STORED_BYTES, type Reading } from "./inflate-json.ts";
import {
  SHARD_ENVELOPE,
  SHARD_V2,
  SHARD_V3,
  SHARD_V4,
  type ShardV4,
  type StoredShard,
} from "./monitor-shard-schema.ts";
import { findMisfit, fromWire, migrateShard, toWire } from "./monitor-shard-wire.ts";

/** Version of the layout that is written. */
const SHARD_VERSION = 4;

/** Version of the oldest layout that is read. */
const OLDEST_VERSION = 2;

/** Layouts that are read, by version. */
const LAYOUTS: ReadonlyMap<number, z.ZodType<StoredShard>> = new Map<
  number,
  z.ZodType<StoredShard>
>([
  [2, SHARD_V2],
  [3, SHARD_V3],
  [4, SHARD_V4],
]);

/** On a day of many failures a quarter of the time of the default level, for 4 % more bytes. Measured: docs/monitors/uptime.md. */
const GZIP_LEVEL = 4;

/** A decoded shard, or why the bytes are none. */
export type DecodedShard =
  | { readonly kind: "ok"; readonly shard: UptimeShard }
  | { readonly kind: "invalid"; readonly message: string };

/**
 * The shard as bytes: gzip over JSON. The order in which the map was filled makes no difference. Throws `RangeError` when the shard
 * does not fit its own layout: it could not be read back.
 */
export function encodeShard(shard: UptimeShard): Uint8Array {
  const wire = readWire(SHARD_V4, toWire(shard));
  if ("problem" in wire) throw new RangeError(`uptime cannot be stored: ${wire.problem}`);
  const json = JSON.stringify(wire.value);
  if (Buffer.byteLength(json) > MAX_STORED_BYTES) {
    throw new RangeError("uptime cannot be stored: over 64 MiB");
  }
  return gzipSync(json, { level: GZIP_LEVEL });
}

/**
 * The shard in the bytes. Bytes that are cut short, corrupt, foreign, newer or older give a message that says what to do; the
 * caller must then leave them alone. Never throws.
 */
export function decodeShard(bytes: Uint8Array): DecodedShard {
  const json = inflateJson(bytes, "the uptime");
  if ("problem" in json) return invalid(`${json.problem}; ${REMEDY}`);
  const envelope = SHARD_ENVELOPE.safeParse(json.value);
  if (!envelope.success) return invalid(`this is not a shard of status-snapshot; ${REMEDY}`);
  const { version } = envelope.data;
  if (version > SHARD_VERSION) return invalid(tooNew(version));
  if (version < OLDEST_VERSION) return invalid(tooOld(version));
  const wire = readWire(LAYOUTS.get(version) ?? SHARD_V4, json.value);
  return "problem" in wire
    ? invalid(`the uptime is damaged: ${wire.problem}; ${REMEDY}`)
    : { kind: "ok", shard: fromWire(wire.value) };
}

function invalid(message: string): DecodedShard {
  return { kind: "invalid", message };
}

const REMEDY =
  "restore it from a copy, or move it away: the uptime of its monitors then starts again";

function tooNew(version: number): string {
  return (
    `the uptime was written by a newer version of status-snapshot (layout ${version}; this one reads up to ` +
    `${SHARD_VERSION}); upgrade status-snapshot, or name another place with --state`
  );
}

function tooOld(version: number): string {
  return (
    `the uptime has layout ${version}, which no release ever wrote (this version reads ${OLDEST_VERSION} to ` +
    `${SHARD_VERSION}); move it away: the uptime of its monitors then starts again; or run an earlier commit of ` +
    `status-snapshot, which reads it`
  );
}

function readWire(schema: z.ZodType<StoredShard>, json: unknown): Reading<ShardV4> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { problem: describe(parsed.error) };
  const wire = migrateShard(parsed.data);
  const problem = findMisfit(wire);
  return problem === undefined ? { value: wire } : { problem };
}

function describe(error: z.ZodError): string {
  const [first] = error.issues;
  return first === undefined ? "unknown damage" : `${first.path.join(".")}: ${first.message}`;
}
