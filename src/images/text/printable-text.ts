/** Longest label, in code points. Source: docs/monitors/badges.md. */
const MAX_LABEL_LENGTH = 40;

/**
 * An untrusted label as text that is safe anywhere: composed (NFC), one line, single spaces, no control or format character, no
 * lone surrogate, nothing unassigned or private. Empty if nothing remains. Never throws. Source:
 * https://www.w3.org/TR/xml/#charsets allows a little more.
 * @param longest most code points that remain; by default 40, as on a badge.
 */
export function cleanLabel(text: string, longest: number = MAX_LABEL_LENGTH): string {
  const line = text
    .replaceAll(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replaceAll(/\p{C}/gu, "")
    .normalize("NFC")
    .trim();
  return Array.from(line).slice(0, longest).join("").trim();
}

/** Characters that can be drawn separately, without changing their neighbours: no combining marks. */
const DRAWABLE = /^[\p{L}\p{N}\p{P}\p{S} ]$/u;

/** The part of a label that a font can draw, of at most `longest` code points. The rest is removed: an empty box says nothing. */
export function drawableText(
  text: string,
  hasGlyph: (codePoint: number) => boolean,
  longest: number = MAX_LABEL_LENGTH,
): string {
  const isDrawable = (character: string): boolean =>
    DRAWABLE.test(character) && hasGlyph(character.codePointAt(0) ?? 0);
  const kept = Array.from(text).flatMap((character) => {
    if (isDrawable(character)) return [character];
    // Full-width letters, circled digits and similar characters have a plain form.
    const plain = Array.from(character.normalize("NFKC"));
    return plain.every(isDrawable) ? plain : [];
  });
  return Array.from(kept.join("").replaceAll(/ +/gu, " ").trim()).slice(0, longest).join("").trim();
}
