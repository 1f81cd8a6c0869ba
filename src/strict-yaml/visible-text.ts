/**
 * Signs of the scripts below that are format characters, but drawn: numbers and abbreviations stand under or in them.
 * Source: Unicode, property Prepended_Concatenation_Mark.
 */
const DRAWN = "\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}";

/**
 * Characters that are drawn as nothing: those that Unicode says to ignore where there is no glyph (fillers of Hangul, zero-width
 * spaces, joiners, variation selectors, tags), format characters, and blanks that are letters or symbols by their category
 * (Braille, null note head, blanks of hieroglyphs, the filler of Khitan, the object replacement character). Spaces are not
 * among them. Source: Unicode, DerivedCoreProperties.txt and UnicodeData.txt.
 */
const INVISIBLE = new RegExp(
  `(?![${DRAWN}])[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u2800\\uFFFC\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}]`,
  "u",
);

/** Scripts whose letters take another form, or do not, with a joiner between them. Source: UAX #31, section 2.3.1. */
const JOINED_SCRIPTS =
  "Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil Telugu";
const JOINED = `(?=[\\p{L}\\p{M}])[${JOINED_SCRIPTS.split(" ")
  .map((script) => `\\p{scx=${script}}`)
  .join("")}]`;

/** The only sequences of tags that are in use: flags of England, Scotland and Wales. Source: UTS #51, emoji-sequences.txt. */
const FLAG_TAGS =
  "(?<=\\u{1F3F4})\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}";

/** Where an invisible character does something that a reader sees. */
const WITH_PURPOSE = new RegExp(
  [
    `(?<=${JOINED})[\\u200C\\u200D](?=${JOINED})`,
    // An emoji of several, each with a colour of skin or the mark of a picture: UTS #51, ED-16.
    "(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\uFE0F]?)\\u200D(?=\\p{Extended_Pictographic})",
    // As text or as a picture: UTS #51, ED-8a and ED-9a. Keys: ED-14c.
    "(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]",
    "(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
    // Variants of Chinese characters: UTS #37.
    "(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]",
    FLAG_TAGS,
  ].join("|"),
  "gu",
);

/** Beside letters of these scripts, a directional mark decides on which side a sign stands. Source: UAX #9, section 2.6. */
const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const DIRECTIONAL_MARKS = /[\u061C\u200E\u200F]/gu;

/** Most texts, told quickly: letters of Latin and Cyrillic, digits, punctuation and spaces. */
const PLAIN = /^[\x20-\x7E\u0400-\u045F\u2010-\u201F№«»]+$/u;

const DRAWN_BY_ITSELF = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The fault of a name with invisible characters, in words that say what to change; undefined when it has none, or only such as
 * change what a reader sees. Source: docs/catalogue.md, "Names". Never throws.
 */
export function faultInVisibility(text: string): string | undefined {
  if (PLAIN.test(text) && text.trim() !== "") return undefined;
  const isSeen = [...text].some((one) => DRAWN_BY_ITSELF.test(one) && !INVISIBLE.test(one));
  if (!isSeen) return "has no visible character; use letters, digits or signs that people can see.";
  // As long as before, so that places stay what they are.
  const rest = text.replaceAll(WITH_PURPOSE, (some) => "x".repeat(some.length));
  const hasMarks = RIGHT_TO_LEFT.test(text);
  const found = INVISIBLE.exec(hasMarks ? rest.replaceAll(DIRECTIONAL_MARKS, "x") : rest);
  if (found === null) return undefined;
  const place = Array.from(text.slice(0, found.index)).length + 1;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `holds an invisible character, U+${code}, at place ${place}; remove it.`;
}
