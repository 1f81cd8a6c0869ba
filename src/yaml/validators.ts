import { faultInHostName, MAX_URL_CHARACTERS } from "../model/host-name.ts";
import { SLUG_FORM } from "../model/ids.ts";
import { nameCharacter } from "./problem.ts";

/** Control characters, line and paragraph separators, and bidirectional overrides. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\p{Surrogate}]/u;

const MAX_NAME = 120;

/** What is wrong with a one-line text of at most `maxLength` characters, or undefined. Never throws. */
export function faultInText(text: string, maxLength: number): string | undefined {
  if (text.trim() === "") return "is empty; write something here.";
  if (CONTROLS.test(text)) {
    return "contains a control character, a line break or a bidirectional override; remove it.";
  }
  return faultInLength([...text.trim()].length, maxLength);
}

function faultInLength(length: number, most: number): string | undefined {
  return length > most ? `is ${length} characters long; use at most ${most}.` : undefined;
}

/** What is wrong with a name in URLs, or undefined. @param what it is, with its article. */
export function faultInSlug(text: string, what: string, maxLength: number): string | undefined {
  return SLUG_FORM.test(text)
    ? faultInLength(text.length, maxLength)
    : `not ${what}; use lowercase letters and digits, in groups joined by single hyphens.`;
}

/** A display name as it is stored: trimmed and in NFC. Source: docs/services/catalogue.md, "Names". Never throws. */
export function normaliseName(name: string): string {
  return name.trim().normalize("NFC");
}

/** The fault of a name that has to have 1 to `maxLength` visible characters after normalisation. Never throws. */
export function faultInName(name: string, maxLength: number = MAX_NAME): string | undefined {
  const normalised = normaliseName(name);
  return faultInText(normalised, maxLength) ?? faultInVisibility(normalised);
}

/** A URL as it was written, or the fault in its length, scheme, characters or credentials. Never throws. */
export function parseUrl(text: string): URL | string {
  if (text.length > MAX_URL_CHARACTERS)
    return `is over ${MAX_URL_CHARACTERS} characters long; shorten it.`;
  if (!/^https?:\/\/[^/?#]/i.test(text))
    return "not an absolute http or https URL; write it like https://example.ru/.";
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text))
    return "not a valid URL; check its host, port and characters.";
  return /^https?:\/\/[^/?#]*@/i.test(text)
    ? "a URL may not carry credentials; remove everything before the @."
    : new URL(text);
}

/** The normal form of a URL that can be probed, or the fault in it, its fragment or its host. Never throws. */
export function readUrl(text: string): { readonly href: string } | { readonly fault: string } {
  const url = parseUrl(text);
  if (typeof url === "string") return { fault: url };
  if (text.includes("#"))
    return { fault: "a fragment is never sent to a server; remove the # and what follows." };
  const fault = faultInHostName(url.hostname);
  return fault === undefined ? { href: url.href } : { fault: `${fault}.` };
}

/** Visible format characters, which enclose or underline numbers. Source: Unicode, property Prepended_Concatenation_Mark. */
const DRAWN = "\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}";

/**
 * Default-ignorable characters, format characters, and blanks with the category of a letter or symbol (Braille, null note head, hieroglyphs,
 * Khitan filler, object replacement character), without spaces. Source: Unicode, DerivedCoreProperties.txt and UnicodeData.txt.
 */
const INVISIBLE = new RegExp(
  `(?![${DRAWN}])[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u2800\\uFFFC\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}]`,
  "u",
);

/** Scripts in which a joiner between letters changes their form. Source: UAX #31, section 2.3.1. */
const JOINED_SCRIPTS =
  "Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil Telugu";
const JOINED = `(?=[\\p{L}\\p{M}])[${JOINED_SCRIPTS.split(" ")
  .map((script) => `\\p{scx=${script}}`)
  .join("")}]`;

/** The only tag sequences in use: flags of England, Scotland and Wales. Source: UTS #51, emoji-sequences.txt. */
const FLAG_TAGS =
  "(?<=\\u{1F3F4})\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}";

/** Uses of an invisible character with a visible effect. */
const WITH_PURPOSE = new RegExp(
  [
    `(?<=${JOINED})[\\u200C\\u200D](?=${JOINED})`,
    // A joined emoji, each part with an optional skin tone or emoji selector: UTS #51, ED-16.
    "(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\uFE0F]?)\\u200D(?=\\p{Extended_Pictographic})",
    // Text or emoji presentation: UTS #51, ED-8a and ED-9a. Keycaps: ED-14c.
    "(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]",
    "(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
    // Ideographic variants: UTS #37.
    "(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]",
    FLAG_TAGS,
  ].join("|"),
  "gu",
);

/** In texts with letters of these scripts, a directional mark moves neutral characters. Source: UAX #9, section 2.6. */
const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const DIRECTIONAL_MARKS = /[\u061C\u200E\u200F]/gu;

/** A fast path for most texts: Latin and Cyrillic letters, digits, punctuation and spaces. */
const PLAIN = /^[\x20-\x7E\u0400-\u045F\u2010-\u201F№«»]+$/u;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The fault of an invisible character without a visible effect. Source: docs/services/catalogue.md, "Names". Never throws. */
export function faultInVisibility(text: string): string | undefined {
  if (PLAIN.test(text) && text.trim() !== "") return undefined;
  const isVisible = [...text].some((one) => VISIBLE.test(one) && !INVISIBLE.test(one));
  if (!isVisible) return "has no visible character; use letters, digits or visible signs.";
  // The replacement has the same length, so positions stay valid.
  const rest = text.replaceAll(WITH_PURPOSE, (some) => "x".repeat(some.length));
  const hasMarks = RIGHT_TO_LEFT.test(text);
  const found = INVISIBLE.exec(hasMarks ? rest.replaceAll(DIRECTIONAL_MARKS, "x") : rest);
  if (found === null) return undefined;
  const position = Array.from(text.slice(0, found.index)).length + 1;
  return `contains an invisible character, ${nameCharacter(text, found.index)}, at position ${position}; remove it.`;
}
