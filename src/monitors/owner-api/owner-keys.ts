import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bits as base64url: 43 characters. */
export function newKey(): string {
  return randomBytes(32).toString("base64url");
}

/** 128 bits as base64url: 22 characters. */
export function newToken(): string {
  return randomBytes(16).toString("base64url");
}

/** SHA-256 as base64url. A key has so many bits that no slower hash is needed. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** Compares in constant time. Never throws. */
export function isKeyOf(keyHash: string, key: string): boolean {
  const [a, b] = [Buffer.from(keyHash), Buffer.from(hashKey(key))];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The key in `Authorization: Bearer …` (RFC 6750); undefined if there is none of the right form. */
export function keyIn(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9_-]{43})$/iu.exec(authorization ?? "")?.[1];
}
