import { textOf } from "./answer-text.ts";
import type { HttpResponse } from "../network/http.ts";
import { valuesOf } from "../network/response-parser.ts";

/** A longer page may not be complete within what a probe reads (64 KiB). */
const MAX_BYTES: number = 48 * 1024;
interface Bounds {
  /** Visible text: a maintenance page has one message; a page with more text is still useful. */
  readonly characters: number;
  /** A telephone, a mail address and some channels; more links form a menu. */
  readonly links: number;
  /** Whether it may load a script, have a form or hide a part: then it may be an application, whatever its text. */
  readonly isInUse: boolean;
}

const TITLED: Bounds = { characters: 1_500, links: Number.POSITIVE_INFINITY, isInUse: true };
/** If the title does not announce maintenance. */
const UNTITLED: Bounds = { characters: 600, links: 6, isInUse: false };

/** Most elements to read; a drawing or a script counts as one. A maintenance page has some tens of them. */
const MAX_TAGS = 500;

/** Phrases for maintenance in titles and headings. Words are in lower case, with one space between them. */
const NAMES: RegExp = anyOf(
  "(технические|технических|профилактические|регламентные|плановые|сервисные)( технические| профилактические)? (работы|работ)",
  "техработы",
  "техническ(ий|ого|ом) перерыв(а|е)?",
  "перерыв на (техническое обслуживание|технические работы|профилактику)",
  "техническ(ое|ом) обслуживани(е|и)",
  "профилактика на (сайте|сервере|портале)",
  "временно (недоступ(ен|на|но|ны)|не (доступ(ен|на|но|ны)|работает))",
  "(under|down for|closed for|scheduled|planned) maintenance",
  "(site|website|server|service|system) maintenance",
  "maintenance (mode|break|in progress|work)",
  "temporarily (unavailable|down|offline|closed)",
  "we( ll| will) be( right)? back",
);

const SENTENCES: RegExp = anyOf(
  "(ведутся|идут|проводятся|проводим|ведем|выполняются|выполняем|проходят)( (плановые|технические|технологические|профилактические|регламентные|сервисные|на|нашем|сайте|сервере|портале)){1,4} (работы|обслуживание)",
  "(технические|профилактические|регламентные|плановые) работы (ведутся|идут|проводятся)",
  "(объявлен|действует|идет|проводится)( [а-я]+){0,1} технический перерыв",
  "(закрыт|закрыта|недоступен|недоступна|находится)( [а-я]+){0,3} на (техническ[а-я]+ )?(обслуживани[а-я]+|профилактик[а-я]+|реконструкци[а-я]+)",
  "(is|are|re|currently|temporarily)( [a-z]+){0,2} (under|down for|undergoing|performing)( [a-z]+){0,2} maintenance",
);

/** The maintenance is planned, is over, or leaves the service usable: such a page is not a maintenance page. */
const NOT_NOW: RegExp = anyOf(
  "(будут|будет) (проводиться|проведены|проведено|вестись|идти|выполняться|недоступ(ен|на|но|ны))",
  "планируется|планируются|планируем|запланирован[а-я]*|состоятся|предстоят|предстоящ[а-я]+",
  "работы( [а-я]+){0,2} (завершены|окончены|закончены)",
  "возможны|могут|некоторые|частично",
  "will (be|perform|undergo|take|have|start|begin)( [a-z]+){0,1} (performing|undergoing|down|unavailable|conducting|maintenance|place)",
  "upcoming|planned for|scheduled (for|on)|(been|was|is) (completed|finished)",
  "may (be|not|experience)|some (features|functions|services|pages)",
);

function anyOf(...parts: readonly string[]): RegExp {
  return new RegExp(`(?<= )(${parts.join("|")})(?= )`, "u");
}

/**
 * Whether a healthy response only announces maintenance. A false outage is worse than a missed one, so the title must announce it; on a static
 * page (no loaded scripts, forms or hidden parts) a heading or a sentence of its short text is enough. Source: docs/probe/measurement.md,
 * "Maintenance pages".
 */
