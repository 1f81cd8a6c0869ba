/** A string, or a structural character of JSON (RFC 8259, sections 2 and 7). Numbers and literals are skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gsu;

/**
 * The keys of the outermost object, in order and with duplicates, of which `JSON.parse` keeps only the last. Escapes are resolved.
 * The text has to be an object that `JSON.parse` accepts, so that every quotation mark outside of a string begins one.
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
