/** A typing mistake is a letter or two. */
const MAX_EDITS = 2;

/** Bounds on the time that a hostile file can cost; known words are far shorter and, unless a caller says otherwise, fewer. */
const MAX_WORD = 64;
const MAX_KNOWN = 50;

/** Levenshtein distance, capped at `MAX_EDITS + 1`, so only cells that near to the diagonal are computed. */
function editDistance(left: string, right: string): number {
  const far = MAX_EDITS + 1;
  let row = Array.from({ length: right.length + 1 }, (_, index) => Math.min(index, far));
  let next = row.map(() => far);
  for (let i = 1; i <= left.length; i += 1) {
    const from = Math.max(1, i - MAX_EDITS);
    const to = Math.min(right.length, i + MAX_EDITS);
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

/** The nearest of the first `most` known words, if at most two letters and less than half of it are wrong. Never throws. */
export function suggestWord(
  written: string,
  known: readonly string[],
  most: number = MAX_KNOWN,
): string | undefined {
  if (written.length > MAX_WORD) return undefined;
  let best: { readonly word: string; readonly edits: number } | undefined;
  for (const word of known.slice(0, most)) {
    if (Math.abs(word.length - written.length) > MAX_EDITS) continue;
    const edits = editDistance(written.toLowerCase(), word.toLowerCase());
    if (edits <= MAX_EDITS && edits * 2 < word.length && edits < (best?.edits ?? MAX_EDITS + 1)) {
      best = { word, edits };
    }
  }
  return best?.word;
}
