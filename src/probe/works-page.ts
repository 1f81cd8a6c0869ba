import type { HttpAnswer } from "./http.ts";

/** A page that may be longer than what a probe reads (64 KiB) cannot be judged as a whole. */
const MOST_BYTES: number = 48 * 1024;
/** Of visible text. A page of works says one thing; a page that has more to say is of use for something. */
const MOST_TITLED_CHARACTERS = 1_500;
/** The same where the title does not say it. */
const MOST_CHARACTERS = 600;
/** A page of works may name a telephone, a mail address and some channels; what has more links is a menu. */
const MOST_LINKS = 6;

/** Names of works, in titles and headings. Words are in lower case, with one space between them. */
const NAMES: RegExp = anyOf(
  "(технические|технических|профилактические|регламентные|плановые|сервисные)( технические| профилактические)? (работы|работ)",
  "техработы",
  "техническ(ое|ом) обслуживани(е|и)",
  "профилактика на (сайте|сервере|портале)",
  "временно (недоступ(ен|на|но|ны)|не (доступ(ен|на|но|ны)|работает))",
  "(under|down for|closed for|scheduled|planned) maintenance",
  "(site|website|server|service|system) maintenance",
  "maintenance (mode|break|in progress|work)",
  "temporarily (unavailable|down|offline|closed)",
  "we( ll| will) be( right)? back",
);

/** Sentences that tell of works that are under way, in the text of a page. */
const SENTENCES: RegExp = anyOf(
  "(ведутся|идут|проводятся|проводим|ведем|выполняются|выполняем|проходят)( (плановые|технические|технологические|профилактические|регламентные|сервисные|на|нашем|сайте|сервере|портале)){1,4} (работы|обслуживание)",
  "(технические|профилактические|регламентные|плановые) работы (ведутся|идут|проводятся)",
  "(закрыт|закрыта|недоступен|недоступна|находится)( [а-я]+){0,3} на (техническ[а-я]+ )?(обслуживани[а-я]+|профилактик[а-я]+|реконструкци[а-я]+)",
  "(is|are|re|currently|temporarily)( [a-z]+){0,2} (under|down for|undergoing|performing)( [a-z]+){0,2} maintenance",
);

