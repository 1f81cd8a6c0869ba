import { distance } from "fastest-levenshtein";

/** A typing mistake is a letter or two. */
const MAX_EDITS = 2;

/** Bounds on the time that a hostile file can cost; known words are far shorter and, unless a caller says otherwise, fewer. */
const MAX_WORD = 64;
const MAX_KNOWN = 50;

/** The nearest of the first `most` known words, if at most two letters and less than half of it are wrong. Never throws. */
export function suggestWord(
  written: string,
  known: readonly string[],
  most: number = MAX_KNOWN,
): string | undefined {
  if (written.length > MAX_WORD) return undefined;
  const near = known
    .slice(0, most)
    .filter((word) => Math.abs(word.length - written.length) <= MAX_EDITS)
    .map((word) => ({ word, edits: distance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= MAX_EDITS && edits * 2 < word.length);
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.word;
}
