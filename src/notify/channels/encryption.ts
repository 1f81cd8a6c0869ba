import webPush from "web-push";
import type { PushReceiver } from "../../model/monitor/visitor.ts";

/** How messages are encrypted: RFC 8188. */
export const CODING = "aes128gcm";

/** A message, and the browser that it is for. */
export interface EncryptionJob extends Pick<PushReceiver, "p256dh" | "auth"> {
  readonly payload: string;
}

/** Encrypts a message for its browser (RFC 8291). Returns undefined if the keys of the browser are not valid. Never throws. */
export function encrypt({ p256dh, auth, payload }: EncryptionJob): Uint8Array | undefined {
  try {
    return webPush.encrypt(p256dh, auth, payload, CODING).cipherText;
  } catch {
    return undefined;
  }
}
