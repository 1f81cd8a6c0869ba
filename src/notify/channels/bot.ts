import type { HttpRequest } from "../../probe/network/http.ts";
import type { SendResult } from "../rules/change.ts";
import { checkedText } from "../../yaml/check-shape.ts";
import { type ReceiverAnswer, askReceiver, type AskDependencies } from "./ask.ts";
import { type ChannelKind, type Letter, SECRET, type SecretPlace, URL_TEXT } from "./kind.ts";

/* What the bots of Telegram and of MAX have in common. */

/** A chat description with its photos and rights stays below it. */
const ANSWER_BYTES = 64 * 1024;

const MAX_WORDS_LENGTH = 160;

/** A bot in channels.yaml, and the chat that it writes to. */
export interface BotSettings {
  readonly chat: string;
  readonly token: SecretPlace;
  /** Without a slash at its end: the API, or a relay. */
  readonly base: string;
}

/** A bot, and the chat that it writes to. */
export interface BotReceiver extends Omit<BotSettings, "token"> {
  readonly token: string;
}

const NUMBER_OF_CHAT = /^-?\d{1,19}$/u;

/**
 * The keys of a bot.
 *
 * @param faultInName of a chat that is not given by its number.
 * @param api where `base` leads if it is left out.
 */
export function botSettings(
  faultInName: (chat: string) => string | undefined,
  api: string,
): ChannelKind<BotSettings>["settings"] {
  const faultInChat = (chat: string): string | undefined =>
    NUMBER_OF_CHAT.test(chat) ? undefined : faultInName(chat);
  return {
    chat: checkedText(faultInChat),
    token: SECRET,
    base: URL_TEXT.default(api).transform((url) => url.replace(/\/+$/u, "")),
  };
}

/** Channels of one chat share its limit. */
export function chatOfBot({ base, chat }: BotSettings): string {
  return `${base} ${chat}`;
}

/** The message of a bot in a letter, in at most so many characters. */
export function toBotMessage({ html, edits }: Letter, maxCharacters: number): BotMessage {
  return { ...html(maxCharacters), ...(edits === undefined ? {} : { edits }) };
}

/** A message of a bot, in the few tags of HTML that both messengers know. */
export interface BotMessage {
  readonly html: string;
  /** Shown without a sound. */
  readonly isSilent: boolean;
  /** A message that stands in the chat and is to be changed, by the name that its delivery gave. */
  readonly edits?: string;
}

/** An answer of a bot's API. */
export type BotAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** The JSON of the body; undefined if it is none. */
      readonly content: Readonly<Record<string, unknown>> | undefined;
      readonly retryAfterMs?: number;
    }
  | Extract<ReceiverAnswer, { kind: "failed" }>;

/** Asks a method of a bot's API. Never rejects. */
export async function askBot(
  url: URL,
  { method, headers = {}, content }: BotRequest,
  deps: AskDependencies,
): Promise<BotAnswer> {
  const request: HttpRequest = {
    method,
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    ...(content === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(content)) }),
  };
  const answer = await askReceiver(url, request, ANSWER_BYTES, deps);
  if (answer.kind === "failed") return answer;
  const { body, ...others } = answer;
  return { ...others, content: parse(body) };
}

export interface BotRequest {
  readonly method: HttpRequest["method"];
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: object;
}

function parse(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return hasFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value of an answer has fields. */
export function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The failure in an answer that is no success. The words are the messenger's, without control characters, and without the secret, which a
 * relay could repeat.
 */
export function failureIn(
  { status, retryAfterMs }: Extract<BotAnswer, { kind: "answer" }>,
  words: unknown,
  secret: string,
): Extract<SendResult, { kind: "failed" }> {
  const said = typeof words === "string" ? shorten(words.replaceAll(secret, "…")) : "";
  return {
    kind: "failed",
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
