import * as z from "zod";
import { botKind, type BotRequest, type BotSettings } from "./bot.ts";
import type { ChannelKind } from "./kind.ts";

/*
 * The Bot API of MAX. The token is in the header `Authorization`, because it is no longer taken as a parameter. At most two messages a
 * second to one chat. Sources, as of 2026-11-24: https://dev.max.ru/docs-api, https://dev.max.ru/docs-api/methods/POST/messages,
 * …/methods/PUT/messages, …/objects/NewMessageBody.
 */

const ANSWER = z.object({
  success: z.boolean().catch(false),
  // The message that was sent, or why none was.
  message: z
    .union([z.string(), z.object({ body: z.object({ mid: z.string().min(1) }) })])
    .optional()
    .catch(undefined),
});

export const MAX: ChannelKind<BotSettings> = botKind({
  // Its certificate is issued by the national authority: NODE_EXTRA_CA_CERTS has to name the root. Source: https://dev.max.ru/docs-api
  api: "https://platform-api2.max.ru",
  // Source: https://dev.max.ru/docs-api/objects/NewMessageBody
  maxCharacters: 4_000,
  faultInName: () => "not a chat; write its number in quotes.",
  faultInToken: (token) => (/^[\x21-\x7e]{10,}$/u.test(token) ? undefined : "token of a MAX bot"),
  remedy:
    "Compare the token with that of the bot, make the bot an administrator of the chat, and name the national root in NODE_EXTRA_CA_CERTS.",
  test: ({ chat, token }) => [
    call(token, "GET", "/me"),
    call(token, "GET", `/chats/${encodeURIComponent(chat)}`),
  ],
  send: ({ chat, token }, { html, isSilent }) => {
    const path = `/messages?chat_id=${encodeURIComponent(chat)}&disable_link_preview=true`;
    return call(token, "POST", path, { text: html, format: "html", notify: !isSilent });
  },
  edit: ({ token }, { html }, ref) => {
    const path = `/messages?message_id=${encodeURIComponent(ref)}`;
    return call(token, "PUT", path, { text: html, format: "html", notify: false });
  },
  goneStatuses: [200, 400, 404],
  read: (status, content) => {
    const { data } = ANSWER.safeParse(content);
    const isDone = status === 200 && data !== undefined;
    const message = data?.message;
    return {
      isDone,
      isEdited: isDone && data.success,
      words: typeof message === "string" ? message : "",
      ref: typeof message === "string" ? undefined : message?.body.mid,
    };
  },
});

function call(
  token: string,
  method: BotRequest["method"],
  path: string,
  content?: object,
): BotRequest {
  return { name: `${method} ${path}`, path, method, headers: { authorization: token }, content };
}
