import { parseJson } from "../../model/errors.ts";
import type { HttpRequest } from "../../probe/network/http.ts";
import type { SendResult } from "../rules/change.ts";
import { checkedText } from "../../yaml/check-shape.ts";
import { askReceiver, type AskDependencies, type ReceiverAnswer } from "./ask.ts";
import { type ChannelKind, type Letter, SECRET, type SecretPlace, URL_TEXT } from "./kind.ts";

/** A chat description with its photos and rights stays below it. */
const ANSWER_BYTES = 64 * 1024;

const MAX_WORDS_LENGTH = 160;

const NUMBER_OF_CHAT = /^-?\d{1,19}$/u;

export interface BotSettings {
  readonly chat: string;
  readonly token: SecretPlace;
  /** Without a slash at its end: the API, or a relay. */
  readonly base: string;
}

export interface BotReceiver {
  readonly chat: string | number;
  readonly token: string;
}

export type BotMessage = ReturnType<Letter["html"]>;

export interface BotRequest extends Pick<HttpRequest, "method"> {
  /** What a failed test says was asked. */
  readonly name: string;
  /** Below the base. */
  readonly path: string;
  readonly headers?: HttpRequest["headers"];
  readonly content?: object | undefined;
}

/** What an answer says, whichever messenger has given it. */
export interface BotReply {
  readonly isDone: boolean;
  readonly isEdited: boolean;
  /** Why it is not done, in the messenger's words. */
  readonly words: string;
  readonly ref?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The number that the chat has now. */
  readonly movedTo?: number | undefined;
}

export interface Messenger {
  /** Where `base` leads if it is left out. */
  readonly api: string;
  readonly maxCharacters: number;
  /** What is wrong with the name of a chat that is not given by its number. */
  readonly faultInName: (chat: string) => string | undefined;
  readonly faultInToken: (token: string) => string | undefined;
  readonly remedy: string;
  /** Questions to which a bot and its chat that are in order answer. */
  readonly test: (receiver: BotReceiver) => readonly BotRequest[];
  readonly send: (receiver: BotReceiver, message: BotMessage) => BotRequest;
  readonly edit: (receiver: BotReceiver, message: BotMessage, ref: string) => BotRequest;
  /** Statuses of an edit that can no longer be made: a new message follows. */
  readonly goneStatuses: readonly number[];
  /** @param content the JSON of the body; undefined if it is not JSON. */
  readonly read: (status: number, content: unknown) => BotReply;
}

/** The kind of channels of a messenger. A chat that refuses is a failure like any other: the operator can let the bot in again. */
export function botKind(messenger: Messenger): ChannelKind<BotSettings> {
  const { api, maxCharacters, faultInName, faultInToken, remedy } = messenger;
  const faultInChat = (chat: string): string | undefined =>
    NUMBER_OF_CHAT.test(chat) ? undefined : faultInName(chat);
  return {
    settings: {
      chat: checkedText(faultInChat),
      token: SECRET,
      base: URL_TEXT.default(api).transform((url) => url.replace(/\/+$/u, "")),
    },
    secret: { placeOf: ({ token }) => token, faultIn: faultInToken },
    // Channels of one chat share its limit.
    chatOf: ({ base, chat }) => `${base} ${chat}`,
    mayEdit: true,
    send: ({ chat, base }, token, { html, edits }, deps) => {
      const ask = (request: BotRequest) => askBot(messenger, base, request, deps);
      return sendMessage(messenger, { chat, token }, html(maxCharacters), edits, ask);
    },
    test: async ({ chat, base }, token, deps) => {
      for (const request of messenger.test({ chat, token })) {
        const answer = await askBot(messenger, base, request, deps);
        if (answer.kind === "answer" && answer.movedTo !== undefined)
          return describeMove(answer.movedTo);
        const result = toResult(answer, token);
        if (result.kind === "failed") return `${request.name}: ${result.reason}`;
      }
      return undefined;
    },
    found: "the bot and its chat answer",
    remedy,
  };
}

/** Sends a message, or changes one. A message that can no longer be changed is followed by a new one. Never rejects. */
async function sendMessage(
  { send, edit, goneStatuses }: Messenger,
  receiver: BotReceiver,
  message: BotMessage,
  edits: string | undefined,
  ask: (request: BotRequest) => Promise<BotAnswer>,
): Promise<SendResult> {
  const { token } = receiver;
  if (edits !== undefined) {
    const answer = await ask(edit(receiver, message, edits));
    if (answer.kind === "failed") return answer;
    if (answer.isEdited) return { kind: "delivered" };
    if (!goneStatuses.includes(answer.status)) return toFailure(answer, token);
  }
  const answer = await ask(send(receiver, message));
  if (answer.kind === "failed" || answer.isDone || answer.movedTo === undefined)
    return toResult(answer, token);
  const result = toResult(await ask(send({ ...receiver, chat: answer.movedTo }, message)), token);
  return result.kind === "delivered" ? { ...result, note: describeMove(answer.movedTo) } : result;
}

function describeMove(chat: number): string {
  return `The group has become a supergroup: write chat: "${chat}" in the file of channels.`;
}

type Failed = Extract<ReceiverAnswer, { kind: "failed" }>;
type Answered = BotReply & { readonly kind: "answer"; readonly status: number };
type BotAnswer = Answered | Failed;

async function askBot(
  { read }: Messenger,
  base: string,
  { path, method, headers, content }: BotRequest,
  deps: AskDependencies,
): Promise<BotAnswer> {
  const request: HttpRequest = {
    method,
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    ...(content === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(content)) }),
  };
  const answer = await askReceiver(new URL(`${base}${path}`), request, ANSWER_BYTES, deps);
  if (answer.kind === "failed") return answer;
  const { kind, status } = answer;
  const reply = read(status, parseJson(answer.body.toString("utf8")));
  return { ...reply, kind, status, retryAfterMs: reply.retryAfterMs ?? answer.retryAfterMs };
}

function toResult(answer: BotAnswer, secret: string): Exclude<SendResult, { kind: "gone" }> {
  if (answer.kind === "failed") return answer;
  const { isDone, ref } = answer;
  if (!isDone) return toFailure(answer, secret);
  return { kind: "delivered", ...(ref === undefined ? {} : { ref }) };
}

/** The words are without the secret, which a relay could repeat. */
function toFailure({ status, words, retryAfterMs }: Answered, secret: string) {
  const said = shorten(words.replaceAll(secret, "…"));
  return {
    kind: "failed" as const,
    reason: said === "" ? `status ${status}` : `status ${status}: ${said}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Words of a stranger, for one line of a log. */
export function shorten(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, MAX_WORDS_LENGTH);
}
