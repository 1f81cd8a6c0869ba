import { TOKEN_SOURCE } from "../ids.ts";

/* The forms of keys of push messages, without zod, because the command line reads one. */

/** An uncompressed point of P-256 as base64url: 65 bytes, the first of which is 4. Source: RFC 8291, section 3.2. */
export const P256_POINT: RegExp = /^B[A-Za-z0-9_-]{86}$/u;

/** 16 bytes as base64url. Source: RFC 8291, section 3.2. */
export const AUTH_SECRET: RegExp = new RegExp(`^${TOKEN_SOURCE}$`, "u");

/** A key without the padding that some browsers write. */
export function withoutPadding(base64url: string): string {
  return base64url.replace(/=+$/u, "");
}
