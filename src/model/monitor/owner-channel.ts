import type { PushReceiver } from "./visitor.ts";
import type { MonitorCondition } from "./uptime.ts";

/** Channels of one monitor at most. Source: docs/monitors/owners.md, "Alerts". */
export const MAX_CHANNELS = 5;

/** What both kinds of channels have. */
interface ChannelBase {
  /** 128 random bits as base64url: unguessable, because it stands in URLs. */
  readonly id: string;
  readonly addedAtMs: number;
  /** Since when nothing is sent, because the receiver has refused for good or for days. Absent: it works as far as is known. */
  readonly stoppedAtMs?: number;
}

/** A request to a URL of the owner, signed as Standard Webhooks says. */
export interface WebhookChannel extends ChannelBase {
  readonly kind: "webhook";
  readonly url: string;
  /** `whsec_` and 24 bytes as base64. It is given once; only we and the receiver know it. */
  readonly secret: string;
}

/** A message to a browser, encrypted for it (RFC 8291). */
export interface PushChannel extends ChannelBase, PushReceiver {
  readonly kind: "push";
  readonly language: "ru" | "en";
}

/** Where an owner is told that the site fails or works again. */
export type OwnerChannel = WebhookChannel | PushChannel;

/** What an owner is told. `added`: a channel was added, so that its owner sees that it works. */
export type OwnerChange = {
  /** Ascending without gaps. */
  readonly seq: number;
  /** Of the monitor. */
  readonly id: string;
  /** Of the run, or of the edit. */
  readonly atMs: number;
} & (
  | {
      readonly kind: "condition";
      readonly before: MonitorCondition;
      /** When `before` began. */
      readonly sinceMs: number;
      readonly after: "healthy" | "failing";
      /** Of the failure. */
      readonly code?: string;
    }
  | { readonly kind: "added"; readonly channelId: string }
);

/** An outbox: changes of monitors with channels, written in the generation that made them, so that each exists once. */
export interface OwnerChanges {
  /** Number of the next change, from 1. */
  readonly next: number;
  /** The oldest first. */
  readonly recent: readonly OwnerChange[];
}

export const NO_OWNER_CHANGES: OwnerChanges = { next: 1, recent: [] };
