import type { SendResult } from "../rules/change.ts";
import type { AskDependencies } from "./ask.ts";
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
 * The Bot API of MAX. The token is in the header `Authorization`, because it is no longer taken as a parameter. At most two messages a
 * second to one chat. Sources, as of 2026-11-24: https://dev.max.ru/docs-api, https://dev.max.ru/docs-api/methods/POST/messages,
 * …/methods/PUT/messages, …/objects/NewMessageBody.
 */

/** Its certificate is issued by the national authority: NODE_EXTRA_CA_CERTS has to name the root. Source: https://dev.max.ru/docs-api */
const API = "https://platform-api2.max.ru";

/** Characters of a message. Source: https://dev.max.ru/docs-api/objects/NewMessageBody */
const MAX_CHARACTERS = 4_000;

/** A bot of MAX. */
export const MAX: ChannelKind<BotSettings> = {
  settings: botSettings(() => "not a chat; write its number in quotes.", API),
  secret: {
    placeOf: ({ token }) => token,
    faultIn: (secret) => (/^[\x21-\x7e]{10,}$/u.test(secret) ? undefined : "token of a MAX bot"),
  },
  chatOf: chatOfBot,
  mayEdit: true,
  send: (settings, token, letter, deps) =>
    sendMax({ ...settings, token }, toBotMessage(letter, MAX_CHARACTERS), deps),
  test: (settings, token, deps) => tryMax({ ...settings, token }, deps),
  found: "the bot and its chat answer",
  remedy:
    "Compare the token with that of the bot, make the bot an administrator of the chat, and name the national root in NODE_EXTRA_CA_CERTS.",
};

/** Sends a message, or changes one. A message that can no longer be changed is followed by a new one. Never rejects. */
async function sendMax(
  receiver: BotReceiver,
  { edits, html, isSilent }: BotMessage,
  deps: AskDependencies,
): Promise<SendResult> {
  const content = { text: html, format: "html" };
  if (edits !== undefined) {
    const path = `/messages?message_id=${encodeURIComponent(edits)}`;
    const changed = { method: "PUT", content: { ...content, notify: false } } as const;
    const answer = await call(receiver, path, changed, deps);
    if (isOk(answer) && answer.content?.["success"] === true) return { kind: "delivered" };
    const isRefused = answer.kind === "answer" && [200, 400, 404].includes(answer.status);
    if (!isRefused) return toFailure(answer, receiver);
  }
  const path = `/messages?chat_id=${encodeURIComponent(receiver.chat)}&disable_link_preview=true`;
  const sent = { method: "POST", content: { ...content, notify: !isSilent } } as const;
  const answer = await call(receiver, path, sent, deps);
  return isOk(answer) ? deliveredAs(answer) : toFailure(answer, receiver);
}

/** What the bot and its chat say, without a message; undefined if both are in order. Never rejects. */
async function tryMax(receiver: BotReceiver, deps: AskDependencies): Promise<string | undefined> {
  for (const path of ["/me", `/chats/${encodeURIComponent(receiver.chat)}`]) {
    const answer = await call(receiver, path, { method: "GET" }, deps);
    if (!isOk(answer)) return `GET ${path}: ${toFailure(answer, receiver).reason}`;
  }
  return undefined;
}

function call(
  { base, token }: BotReceiver,
  path: string,
  { method, content }: { readonly method: "GET" | "POST" | "PUT"; readonly content?: object },
  deps: AskDependencies,
): Promise<BotAnswer> {
  const headers = { authorization: token };
  const request = { method, headers, ...(content === undefined ? {} : { content }) };
  return askBot(new URL(`${base}${path}`), request, deps);
}

type Done = Extract<BotAnswer, { kind: "answer" }> & { readonly status: 200 };

function isOk(answer: BotAnswer): answer is Done {
  return answer.kind === "answer" && answer.status === 200 && answer.content !== undefined;
}

function deliveredAs({ content }: Done): SendResult {
  const message = content?.["message"];
  const body = hasFields(message) ? message["body"] : undefined;
  const id = hasFields(body) ? body["mid"] : undefined;
  return typeof id === "string" && id !== ""
    ? { kind: "delivered", ref: id }
    : { kind: "delivered" };
}

function toFailure(
  answer: BotAnswer,
  { token }: BotReceiver,
): Extract<SendResult, { kind: "failed" }> {
  if (answer.kind === "failed") return answer;
  return failureIn(answer, answer.content?.["message"], token);
}
