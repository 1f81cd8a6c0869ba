import { gzipSync } from "node:zlib";
import * as z from "zod";
import type { OwnerEdit, OwnerShard } from "../../model/monitor/owned-monitor.ts";
import { inflateJson } from "./inflate-json.ts";
import { OWNED_MONITOR, OWNER_EDIT } from "./owned-monitor.ts";
import { sortPairs } from "./sort-pairs.ts";

const SHARD_FORMAT = "status-snapshot/owners";
const EDITS_FORMAT = "status-snapshot/owner-edits";
const VERSION = 1;

/** Edits of one object: with the longest texts they stay below a megabyte. */
export const MAX_EDITS_PER_OBJECT = 200;

const SHARD = z.strictObject({
  format: z.literal(SHARD_FORMAT),
  version: z.literal(VERSION),
  sequence: z.int().min(0),
  owned: z.array(OWNED_MONITOR).readonly(),
});

const EDITS = z.strictObject({
  format: z.literal(EDITS_FORMAT),
  version: z.literal(VERSION),
  edits: z.array(OWNER_EDIT).max(MAX_EDITS_PER_OBJECT).readonly(),
});

/** A decoded shard of owned monitors, or why the bytes are none. */
export type DecodedOwnerShard =
  | { readonly kind: "ok"; readonly shard: OwnerShard }
  | { readonly kind: "invalid"; readonly message: string };

/** Decoded edits, or why the bytes are none. */
export type DecodedEdits =
  | { readonly kind: "ok"; readonly edits: readonly OwnerEdit[] }
  | { readonly kind: "invalid"; readonly message: string };

const REMEDY = "restore it from a copy";

/** The shard as bytes: gzip over JSON, in the order of the ids. Throws if it does not fit its own layout. */
export function encodeOwnerShard({ sequence, owned }: OwnerShard): Uint8Array {
  const wire = { format: SHARD_FORMAT, version: VERSION, sequence, owned: sortPairs(owned) };
  const records = wire.owned.map(([, one]) => one);
  return gzipSync(JSON.stringify(SHARD.parse({ ...wire, owned: records })), { level: 4 });
}

/** The shard in the bytes. Never throws. */
export function decodeOwnerShard(bytes: Uint8Array): DecodedOwnerShard {
  const read = readWire(bytes, SHARD, "the list of owned monitors");
  if ("problem" in read) return { kind: "invalid", message: `${read.problem}; ${REMEDY}` };
  const { sequence, owned } = read.value;
  return {
    kind: "ok",
    shard: { sequence, owned: new Map(owned.map((one) => [one.monitor.id, one])) },
  };
}

/** Edits as the bytes of an inbox object: JSON. Throws for too many, or if one could not be read back. */
export function encodeEdits(edits: readonly OwnerEdit[]): Uint8Array {
  const wire = EDITS.parse({ format: EDITS_FORMAT, version: VERSION, edits });
  return new TextEncoder().encode(JSON.stringify(wire));
}

/** The edits in the bytes. Never throws. */
export function decodeEdits(bytes: Uint8Array): DecodedEdits {
  const read = readWire(bytes, EDITS, "the inbox of edits");
  return "problem" in read
    ? { kind: "invalid", message: read.problem }
    : { kind: "ok", edits: read.value.edits };
}

function readWire<T>(bytes: Uint8Array, schema: z.ZodType<T>, name: string) {
  const json = inflateJson(bytes, name);
  if ("problem" in json) return json;
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { value: parsed.data };
  const [first] = parsed.error.issues;
  const problem = `${name} is damaged: ${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`;
  return { problem };
}