export function isMaintenancePage(answer: HttpResponse): boolean {
  const { status, headers, bodyFailure } = answer;
  if (status < 200 || status > 299 || bodyFailure !== undefined) return false;
  const contentType = valuesOf(headers, "content-type").join(" ");
  if (contentType !== "" && !/html/iu.test(contentType)) return false;
  if (answer.body.length === 0 || answer.body.length > MAX_BYTES) return false;
  const text = textOf(answer);
  if (text.length > MAX_BYTES || text === "broken") return false;
  const html = text.toString().toLowerCase();
  const title = wordsOf(titleOf(html));
  const isTitled = NAMES.test(title);
  const page = readPage(html, isTitled ? TITLED : UNTITLED);
  if (page === undefined) return false;
  const words = wordsOf(page.text);
  if (NOT_NOW.test(title) || NOT_NOW.test(words)) return false;
  const isNamed = isTitled || page.headings.some((heading) => NAMES.test(wordsOf(heading)));
  return isNamed || SENTENCES.test(words);
}

/** Lower case, only letters and digits, one space before, between and after words; empty if there are no words. */
function wordsOf(text: string): string {
  const plain = text.replace(/&#?[a-z0-9]{1,10};/gu, " ").replaceAll("ё", "е");
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words === "" ? "" : ` ${words} `;
}

/** The title of the page itself: a drawing may have one too. */
function titleOf(html: string): string {
  const open = indexOrEnd(html, "<title", 0);
  if (open > indexOrEnd(html, "<svg", 0)) return "";
  const close = indexOrEnd(html, ">", open);
  return html.slice(close + 1, indexOrEnd(html, "<", close));
}

/** Elements whose text is invisible while scripts run. */
const UNSEEN = /^(?:script|style|noscript|template|svg|iframe|title)$/u;
const USES = /^(?:form|input|textarea|dialog|iframe|frame)$/u;
const HEADING = /^h[1-3]$/u;
const INLINE = /^(?:b|i|em|strong|span|a|wbr)$/u;
const HIDING = /\shidden\b|display\s*:\s*none|visibility\s*:\s*hidden/u;
const TAG_NAME = /<([/!?]?)([a-z][a-z0-9-]*)/uy;

/**
 * The visible content of a page before any script has run: its headings, and the text with them, but without the title. Reads it in one
 * pass, so that time stays bounded; nothing is searched twice. Undefined: it exceeds the bounds.
 */
function readPage(html: string, bounds: Bounds) {
  const headings: string[] = [];
  let text = "";
  let headingAt: number | undefined;
  let characters = 0;
  let links = 0;
  let at = 0;
  for (let tags = 0; at < html.length; tags += 1) {
    if (tags > MAX_TAGS) return undefined;
    const open = indexOrEnd(html, "<", at);
    const piece = html.slice(at, open);
    text += piece;
    characters += piece.trim().length;
    if (characters > bounds.characters) return undefined;
    const tag = readTag(html, open);
    at = tag.endAt;
    if (!INLINE.test(tag.name)) text += " ";
    if (HEADING.test(tag.name)) {
      if (headingAt !== undefined) headings.push(text.slice(headingAt));
      headingAt = tag.isEnd ? undefined : text.length;
    }
    if (tag.isEnd) continue;
    if (tag.name === "a") links += 1;
    if (links > bounds.links || (!bounds.isInUse && isInUse(tag))) return undefined;
    if (UNSEEN.test(tag.name)) at = indexOrEnd(html, `</${tag.name}`, at);
  }
  return { headings, text };
}

/** The name is empty for a comment, a declaration, and a "<" that starts no tag. */
function readTag(html: string, open: number) {
  const none = { name: "", isEnd: false, written: "" };
  if (html.startsWith("<!--", open)) return { ...none, endAt: indexOrEnd(html, "-->", open) + 3 };
  TAG_NAME.lastIndex = open;
  const [start, slash, name = ""] = TAG_NAME.exec(html) ?? [];
  if (start === undefined) return { ...none, endAt: open + 1 };
  const close = indexOrEnd(html, ">", open + start.length);
  return { name, isEnd: slash === "/", written: html.slice(open, close), endAt: close + 1 };
}

function isInUse({ name, written }: ReturnType<typeof readTag>): boolean {
  if (name === "script" && /\ssrc\s*=|type=["']?module/u.test(written)) return true;
  return USES.test(name) || HIDING.test(written);
}

function indexOrEnd(page: string, part: string, from: number): number {
  const found = page.indexOf(part, from);
  return found === -1 ? page.length : found;
}
