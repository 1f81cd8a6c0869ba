import { createDecipheriv, createECDH, type ECDH, hkdfSync } from "node:crypto";

/** A browser that has subscribed: its keys, and what it makes of a message. */
export interface Subscriber {
  /** As `PushSubscription.toJSON()` has them. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The text of an encrypted message. Throws if it is not for this browser. */
  readonly decrypt: (body: Buffer) => string;
}

/** A second implementation of RFC 8291 and RFC 8188, from their texts. */
export function createSubscriber(seed = 1): Subscriber {
  const own = createECDH("prime256v1");
  own.setPrivateKey(Buffer.alloc(32, seed));
  const auth = Buffer.alloc(16, seed + 1);
  return {
    keys: { p256dh: own.getPublicKey().toString("base64url"), auth: auth.toString("base64url") },
    decrypt: (body) => decrypt(body, own, auth),
  };
}

function decrypt(body: Buffer, own: ECDH, auth: Buffer): string {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender]);
  const ikm = Buffer.from(hkdfSync("sha256", own.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", ikm, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // A 2 ends the last record; zeros may follow it.
  return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
}
