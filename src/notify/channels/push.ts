import { createHash } from "node:crypto";
import webPush from "web-push";
import type { PushReceiver } from "../../model/monitor/visitor.ts";
import { FAILURE_CODES, rowOf } from "../../model/failures.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../model/time.ts";
import type { SendResult } from "../rules/change.ts";
import { type AskDependencies, resultOf } from "./ask.ts";
import { CODING, createEncryptor } from "./encryptor.ts";
import { createKeptAsker } from "./kept-connections.ts";

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

/** A failure that says nothing of the browser. */
const unheard = (reason: string): SendResult => ({ kind: "failed", reason, isUnheard: true });

export type PushClient = ReturnType<typeof createPushClient>;

/**
 * A client for one notifier. It sends to the services of browsers, which are few and serve many: connections are kept, and a signature is
 * used again. `contact` is whom a service can ask about our messages, `mailto:` or `https:`. Neither function rejects.
 */
export function createPushClient(keys: PushKeys, deps: AskDependencies) {
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
    if (signature === undefined) return unheard("contact-refused");
    const headers = { ...named, Authorization: signature };
    const answer = await ask(url, body === undefined ? { headers } : { headers, body });
    silence.note(url.origin, answer.kind === "failed" ? answer.reason : undefined);
    return answer.kind === "failed" ? unheard(answer.reason) : resultOf(answer, GONE);
  };
  return {
    /**
     * Sends a notice to a browser, encrypted for it (RFC 8291). A subscription with invalid keys is gone; one at a service that has left
     * messages unanswered fails at once.
     */
    send: async (
      receiver: PushReceiver,
      notice: PushNotice,
      contact: string,
    ): Promise<SendResult> => {
      const { p256dh, auth, endpoint } = receiver;
      const reason = silence.reasonOf(new URL(endpoint).origin);
      if (reason !== undefined) return unheard(reason);
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
    /** Asks the service of a browser whether it knows it, by a message that is not shown (RFC 8030, section 5.2: a TTL of 0). */
    try: (receiver: PushReceiver, contact: string): Promise<SendResult> =>
      post(receiver, contact, { TTL: "0", Urgency: "very-low" }),
  };
}

/** A signature of the library is valid for twelve hours; one with less than eleven left is made again. */
const SIGNED_AGAIN_MS = HOUR_MS;

/** Strangers can name many services: of so many, something is known. */
const MAX_KNOWN = 1_000;

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
    if (known.size >= MAX_KNOWN) known.clear();
    const value = sign(origin, contact);
    known.set(key, { atMs, value });
    return value;
  };
}

/** A later message with the same topic replaces one that was not delivered yet: at most 32 letters of base64url. */
function topicOf(tag: string): string {
  return createHash("sha256").update(tag).digest("base64url").slice(0, 32);
}

/** A service that lets so many messages in a row wait to the end is silent: a lossy way would let some of them through. */
const SILENT_AFTER = 20;

/** How often one message asks a silent service whether it answers again. */
const ASKED_AGAIN_MS = 30 * SECOND_MS;

const TIME_OUTS: ReadonlySet<string> = new Set(
  FAILURE_CODES.filter((code) => rowOf(code).loss === "time-out"),
);

/**
 * Tells the services that do not answer: a message to one takes ten seconds, in a place that messages to others wait for. For thousands of
 * browsers of one such service, all others would wait for hours.
 *
 * @param nowMs a monotonic clock.
 */
export function createSilenceGuard(nowMs: () => number) {
  /** `reason`: code of the last time-out. */
  const known = new Map<string, { count: number; reason: string; askedAtMs: number }>();
  return {
    /** How a message to this service would end; undefined: it may be sent. */
    reasonOf(service: string): string | undefined {
      const silence = known.get(service);
      if (silence === undefined || silence.count < SILENT_AFTER) return undefined;
      if (nowMs() - silence.askedAtMs < ASKED_AGAIN_MS) return silence.reason;
      known.set(service, { ...silence, askedAtMs: nowMs() });
      return undefined;
    },
    /** Takes how a message to this service has ended: the code of a failure, or undefined for an answer. */
    note(service: string, failure: string | undefined): void {
      if (failure === undefined || !TIME_OUTS.has(failure)) return void known.delete(service);
      const count = (known.get(service)?.count ?? 0) + 1;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(service, { count, reason: failure, askedAtMs: nowMs() });
    },
  };
}
