import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256Of } from "../../http-server/json-api.ts";
import type { OwnerChannel } from "../../model/monitor/owner-channel.ts";
import type { Challenge, OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import { openChallenges } from "../ownership/owner-phase.ts";
import type { WantedChannel } from "../registry/read-request.ts";

/** 128 bits as base64url: 22 characters. */
export function newToken(): string {
  return randomBytes(16).toString("base64url");
}

/** Compares in constant time. Never throws. */
function isKeyOf(keyHash: string, key: string): boolean {
  const [a, b] = [Buffer.from(keyHash), Buffer.from(sha256Of(key))];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a key opens: a monitor, or only the request for a new key that it came with. */
export type Access =
  | { readonly kind: "owner"; readonly owned: OwnedMonitor }
  | { readonly kind: "candidate"; readonly owned: OwnedMonitor; readonly challenge: Challenge };

/** Compared with when there is no such monitor, so that the time tells nothing. */
const NO_KEY = "0".repeat(43);

/** What a key opens of a monitor; undefined if nothing. */
export function accessByKey(
  owned: OwnedMonitor | undefined,
  key: string | undefined,
  nowMs: number,
): Access | undefined {
  const isOwner = isKeyOf(owned?.keyHash ?? NO_KEY, key ?? "");
  if (owned === undefined || key === undefined) return undefined;
  if (isOwner) return { kind: "owner", owned };
  const challenge = openChallenges(owned, nowMs).find(
    ({ goal }) => goal.kind === "key" && isKeyOf(goal.keyHash, key),
  );
  return challenge && { kind: "candidate", owned, challenge };
}

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 24;

/** A channel with an id of its own, and for a webhook the secret that signs it. */
export function toChannel(wanted: WantedChannel, nowMs: number): OwnerChannel {
  const base = { id: newToken(), addedAtMs: nowMs };
  if (wanted.kind === "push") return { ...base, ...wanted };
  return { ...base, ...wanted, secret: `whsec_${randomBytes(SECRET_BYTES).toString("base64")}` };
}
