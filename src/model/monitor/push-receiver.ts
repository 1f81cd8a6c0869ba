/** A subscription of a browser: where a message for it goes, and what it is encrypted with (RFC 8291). */
export interface PushReceiver {
  /** At the service of the browser's maker. A program that knows it can send there, so it stands in no log and no answer. */
  readonly endpoint: string;
  /** Public key of the browser, base64url. */
  readonly p256dh: string;
  /** Secret of the subscription, base64url. */
  readonly auth: string;
}

/** An uncompressed point of P-256 as base64url: 65 bytes, the first of which is 4. Source: RFC 8291, section 3.2. */
export const P256_POINT: RegExp = /^B[A-Za-z0-9_-]{86}$/u;

/** 16 bytes as base64url. Source: RFC 8291, section 3.2. */
export const AUTH_SECRET: RegExp = /^[A-Za-z0-9_-]{22}$/u;

/** A key without the padding that some browsers write. */
export function withoutPadding(base64url: string): string {
  return base64url.replace(/=+$/u, "");
}
