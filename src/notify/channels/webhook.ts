import { Webhook } from "standardwebhooks";
import type { SendResult } from "../rules/change.ts";
import { type AskDependencies, askReceiver, faultInWay, GLANCED_BYTES, resultOf } from "./ask.ts";
import { type ChannelKind, type Letter, SECRET, type SecretPlace, URL_TEXT } from "./kind.ts";

/** A receiver that answers so wants no more. Source: Standard Webhooks, "Responding to webhooks". */
const GONE = [410];

/** A receiver of signed requests. */
export const WEBHOOK: ChannelKind<{ readonly url: string; readonly secret: SecretPlace }> = {
  settings: { url: URL_TEXT, secret: SECRET },
  secret: {
    placeOf: ({ secret }) => secret,
    faultIn: (secret) => {
      const [, encoded] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/u.exec(secret) ?? [];
      const { length } = Buffer.from(encoded ?? "", "base64");
      if (length >= 24 && length <= 64) return undefined;
      return "secret of a webhook: whsec_ and 24 to 64 bytes in base64";
    },
  },
  mayEdit: false,
  send: ({ url }, secret, letter, deps) =>
    sendWebhook({ url, secret }, letter, deps.wallMs(), deps),
  test: ({ url }, _, deps) => faultInWay(new URL(url), deps),
  found: "its server can be connected to; whether it takes messages, `notify test` shows",
  remedy: "Compare the URL; --allow-private and --allow-port permit your own.",
};

export type WebhookMessage = Pick<Letter, "id" | "payload">;

/**
 * Sends a message as Standard Webhooks says: signed with the secret, with an id and a time. A stranger may have named the receiver: the
 * message goes through the guards of a probe. Never rejects. Source:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function sendWebhook(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, payload }: WebhookMessage,
  nowMs: number,
  deps: AskDependencies,
): Promise<SendResult> {
  const text = JSON.stringify(payload);
  const sentAt = new Date(nowMs);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(nowMs / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, sentAt, text),
  };
  const request = { method: "POST", headers, body: new TextEncoder().encode(text) } as const;
  return resultOf(await askReceiver(new URL(url), request, GLANCED_BYTES, deps), GONE);
}
