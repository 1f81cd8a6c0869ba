import { SECOND_MS } from "../../model/time.ts";
import type { AskDependencies } from "../channels/ask.ts";
import type { BotMessage } from "../channels/bot.ts";
import { type ExecDependencies, sendExec } from "../channels/exec.ts";
import { MAX_CHARACTERS, sendMax } from "../channels/max.ts";
import { sendTelegram, TELEGRAM_CHARACTERS } from "../channels/telegram.ts";
import { sendWebhook } from "../channels/webhook.ts";
import type { SendResult } from "../rules/change.ts";
import type { OpenChannel, ServiceChannel } from "./channel.ts";
import {
  type ChannelMessage,
  type RenderContext,
  renderHtml,
  renderMessage,
  toPayload,
  toPlain,
} from "./render-message.ts";

/** Source: https://core.telegram.org/bots/faq, "My bot is hitting limits"; MAX allows two. */
const BETWEEN_MESSAGES_MS = SECOND_MS;

/** What a program can show at most. */
const EXEC_CHARACTERS = 16_384;

export interface ChannelDependencies extends AskDependencies, ExecDependencies {
  readonly baseUrl: string;
  /** The name of a service in a language. */
  readonly nameOf: (slug: string, language: ServiceChannel["language"]) => string;
  readonly wallMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Sends a message to a channel of the operator. Never rejects, and no receiver is ever gone. */
export type SendToChannel = (open: OpenChannel, message: ChannelMessage) => Promise<SendResult>;

/**
 * Sends to channels, with a second between two messages to one chat. What a receiver says of a failure is told without the secrets.
 *
 * @param secrets of all channels.
 */
export function createSender(
  secrets: readonly string[],
  deps: () => ChannelDependencies,
): SendToChannel {
  const freeAtMs = new Map<string, number>();
  return async (open, message) => {
    const known = deps();
    const { wallMs, sleep } = known;
    const place = placeOf(open.channel);
    const nowMs = wallMs();
    const turnMs = Math.max(nowMs, freeAtMs.get(place) ?? 0);
    freeAtMs.set(place, turnMs + BETWEEN_MESSAGES_MS);
    if (turnMs > nowMs) await sleep(turnMs - nowMs);
    const result = await send(open, message, known);
    if (result.kind === "delivered") return result;
    // The operator has named it, so the operator is told, and it is tried again.
    if (result.kind === "gone") return { kind: "failed", reason: "status 410" };
    return { ...result, reason: hide(result.reason, secrets) };
  };
}

/** The text without the secrets in it. */
export function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (left, secret) => (secret === "" ? left : left.replaceAll(secret, "…")),
    text,
  );
}

/** Channels with the same place share its limit. */
function placeOf(channel: ServiceChannel): string {
  return channel.kind === "telegram" || channel.kind === "max"
    ? `${channel.base} ${channel.chat}`
    : channel.id;
}

function send(
  { channel, secret }: OpenChannel,
  message: ChannelMessage,
  deps: ChannelDependencies,
): Promise<SendResult> {
  const { language } = channel;
  const context: RenderContext = {
    baseUrl: deps.baseUrl,
    language,
    nameOf: (slug) => deps.nameOf(slug, language),
  };
  switch (channel.kind) {
    case "telegram":
      return sendTelegram(
        { ...channel, token: secret },
        toBot(message, context, TELEGRAM_CHARACTERS),
        deps,
      );
    case "max":
      return sendMax({ ...channel, token: secret }, toBot(message, context, MAX_CHARACTERS), deps);
    case "webhook": {
      const payload = toPayload(message, context);
      const receiver = { url: channel.url, secret };
      return sendWebhook(receiver, { id: message.id, payload }, deps.wallMs(), deps);
    }
    case "exec": {
      const text = toPlain(renderMessage(message, context, EXEC_CHARACTERS));
      const object = { id: message.id, ...toPayload(message, context), language, text };
      return sendExec(channel, object, deps);
    }
  }
}

function toBot(message: ChannelMessage, context: RenderContext, most: number): BotMessage {
  const edits = message.kind === "test" ? undefined : message.edits;
  return { ...renderHtml(message, context, most), ...(edits === undefined ? {} : { edits }) };
}
