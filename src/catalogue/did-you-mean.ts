/** Edits between two short texts (Levenshtein), rows of the usual table one at a time. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/**
 * The known word that a person most likely meant: the nearest one, if no more than two edits and
 * less than half of its letters are wrong. Undefined when none is near. Never throws.
 */
export function suggestWord(written: string, known: readonly string[]): string | undefined {
  let best: { readonly word: string; readonly edits: number } | undefined;
  for (const word of known) {
    if (Math.abs(word.length - written.length) > 2) continue;
    const edits = editDistance(written.toLowerCase(), word.toLowerCase());
    if (edits <= 2 && edits * 2 < word.length && edits < (best?.edits ?? 3)) best = { word, edits };
  }
  return best?.word;
}