/** The works are to come, are over, or leave the service of use: then the page tells of them and is no page of works. */
const NOT_NOW: RegExp = anyOf(
  "(будут|будет) (проводиться|проведены|проведено|вестись|идти|выполняться|недоступ(ен|на|но|ны))",
  "планируются|планируем|запланирован[а-я]*|состоятся|предстоят|предстоящ[а-я]+",
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
 * Whether a healthy answer is a page that says that works are under way, and nothing else. A false outage is worse than a missed one, so
 * the title has to say it, or, on a page that does nothing at all (no script is loaded, nothing is asked for or hidden), a heading
 * or a sentence of its short text. Source: docs/measurement.md, "Pages of works".
 */
export function isWorksPage({ status, headers, body, bodyFailure }: HttpAnswer): boolean {
  if (status < 200 || status > 299 || bodyFailure !== undefined) return false;
  if (body.length === 0 || body.length > MOST_BYTES) return false;
  const contentType = textOf(headers["content-type"]);
  if (contentType !== "" && !/html/iu.test(contentType)) return false;
  const page = readPage(decode(body, contentType));
  return !page.isLong && tellsOfWorks(page) && !NOT_NOW.test(wordsOf(`${page.title} ${page.text}`));
}

function tellsOfWorks({ title, headings, text, links, isInUse }: Page): boolean {
  if (NAMES.test(wordsOf(title))) return true;
  if (isInUse || links > MOST_LINKS) return false;
  const words = wordsOf(text);
  if (words.length > MOST_CHARACTERS) return false;
  return SENTENCES.test(words) || headings.some((heading) => NAMES.test(wordsOf(heading)));
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === "object" ? header.join(" ") : (header ?? "");
}

const CHARSET = /charset=["']?(?:windows-1251|cp1251)/iu;
const UTF_8 = new TextDecoder("utf-8");
const WINDOWS_1251 = new TextDecoder("windows-1251");

function decode(body: Buffer, contentType: string): string {
  const start = `${contentType} ${body.toString("latin1", 0, 1_024)}`;
  return (CHARSET.test(start) ? WINDOWS_1251 : UTF_8).decode(body);
}

/** In lower case, letters and digits alone, with one space before, between and after words; empty of nothing. */
function wordsOf(text: string): string {
  const plain = text.replace(/&#?[a-z0-9]{1,10};/gu, " ").replaceAll("ё", "е");
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words === "" ? "" : ` ${words} `;
}

/** What a page shows before any script has run. */
interface Page {
  readonly title: string;
  readonly headings: readonly string[];
  /** Headings are part of it. */
  readonly text: string;
  readonly links: number;
  /** There is more text than a page of works has; it was not read to its end. */
  readonly isLong: boolean;
  /** It loads a script, asks for something or hides a part: it may be an application, whatever its text. */
  readonly isInUse: boolean;
}

/** Elements whose text nobody sees, as long as scripts run. */
const UNSEEN: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
]);
const USES: ReadonlySet<string> = new Set([
  "form",
  "input",
  "textarea",
  "dialog",
  "iframe",
  "frame",
]);
const HEADING = /^h[1-3]$/u;
const INLINE: ReadonlySet<string> = new Set(["b", "i", "em", "strong", "span", "a", "wbr"]);
const HIDING = /\shidden\b|display\s*:\s*none|visibility\s*:\s*hidden/u;
const TAG_NAME = /<(\/?)([a-z][a-z0-9-]*)/uy;

/** In one pass and in lower case; nothing is searched twice, so that no page takes long. */
function readPage(html: string): Page {
  const page = html.toLowerCase();
  const headings: string[] = [];
  let title: string | undefined;
  let text = "";
  let links = 0;
  let isInUse = false;
  let headingAt: number | undefined;
  let characters = 0;
  let at = 0;
  // What is beyond the limit changes nothing.
  while (at < page.length && characters <= MOST_TITLED_CHARACTERS) {
    const open = indexOrEnd(page, "<", at);
    const piece = page.slice(at, open);
    text += piece;
    characters += piece.trim().length;
    if (page.startsWith("<!--", open)) {
      at = indexOrEnd(page, "-->", open) + 3;
      continue;
    }
    TAG_NAME.lastIndex = open;
    const [match = "<", slash, name = ""] = TAG_NAME.exec(page) ?? [];
    if (name === "" && page[open + 1] !== "!" && page[open + 1] !== "?" && page[open + 1] !== "/") {
      at = open + 1;
      continue;
    }
    const close = indexOrEnd(page, ">", open + match.length);
    at = close + 1;
    if (!INLINE.has(name)) text += " ";
    if (slash === "/") {
      if (HEADING.test(name) && headingAt !== undefined) {
        headings.push(text.slice(headingAt));
        headingAt = undefined;
      }
      continue;
    }
    const tag = page.slice(open, close);
    if (name === "a") links += 1;
    if (HEADING.test(name)) headingAt = text.length;
    const isLoading = name === "script" && /\ssrc\s*=|type=["']?module/u.test(tag);
    isInUse ||= isLoading || USES.has(name) || HIDING.test(tag);
    if (name !== "title" && !UNSEEN.has(name)) continue;
    const end = indexOrEnd(page, `</${name}`, at);
    if (name === "title") title ??= page.slice(at, end);
    at = end;
  }
  const isLong = characters > MOST_TITLED_CHARACTERS;
  return { title: title ?? "", headings, text, links, isLong, isInUse };
}

function indexOrEnd(page: string, part: string, from: number): number {
  const found = page.indexOf(part, from);
  return found === -1 ? page.length : found;
}
