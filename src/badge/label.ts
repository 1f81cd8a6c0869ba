/** Longest label, in code points. Source: docs/badges.md. */
const LONGEST_LABEL = 40;

/**
 * A stranger's label as text that is safe anywhere: composed (NFC), one line, single spaces, no control or format character,
 * no lone surrogate, nothing unassigned or private. Empty when nothing is left. Never throws.
 * Source: https://www.w3.org/TR/xml/#charsets allows a little more than remains here.
 * @param longest most code points that remain; 40, as on a badge, when it is left out.
 */
export function cleanLabel(text: string, longest: number = LONGEST_LABEL): string {
  const line = text
    .replaceAll(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replaceAll(/\p{C}/gu, "")
    .normalize("NFC")
    .trim();
  return Array.from(line).slice(0, longest).join("").trim();
}

/** What can be drawn by itself, without changing its neighbours: no combining marks. */
const DRAWABLE = /^[\p{L}\p{N}\p{P}\p{S} ]$/u;

/**
 * The part of a label that a font can draw; the rest is left out, because an empty box tells nobody anything.
 * @param hasGlyph tells whether the font has a glyph for a code point.
 * @param longest most code points that remain; 40, as on a badge, when it is left out.
 */
export function drawableText(
  text: string,
  hasGlyph: (codePoint: number) => boolean,
  longest: number = LONGEST_LABEL,
): string {
  const isDrawable = (character: string): boolean =>
    DRAWABLE.test(character) && hasGlyph(character.codePointAt(0) ?? 0);
  const kept = Array.from(text).flatMap((character) => {
    if (isDrawable(character)) return [character];
    // Full-width letters, circled digits and the like have a plain form.
    const plain = Array.from(character.normalize("NFKC"));
    return plain.every(isDrawable) ? plain : [];
  });
  return Array.from(kept.join("").replaceAll(/ +/gu, " ").trim()).slice(0, longest).join("").trim();
}
