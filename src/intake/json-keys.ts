/** A string, or one of the characters that give JSON its structure (RFC 8259, sections 2 and 7). Numbers and words are skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gsu;

/**
 * The keys of the outermost object, in their order and as often as they are there; `JSON.parse` keeps only the last of those that
 * are the same. Escapes are resolved. The text has to be an object that `JSON.parse` takes: then every quotation mark outside of
 * a string begins one.
 */
export function keysOf(text: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let before = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ":" && depth === 1) keys.push(String(JSON.parse(before)));
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    before = token;
  }
  return keys;
}
