/** The search of the list. Source: docs/website.md, In the browser. */

/** The same keys on two keyboards. */
const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюё";

/** What was typed, had the other keyboard been on. */
const retype = (text: string, from: string, to: string): string =>
  [...text].map((key) => to[from.indexOf(key)] ?? key).join("");

const normalize = (text = ""): string => text.toLowerCase().replaceAll("ё", "е");

/** The rows with every part of what was typed in `data-search`; where there is none, those of the same keys on the other keyboard. */
export function findRows(rows: readonly HTMLElement[], text: string): readonly HTMLElement[] {
  const typed = text.trim().toLowerCase();
  for (const meant of [typed, retype(typed, LATIN, CYRILLIC), retype(typed, CYRILLIC, LATIN)]) {
    const parts = normalize(meant).split(/\s+/);
    const found = rows.filter(({ dataset }) =>
      parts.every((part) => normalize(dataset["search"]).includes(part)),
    );
    if (found.length > 0) return found;
  }
  return [];
}
