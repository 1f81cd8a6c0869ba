import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import type { OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { SECOND_MS, toUnixSeconds } from "../../model/time.ts";
import { describeAlert, type MonitorAlert } from "../../site/words/alert.ts";
import { type PushKeys, type PushNotice, sendPush } from "../channels/push.ts";
import type { AskDependencies } from "../channels/ask.ts";
import { sendWebhook, type WebhookMessage } from "../channels/webhook.ts";
import type { Message, Notice, SendResult } from "../rules/change.ts";

/** A channel, and the monitor that it belongs to. */
export interface ChannelOfOwner {
  readonly owned: OwnedMonitor;
  readonly channel: OwnerChannel;
}

export interface OwnerSendDependencies extends AskDependencies {
  readonly keys: PushKeys;
  /** Absolute URL of the website, without a slash at its end; undefined: there is none. */
  readonly websiteUrl: string | undefined;
  readonly wallMs: () => number;
}

/** Sends a message to a channel of an owner. Never rejects. */
export function sendToOwner(
  { owned, channel }: ChannelOfOwner,
  message: Message,
  deps: OwnerSendDependencies,
): Promise<SendResult> {
  if (channel.kind === "webhook")
    return sendWebhook(channel, toWebhook(owned, message, deps.websiteUrl), deps.wallMs(), deps);
  const notice = toPush(owned, message, channel.language, deps.websiteUrl);
  return sendPush(channel, notice, deps.keys, deps);
}

/** The one monitor that a channel of an owner hears of. */
function noticeIn({ notices }: Message): Notice | undefined {
  return notices.at(-1);
}

/**
 * The message of a webhook. Source of the form: docs/monitors/owners.md, "Alerts".
 */
function toWebhook(
  { monitor }: OwnedMonitor,
  message: Message,
  websiteUrl: string | undefined,
): WebhookMessage {
  const notice = noticeIn(message);
  const { id, url, name } = monitor;
  return {
    id: message.id,
    payload: {
      type: typeOf(message, notice),
      timestamp: new Date(message.atMs).toISOString(),
      data: {
        id,
        url,
        name,
        ...(pageOf(monitor, websiteUrl) === undefined ? {} : { page: pageOf(monitor, websiteUrl) }),
        ...(notice === undefined ? {} : toData(notice)),
      },
    },
  };
}

function typeOf({ kind }: Message, notice: Notice | undefined): string {
  if (kind === "added") return "channel.added";
  return kind === "flapping" ? "monitor.flapping" : `monitor.${notice?.after ?? "healthy"}`;
}

function toData({ before, after, sinceMs, atMs, code, changes }: Notice): object {
  return {
    before,
    state: after,
    at: toUnixSeconds(atMs),
    /** Length of the state before. */
    beforeSeconds: Math.max(0, Math.round((atMs - sinceMs) / SECOND_MS)),
    ...(code === undefined ? {} : { code }),
    changes,
  };
}

function pageOf(
  { id, isPublic }: OwnedMonitor["monitor"],
  websiteUrl: string | undefined,
): string | undefined {
  return isPublic && websiteUrl !== undefined ? `${websiteUrl}/m/${id}` : undefined;
}

/** What a browser shows. */
function toPush(
  { monitor }: OwnedMonitor,
  message: Message,
  language: "ru" | "en",
  websiteUrl: string | undefined,
): PushNotice {
  const notice = noticeIn(message);
  const alert: MonitorAlert = {
    kind: message.kind === "digest" ? "changed" : message.kind,
    name: monitor.name,
    after: notice?.after === "failing" ? "failing" : "healthy",
    beforeMs: notice === undefined ? 0 : notice.atMs - notice.sinceMs,
    changes: notice?.changes ?? 1,
    ...(notice?.code === undefined ? {} : { code: notice.code }),
  };
  const base = language === "en" ? `${websiteUrl ?? ""}/en` : (websiteUrl ?? "");
  return {
    ...describeAlert(alert, language),
    tag: monitor.id,
    url: monitor.isPublic ? `${base}/m/${monitor.id}` : `${base}/monitor/`,
  };
}
