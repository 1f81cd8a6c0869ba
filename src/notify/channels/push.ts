import { createHash } from "node:crypto";
import webPush from "web-push";
import type { PushReceiver } from "../../model/monitor/visitor.ts";
import { DAY_MS, SECOND_MS } from "../../model/time.ts";
import type { SendResult } from "../rules/change.ts";
import { type AskDependencies, post } from "./ask.ts";

/** The subscription has ended. Source: RFC 8030, section 7.3; services of browsers also say 410. */
const GONE = [404, 410];

/** A service keeps a message for a browser that is off. An older one would only confuse. */
const TTL_S = DAY_MS / SECOND_MS;

/** Keys that the services of browsers know us by (RFC 8292). */
export interface PushKeys {
  /** Uncompressed point of P-256, base64url. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** `mailto:` or `https:`: whom a service can ask about our messages. */
  readonly contact: string;
}

export interface PushNotice {
  readonly title: string;
  readonly body: string;
  /** A later notice with the same tag replaces it. */
  readonly tag: string;
  readonly url: string;
}

/** Sends a notice to a browser, encrypted for it (RFC 8291). A subscription with invalid keys is gone. Never rejects. */
export function sendPush(
  receiver: PushReceiver,
  notice: PushNotice,
  keys: PushKeys,
  deps: AskDependencies,
): Promise<SendResult> {
  const options = { TTL: TTL_S, urgency: "high", topic: topicOf(notice.tag) } as const;
  return sendEncrypted(receiver, JSON.stringify(notice), options, keys, deps);
}

async function sendEncrypted(
  { endpoint, p256dh, auth }: PushReceiver,
  payload: string | undefined,
  options: webPush.RequestOptions,
  { publicKey, privateKey, contact }: PushKeys,
  deps: AskDependencies,
): Promise<SendResult> {
  let details;
  try {
    details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      ...options,
      vapidDetails: { subject: contact, publicKey, privateKey },
    });
  } catch {
    return { kind: "gone" };
  }
  const { body } = details as { readonly body: Buffer | null };
  // Its types say that all are texts; `TTL` is a number.
  const written = Object.entries(details.headers as Record<string, string | number>);
  const headers = Object.fromEntries(written.map(([name, value]) => [name, `${value}`]));
  return post(endpoint, { headers, ...(body === null ? {} : { body }) }, GONE, deps);
}

/** Asks the service of a browser whether it knows it, by a message that is not shown (RFC 8030, section 5.2: a TTL of 0). Never rejects. */
export function tryPush(
  receiver: PushReceiver,
  keys: PushKeys,
  deps: AskDependencies,
): Promise<SendResult> {
  return sendEncrypted(receiver, undefined, { TTL: 0, urgency: "very-low" }, keys, deps);
}

/** A later message with the same topic replaces one that was not delivered yet: at most 32 letters of base64url. */
function topicOf(tag: string): string {
  return createHash("sha256").update(tag).digest("base64url").slice(0, 32);
}
