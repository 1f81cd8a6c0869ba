import { Webhook } from "standardwebhooks";
import type { SendResult } from "../rules/change.ts";
import { post, type PostDependencies } from "./post.ts";

/** A receiver that answers so wants no more. Source: Standard Webhooks, "Responding to webhooks". */
const GONE = [410];

/** A message of a webhook. */
export interface WebhookMessage {
  /** Equal for a repetition. */
  readonly id: string;
  /** The body. */
  readonly payload: object;
}

/**
 * Sends a message as Standard Webhooks says: signed with the secret, with an id and a time. Never rejects. Source:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function sendWebhook(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, payload }: WebhookMessage,
  nowMs: number,
  deps: Omit<PostDependencies, "goneStatuses">,
): Promise<SendResult> {
  const body = JSON.stringify(payload);
  const sentAt = new Date(nowMs);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(nowMs / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, sentAt, body),
  };
  const request = { method: "POST", headers, body: new TextEncoder().encode(body) } as const;
  return post(url, request, { ...deps, goneStatuses: GONE });
}
