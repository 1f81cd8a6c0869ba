import * as z from "zod";
import { boundWait } from "./ask.ts";
import {
  botKind,
  type BotMessage,
  type BotReceiver,
  type BotRequest,
  type BotSettings,
} from "./bot.ts";
import type { ChannelKind } from "./kind.ts";

/*
 * The Bot API of Telegram: every method is a POST of JSON to /bot<token>/<method>, every answer has `ok`, and else a `description` and
 * perhaps `parameters`. Source: https://core.telegram.org/bots/api, "Making requests", "sendMessage", "editMessageText", "getMe",
 * "getChat", "ResponseParameters".
 */

const NAME_OF_CHAT = /^@[A-Za-z]\w{3,63}$/u;

const ANSWER = z.object({
  ok: z.boolean().catch(false),
  description: z.string().catch(""),
  result: z.object({ message_id: z.int() }).optional().catch(undefined),
  parameters: z
    .object({
      retry_after: z.number().min(0).optional().catch(undefined),
      // A group that became a supergroup has another number.
      migrate_to_chat_id: z.int().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

export const TELEGRAM: ChannelKind<BotSettings> = botKind({
  api: "https://api.telegram.org",
  // Counted after the tags are read; ours are counted with them. Source: "sendMessage".
  maxCharacters: 4_096,
  faultInName: (chat) =>
    NAME_OF_CHAT.test(chat)
      ? undefined
      : 'not a chat; write "@name" of a channel, or the number of a chat in quotes.',
  faultInToken: (token) =>
    /^\d{1,20}:[\w-]{10,}$/u.test(token) ? undefined : "token of a Telegram bot, such as 123:ABC…",
  remedy:
    "Compare the token with that of @BotFather, and make the bot an administrator of the chat.",
  test: ({ chat, token }) => [call(token, "getMe", {}), call(token, "getChat", { chat_id: chat })],
  send: (receiver, message) =>
    call(receiver.token, "sendMessage", {
      ...toContent(receiver, message),
      disable_notification: message.isSilent,
    }),
  edit: (receiver, message, ref) =>
    call(receiver.token, "editMessageText", {
      ...toContent(receiver, message),
      message_id: Number(ref),
    }),
  // It was deleted, or may no longer be changed.
  goneStatuses: [400],
  read: (status, content) => {
    const { ok, description = "", result, parameters } = ANSWER.safeParse(content).data ?? {};
    const isDone = status === 200 && ok === true;
    const waitS = parameters?.retry_after;
    return {
      isDone,
      // A repetition after an answer that was lost changes nothing.
      isEdited: isDone || description.includes("message is not modified"),
      words: description,
      ref: result?.message_id.toString(),
      retryAfterMs: waitS === undefined ? undefined : boundWait(waitS),
      movedTo: parameters?.migrate_to_chat_id,
    };
  },
});

function toContent({ chat }: BotReceiver, { html }: BotMessage): object {
  return {
    chat_id: chat,
    text: html,
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  };
}

function call(token: string, name: string, content: object): BotRequest {
  return { name, path: `/bot${token}/${name}`, method: "POST", content };
}
