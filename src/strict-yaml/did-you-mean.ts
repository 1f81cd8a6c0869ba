/** A person's slip is a letter or two. */
const MOST_EDITS = 2;

/** Longer words are not mistyped but made up; and comparing them takes time that a hostile file must not be given. */
const LONGEST_WORD = 64;

/** Known words looked at: people choose among ten categories, not among thousands. */
const MOST_KNOWN = 50;

/**
 * Edits between two short texts (Levenshtein), or one more than `MOST_EDITS` for anything above. Only cells as near to
 * the diagonal as that can matter, so the others are never filled in.
 */
function editDistance(left: string, right: string): number {
  const far = MOST_EDITS + 1;
  let row = Array.from({ length: right.length + 1 }, (_, index) => Math.min(index, far));
  let next = row.map(() => far);
  for (let i = 1; i <= left.length; i += 1) {
    const from = Math.max(1, i - MOST_EDITS);
    const to = Math.min(right.length, i + MOST_EDITS);
    next[from - 1] = from === 1 ? Math.min(i, far) : far;
    for (let j = from; j <= to; j += 1) {
      const replaced = (row[j - 1] ?? far) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1, far);
    }
    if (to < right.length) next[to + 1] = far;
    [row, next] = [next, row];
  }
  return row[right.length] ?? far;
}

/**
 * The known word that a person most likely meant: the nearest one, if no more than two edits and
 * less than half of its letters are wrong. Undefined when none is near. Quick for any words. Never throws.
 */
export function suggestWord(written: string, known: readonly string[]): string | undefined {
  if (written.length > LONGEST_WORD) return undefined;
  let best: { readonly word: string; readonly edits: number } | undefined;
  for (const word of known.slice(0, MOST_KNOWN)) {
    if (Math.abs(word.length - written.length) > MOST_EDITS) continue;
    const edits = editDistance(written.toLowerCase(), word.toLowerCase());
    if (edits <= MOST_EDITS && edits * 2 < word.length && edits < (best?.edits ?? MOST_EDITS + 1)) {
      best = { word, edits };
    }
  }
  return best?.word;
}
