import { COLOR_OF, type VerdictCode, VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { SECOND_MS, toUnixSeconds } from "../../model/time.ts";
import type { Language } from "../../contract/codes/language.ts";
import {
  describeDigest,
  describeLink,
  describeNews,
  describeTest,
  type ServiceNews,
} from "../../site/words/alert.ts";
import { outagePath } from "../../model/service/outage-ids.ts";
import type { ToldWith } from "../../model/service/verdict-change.ts";
import type { Letter } from "../channels/kind.ts";
import type { Message, Notice } from "../rules/change.ts";

export interface RenderContext {
  /** Of the website, without a slash at its end; "": it is not known, and there are no links. */
  readonly baseUrl: string;
  readonly language: Language;
  /** The name of a service in the language; a service that is gone has only its slug. */
  readonly nameOf: (slug: string) => string;
  /** Finds the change of a message in the log. Undefined: the log has forgotten it. */
  readonly changeOf: (slug: string, atMs: number) => KnownChange | undefined;
}

/** What is known of a change beside its codes. */
export interface KnownChange extends ToldWith {
  /** Id of the outage that it belongs to, if that has a page. */
  readonly outage?: string | undefined;
}

export type RenderedMessage = ReturnType<typeof renderMessage>;

export type ChannelMessage =
  | Message
  | { readonly kind: "test"; readonly id: string; readonly atMs: number };

/** Tags, the title, the link and the words for what does not fit. */
const FRAME_CHARACTERS = 600;

/** The words of a message. A digest has as many names as fit into so many characters. */
export function renderMessage(
  message: ChannelMessage,
  context: RenderContext,
  maxCharacters: number,
) {
  const { language } = context;
  const home = `${homeOf(context)}/`;
  if (message.kind === "test") {
    const url = context.baseUrl === "" ? "" : home;
    return { text: describeTest(language), url, isSilent: false };
  }
  const { notices } = message;
  const news = notices.map((notice) => toNews(notice, context));
  // Nothing in it is down, so it makes no sound.
  const isSilent = news.every(({ code }) => COLOR_OF[code] !== "bad");
  const [first] = news;
  if (message.kind !== "digest" && first !== undefined)
    return { text: describeNews(first, language), url: pageOf(first, context), isSilent };
  return { text: describeDigest(news, language, maxCharacters), url: home, isSilent };
}

/** A message with the tags that Telegram and MAX know, within the limit of a messenger. */
export function renderHtml(
  message: ChannelMessage,
  context: RenderContext,
  maxCharacters: number,
): ReturnType<Letter["html"]> {
  let textCharacters = maxCharacters - FRAME_CHARACTERS;
  for (;;) {
    const rendered = renderMessage(message, context, textCharacters);
    const html = toHtml(rendered, context.language);
    if (html.length <= maxCharacters || textCharacters === 0)
      return { html, isSilent: rendered.isSilent };
    // A character can be six, as in &quot;, so what fits is tried.
    textCharacters = Math.floor(textCharacters / 2);
  }
}

function toHtml({ text, url }: RenderedMessage, language: Language): string {
  const lines = [`<b>${escapeHtml(text.title)}</b>`, ...text.lines.map(escapeHtml)];
  if (url !== "") lines.push(`<a href="${escapeHtml(url)}">${describeLink(language)}</a>`);
  return lines.join("\n");
}

/** A message without tags. */
export function toPlain({ text, url }: RenderedMessage): string {
  return [text.title, ...text.lines, ...(url === "" ? [] : [url])].join("\n");
}

/** The message of a webhook and of a program. Source of the form: docs/notify.md, "Webhooks". */
export function toPayload(message: ChannelMessage, context: RenderContext): object {
  const page = context.baseUrl === "" ? {} : { page: `${homeOf(context)}/` };
  const notices = message.kind === "test" ? [] : message.notices;
  return {
    type: TYPES[message.kind],
    timestamp: new Date(message.atMs).toISOString(),
    data: { ...page, services: notices.map((one) => toData(one, context)) },
  };
}

const TYPES: Readonly<Record<ChannelMessage["kind"], string>> = {
  test: "channel.test",
  added: "channel.test",
  changed: "service.changed",
  flapping: "service.flapping",
  digest: "services.changed",
};

function toData(notice: Notice, context: RenderContext): object {
  const { subject: slug, atMs, beganMs, changes } = notice;
  const { name, before, code } = toNews(notice, context);
  return {
    slug,
    name,
    before,
    code,
    color: COLOR_OF[code],
    at: toUnixSeconds(atMs),
    // Length of the trouble that is over.
    ...(beganMs === undefined ? {} : { troubleSeconds: Math.round((atMs - beganMs) / SECOND_MS) }),
    changes,
    page: pageOf(notice, context),
  };
}

function toNews(notice: Notice, { nameOf, changeOf }: RenderContext): Notice & ServiceNews {
  const { subject, before, after, atMs } = notice;
  const { past, operators } = changeOf(subject, atMs) ?? {};
  const codes = { before: toCode(before), code: toCode(after) };
  return { ...notice, name: nameOf(subject), ...codes, past, operators };
}

/** A ledger of a newer program may have a code that this one does not know. */
function toCode(text: string): VerdictCode {
  return VERDICT_CODES.find((code) => code === text) ?? "none";
}

function homeOf({ baseUrl, language }: RenderContext): string {
  return language === "en" ? `${baseUrl}/en` : baseUrl;
}

/** Of the service, which says how it is now; of an outage that is over its own, which says so for ever. */
function pageOf({ subject, after, atMs }: Notice, context: RenderContext): string {
  const outage = after === "ok" ? context.changeOf(subject, atMs)?.outage : undefined;
  const path = outage === undefined ? `/status/${subject}` : outagePath(outage);
  return `${homeOf(context)}${path}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
