import type { SendResult } from "../rules/change.ts";
import { type AskDependencies, boundWait } from "./ask.ts";
import {
  askBot,
  type BotAnswer,
  type BotMessage,
  type BotReceiver,
  type BotSettings,
  botSettings,
  chatOfBot,
  failureIn,
  hasFields,
  toBotMessage,
} from "./bot.ts";
import type { ChannelKind } from "./kind.ts";

/*
 * The Bot API of Telegram: every method is a POST of JSON to /bot<token>/<method>, every answer has `ok`, and else a `description` and
 * perhaps `parameters`. Source: https://core.telegram.org/bots/api, "Making requests", "sendMessage", "editMessageText", "getMe",
 * "getChat", "ResponseParameters".
 */

const API = "https://api.telegram.org";

/** Characters of a message, counted after its tags are read; ours are counted with them. Source: the same, "sendMessage". */
const MAX_CHARACTERS = 4_096;

const NAME_OF_CHAT = /^@[A-Za-z]\w{3,63}$/u;

/** A bot of Telegram. */
export const TELEGRAM: ChannelKind<BotSettings> = {
  settings: botSettings(
    (chat) =>
      NAME_OF_CHAT.test(chat)
        ? undefined
        : 'not a chat; write "@name" of a channel, or the number of a chat in quotes.',
    API,
  ),
  secret: {
    placeOf: ({ token }) => token,
    faultIn: (secret) =>
      /^\d{1,20}:[\w-]{10,}$/u.test(secret)
        ? undefined
        : "token of a Telegram bot, such as 123:ABC…",
  },
  chatOf: chatOfBot,
  mayEdit: true,
  send: (settings, token, letter, deps) =>
    sendTelegram({ ...settings, token }, toBotMessage(letter, MAX_CHARACTERS), deps),
  test: (settings, token, deps) => tryTelegram({ ...settings, token }, deps),
  found: "the bot and its chat answer",
  remedy:
    "Compare the token with that of @BotFather, and make the bot an administrator of the chat.",
};

/**
 * Sends a message, or changes one. A message that can no longer be changed is followed by a new one. A chat that refuses is a failure like any other:
 * the operator can let the bot in again. Never rejects.
 */
export async function sendTelegram(
  receiver: BotReceiver,
  message: BotMessage,
  deps: AskDependencies,
): Promise<SendResult> {
  const { edits, html, isSilent } = message;
  const content = {
    chat_id: receiver.chat,
    text: html,
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  };
  if (edits !== undefined) {
    const changed = { ...content, message_id: Number(edits) };
    const answer = await call(receiver, "editMessageText", changed, deps);
    if (isDone(answer) || isUnchanged(answer)) return { kind: "delivered" };
    // 400: it was deleted, or may no longer be changed.
    if (answer.kind === "failed" || answer.status !== 400) return toFailure(answer, receiver);
  }
  const sent = { ...content, disable_notification: isSilent };
  const answer = await call(receiver, "sendMessage", sent, deps);
  if (isDone(answer)) return deliveredAs(answer);
  const chat = newChatIn(answer);
  if (chat === undefined) return toFailure(answer, receiver);
  const again = await call(receiver, "sendMessage", { ...sent, chat_id: chat }, deps);
  return isDone(again) ? { ...deliveredAs(again), note: toldOf(chat) } : toFailure(again, receiver);
}

/** A group that became a supergroup has another number. Source: the same, "ResponseParameters". */
function newChatIn(answer: BotAnswer): number | undefined {
  const parameters = answer.kind === "answer" ? answer.content?.["parameters"] : undefined;
  const chat = hasFields(parameters) ? parameters["migrate_to_chat_id"] : undefined;
  return typeof chat === "number" && Number.isSafeInteger(chat) ? chat : undefined;
}

function toldOf(chat: number): string {
  return `The group has become a supergroup: write chat: "${chat}" in the file of channels.`;
}

/** What the bot and its chat say, without a message; undefined if both are in order. Never rejects. */
export async function tryTelegram(
  receiver: BotReceiver,
  deps: AskDependencies,
): Promise<string | undefined> {
  for (const [method, content] of [
    ["getMe", {}],
    ["getChat", { chat_id: receiver.chat }],
  ] as const) {
    const answer = await call(receiver, method, content, deps);
    const chat = newChatIn(answer);
    if (chat !== undefined) return toldOf(chat);
    if (!isDone(answer)) return `${method}: ${toFailure(answer, receiver).reason}`;
  }
  return undefined;
}

function call(
  { base, token }: BotReceiver,
  method: string,
  content: object,
  deps: AskDependencies,
): Promise<BotAnswer> {
  return askBot(new URL(`${base}/bot${token}/${method}`), { method: "POST", content }, deps);
}

type Done = Extract<BotAnswer, { kind: "answer" }> & { readonly status: 200 };

function isDone(answer: BotAnswer): answer is Done {
  return answer.kind === "answer" && answer.status === 200 && answer.content?.["ok"] === true;
}

/** A repetition after an answer that was lost. */
function isUnchanged(answer: BotAnswer): boolean {
  const words = answer.kind === "answer" ? answer.content?.["description"] : undefined;
  return typeof words === "string" && words.includes("message is not modified");
}

function deliveredAs({ content }: Done): Extract<SendResult, { kind: "delivered" }> {
  const result = content?.["result"];
  const id = hasFields(result) ? result["message_id"] : undefined;
  return Number.isSafeInteger(id) ? { kind: "delivered", ref: String(id) } : { kind: "delivered" };
}

function toFailure(
  answer: BotAnswer,
  { token }: BotReceiver,
): Extract<SendResult, { kind: "failed" }> {
  if (answer.kind === "failed") return answer;
  const { content } = answer;
  const parameters = content?.["parameters"];
  const wait = hasFields(parameters) ? parameters["retry_after"] : undefined;
  const retryAfterMs =
    typeof wait === "number" && wait >= 0 ? boundWait(wait) : answer.retryAfterMs;
  const known = retryAfterMs === undefined ? answer : { ...answer, retryAfterMs };
  return failureIn(known, content?.["description"], token);
}
