import { LANGUAGE } from "./push-subscription.ts";
import { HASH } from "./owner-channel.ts";
import { P256_POINT, AUTH_SECRET } from "./push-keys.ts";
import * as z from "zod";
import { shardAmong } from "./shard.ts";
import { listOf, type Stored } from "../stored-parts.ts";
import { DAY_MS } from "../time.ts";

export const VISITOR = z.strictObject({
  /** SHA-256 of the endpoint, base64url. */
  id: HASH,
  /** At the service of the browser's maker. A program that knows it can send there, so it stands in no log and no answer. */
  endpoint: z.url(),
  /** Public key of the browser, base64url. */
  p256dh: z.string().regex(P256_POINT),
  /** Secret of the subscription, base64url. */
  auth: z.string().regex(AUTH_SECRET),
  /** SHA-256 of the token that changes the record, base64url. */
  tokenHash: HASH,
  language: LANGUAGE,
  /** Slugs, ascending. */
  services: listOf(z.string()),
  /** When the browser was last heard of. */
  renewedAtMs: z.number().min(0),
  /** Its service has not taken a message yet, so it may be made up. A newer record may take its place. */
  isUntried: z.exactOptional(z.literal(true)),
});

/** A browser that is told about services. Nothing else is known of its visitor. Source: docs/notify.md, "Visitors' browsers". */
export type Visitor = Stored<typeof VISITOR>;

/** A subscription of a browser: where a message for it goes, and what it is encrypted with (RFC 8291). */
export type PushReceiver = Pick<Visitor, "endpoint" | "p256dh" | "auth">;

/** Visitors of one object of the state store, by id. */
export type VisitorShard = ReadonlyMap<string, Visitor>;

/** A browser that was not heard of for so long is forgotten. Its page renews the record on a visit. */
export const VISITOR_KEPT_MS: number = 365 * DAY_MS;

/** Objects that the visitors are spread over. Never changes: another number would look for every record in another place. */
export const VISITOR_SHARDS = 256;

/** Visitors of one object at most: 204,800 in all. Ids are hashes, so the objects fill evenly. */
export const MAX_IN_SHARD = 800;

/** The object of a visitor, 0 to 255. */
export function visitorShardOf(id: string): number {
  return shardAmong(VISITOR_SHARDS, id);
}

/** When the record of a visitor ends unless it is renewed. */
export function visitorEndMs({ renewedAtMs }: Visitor): number {
  return renewedAtMs + VISITOR_KEPT_MS;
}
