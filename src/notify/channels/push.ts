import { createHash } from "node:crypto";
import webPush from "web-push";
import type { PushReceiver } from "../../model/monitor/visitor.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../model/time.ts";
import type { SendResult } from "../rules/change.ts";
import { type AskDependencies, resultOf } from "./ask.ts";
import { CODING } from "./encryption.ts";
import { createEncryptor } from "./encryptor.ts";
import { createKeptAsker } from "./kept-connections.ts";
import { createSilenceGuard } from "./silence.ts";

/** The subscription has ended. Source: RFC 8030, section 7.3; services of browsers also say 410. */
const GONE = [404, 410];

/** A service keeps a message for a browser that is off. An older one would only confuse. */
const TTL_S = DAY_MS / SECOND_MS;

/** Keys that the services of browsers know us by (RFC 8292): an uncompressed point of P-256 and its scalar, base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface PushNotice {
  readonly title: string;
  readonly body: string;
  /** A later notice with the same tag replaces it. */
  readonly tag: string;
  readonly url: string;
}

/**
 * Sends to the services of browsers, which are few and serve many: connections are kept, and a signature is used again. `contact` is whom a
 * service can ask about our messages, `mailto:` or `https:`. Neither rejects.
 */
export interface PushClient {
  /**
   * Sends a notice to a browser, encrypted for it (RFC 8291). A subscription with invalid keys is gone; one at a service that has left
   * messages unanswered fails at once.
   */
  readonly send: (
    receiver: PushReceiver,
    notice: PushNotice,
    contact: string,
  ) => Promise<SendResult>;
  /** Asks the service of a browser whether it knows it, by a message that is not shown (RFC 8030, section 5.2: a TTL of 0). */
  readonly try: (receiver: PushReceiver, contact: string) => Promise<SendResult>;
}

/** A client for one notifier. */
export function createPushClient(keys: PushKeys, deps: AskDependencies): PushClient {
  const [ask, sign, encrypt] = [createKeptAsker(deps), createSigner(keys), createEncryptor()];
  const silence = createSilenceGuard(() => performance.now());
  const post = async (
    { endpoint }: PushReceiver,
    contact: string,
    named: Readonly<Record<string, string>>,
    body?: Uint8Array,
  ): Promise<SendResult> => {
    const url = new URL(endpoint);
    const signature = sign(url.origin, contact);
    if (signature === undefined) return { kind: "failed", reason: "contact-refused" };
    const headers = { ...named, Authorization: signature };
    const answer = await ask(url, body === undefined ? { headers } : { headers, body });
    silence.note(url.origin, answer.kind === "failed" ? answer.reason : undefined);
    return resultOf(answer, GONE);
  };
  return {
    send: async (receiver, notice, contact) => {
      const { p256dh, auth, endpoint } = receiver;
      const reason = silence.reasonOf(new URL(endpoint).origin);
      if (reason !== undefined) return { kind: "failed", reason };
      const body = await encrypt({ p256dh, auth, payload: JSON.stringify(notice) });
      if (body === undefined) return { kind: "gone" };
      const headers = {
        TTL: String(TTL_S),
        Urgency: "high",
        Topic: topicOf(notice.tag),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": CODING,
      };
      return post(receiver, contact, headers, body);
    },
    try: (receiver, contact) => post(receiver, contact, { TTL: "0", Urgency: "very-low" }),
  };
}

/** A signature of the library is valid for twelve hours; one with less than eleven left is made again. */
const SIGNED_AGAIN_MS = HOUR_MS;

/** Strangers can name many services. */
const MAX_SIGNED = 1_000;

/** Says to a service that a message is ours (RFC 8292). To make a signature takes four times as long as to encrypt a message. */
function createSigner({ publicKey, privateKey }: PushKeys) {
  const known = new Map<string, { readonly atMs: number; readonly value: string | undefined }>();
  /** Returns undefined if the library refuses the contact. */
  const sign = (origin: string, contact: string): string | undefined => {
    try {
      return webPush.getVapidHeaders(origin, contact, publicKey, privateKey, CODING).Authorization;
    } catch {
      return undefined;
    }
  };
  return (origin: string, contact: string): string | undefined => {
    const key = `${origin} ${contact}`;
    const atMs = performance.now();
    const before = known.get(key);
    if (before !== undefined && atMs - before.atMs < SIGNED_AGAIN_MS) return before.value;
    if (known.size >= MAX_SIGNED) known.clear();
    const value = sign(origin, contact);
    known.set(key, { atMs, value });
    return value;
  };
}

/** A later message with the same topic replaces one that was not delivered yet: at most 32 letters of base64url. */
function topicOf(tag: string): string {
  return createHash("sha256").update(tag).digest("base64url").slice(0, 32);
}
