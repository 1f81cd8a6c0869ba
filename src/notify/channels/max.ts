import type { SendResult } from "../rules/change.ts";
import type { AskDependencies } from "./ask.ts";
import { askBot, type BotAnswer, type BotMessage, failureIn, isObject } from "./bot.ts";

/*
 * The Bot API of MAX. The token is in the header `Authorization`, because it is no longer taken as a parameter. At most two messages a
 * second to one chat. Sources, as of 2026-11-24: https://dev.max.ru/docs-api, https://dev.max.ru/docs-api/methods/POST/messages,
 * …/methods/PUT/messages, …/objects/NewMessageBody.
 */

/** Its certificate is issued by the national authority: NODE_EXTRA_CA_CERTS has to name the root. Source: https://dev.max.ru/docs-api */
export const MAX_BASE = "https://platform-api2.max.ru";

/** Characters of a message. Source: https://dev.max.ru/docs-api/objects/NewMessageBody */
export const MAX_CHARACTERS = 4_000;

/** A bot, and the chat or channel that it writes to. */
export interface MaxReceiver {
  /** Without a slash at its end: the API, or a relay. */
  readonly base: string;
  readonly token: string;
  /** The number of a chat. */
  readonly chat: string;
}

/** Sends a message, or changes one. A message that can no longer be changed is followed by a new one. Never rejects. */
export async function sendMax(
  receiver: MaxReceiver,
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
export async function tryMax(
  receiver: MaxReceiver,
  deps: AskDependencies,
): Promise<string | undefined> {
  for (const path of ["/me", `/chats/${encodeURIComponent(receiver.chat)}`]) {
    const answer = await call(receiver, path, { method: "GET" }, deps);
    if (!isOk(answer)) return `GET ${path}: ${toFailure(answer, receiver).reason}`;
  }
  return undefined;
}

function call(
  { base, token }: MaxReceiver,
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
  const body = isObject(message) ? message["body"] : undefined;
  const id = isObject(body) ? body["mid"] : undefined;
  return typeof id === "string" && id !== ""
    ? { kind: "delivered", ref: id }
    : { kind: "delivered" };
}

function toFailure(
  answer: BotAnswer,
  { token }: MaxReceiver,
): Extract<SendResult, { kind: "failed" }> {
  if (answer.kind === "failed") return answer;
  return failureIn(answer, answer.content?.["message"], token);
}
