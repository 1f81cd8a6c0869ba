import { gzipSync } from "node:zlib";
import * as z from "zod";
import { AUTH_SECRET, P256_POINT } from "../../model/monitor/push-receiver.ts";
import type { VisitorShard } from "../../model/monitor/visitor.ts";
import { inflateJson } from "./inflate-json.ts";
import { sortPairs } from "./sort-pairs.ts";

const FORMAT = "status-snapshot/visitors";
const VERSION = 1;

const HASH = z.string().regex(/^[A-Za-z0-9_-]{43}$/u);

const VISITOR = z.strictObject({
  id: HASH,
  endpoint: z.url(),
  p256dh: z.string().regex(P256_POINT),
  auth: z.string().regex(AUTH_SECRET),
  tokenHash: HASH,
  language: z.enum(["ru", "en"]),
  services: z.array(z.string()).readonly(),
  renewedAtMs: z.number().min(0),
  isUntried: z.exactOptional(z.literal(true)),
});

const SHARD = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  visitors: z.array(VISITOR).readonly(),
});

/** The browsers in it have to subscribe again. */
const REMEDY = "restore it from a copy, or remove it";

/** Decoded subscriptions, or why the bytes are none. */
export type DecodedVisitors =
  | { readonly kind: "ok"; readonly shard: VisitorShard }
  | { readonly kind: "invalid"; readonly message: string };

/** The shard as bytes: gzip over JSON, in the order of the ids. Throws if it does not fit its own layout. */
export function encodeVisitorShard(shard: VisitorShard): Uint8Array {
  const visitors = sortPairs(shard).map(([, one]) => one);
  const wire = SHARD.parse({ format: FORMAT, version: VERSION, visitors });
  return gzipSync(JSON.stringify(wire), { level: 4 });
}

/** The shard in the bytes. Never throws. */
export function decodeVisitorShard(bytes: Uint8Array): DecodedVisitors {
  const name = "the list of subscriptions";
  const json = inflateJson(bytes, name);
  if ("problem" in json) return { kind: "invalid", message: `${json.problem}; ${REMEDY}` };
  const parsed = SHARD.safeParse(json.value);
  if (parsed.success)
    return { kind: "ok", shard: new Map(parsed.data.visitors.map((one) => [one.id, one])) };
  const [first] = parsed.error.issues;
  const where = `${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`;
  return { kind: "invalid", message: `${name} is damaged: ${where}; ${REMEDY}` };
}
