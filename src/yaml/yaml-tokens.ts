import { CST, Lexer, Parser } from "yaml";
import type { Finding } from "./problem.ts";

/*
 * Bounds on the input of the YAML library, which needs some 10 µs and 5 KB per lexeme and recurses once per level: a file of
 * 4 MiB of brackets would take a minute and gigabytes, and overflow the stack.
 */

/** Enough for a catalogue of thousands of services. */
const MAX_LEXEMES = 50_000;
const MAX_LEXEME = 4_096;
const MAX_DEPTH = 16;
/** A text with more syntax errors is not YAML, and the library creates an exception with a stack for each. */
const MAX_ERRORS = 100;
/** Findings that are kept when a bound is exceeded; with more, the list would be cut before that finding. */
const MAX_OTHER_FINDINGS = 50;

const REFUSED_SYNTAX: ReadonlyMap<string, string> = new Map([
  ["alias", "aliases are not allowed; write the value out here."],
  ["anchor", "anchors are not allowed; remove it and write values out where they are used."],
  ["tag", "tags are not allowed; remove it and write the plain value."],
  ["directive-line", "% directives are not allowed; remove this line."],
]);

const TOO_LONG = `a single word, text or comment is over ${MAX_LEXEME} characters long; shorten it.`;
const NO_YAML = "the file is not YAML; start again from an example that works.";
const TOO_DEEP = `values are nested over ${MAX_DEPTH} deep here; flatten them.`;
const SECOND_DOCUMENT =
  "a second document begins here; a file holds one, so remove this line and what follows.";

/** Yields lexemes with their offsets and types; text (after the library's marker) has the type `scalar`. */
function* lexemesOf(
  text: string,
): Generator<{ source: string; offset: number; type: string | null }> {
  let offset = 0;
  let isText = false;
  for (const source of new Lexer().lex(text)) {
    const isMarker = source === CST.SCALAR || source === CST.DOCUMENT || source === CST.FLOW_END;
    yield { source, offset, type: isText ? "scalar" : isMarker ? "marker" : CST.tokenType(source) };
    isText = source === CST.SCALAR && !isText;
    if (!isMarker) offset += source.length;
  }
}

/** Lexemes that may follow the end of the only document. */
const BLANK: ReadonlySet<string | null> = new Set([
  "space",
  "newline",
  "comment",
  "marker",
  "doc-end",
  "byte-order-mark",
]);

function isTooDeep({ stack }: Parser): boolean {
  // Runs after each lexeme, so collections are counted only if the stack is deep enough.
  return (
    stack.length > MAX_DEPTH && stack.filter((token) => CST.isCollection(token)).length > MAX_DEPTH
  );
}

/** The tokens of a text, within bounds. What is not allowed gives findings; a second document or a bound stops at once. Never throws. */
export function readYamlTokens(text: string, maxLexemes: number = MAX_LEXEMES) {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const findings: Finding[] = [];
  const stop = (offset: number, message: string) => ({
    kind: "refused" as const,
    findings: [...findings.slice(0, MAX_OTHER_FINDINGS), { offset, path: [], message }],
  });
  let lexemes = 0;
  let errors = 0;
  let isBegun = false;
  let isEnded = false;
  for (const { source, offset, type } of lexemesOf(text)) {
    lexemes += 1;
    if (lexemes > maxLexemes) {
      return stop(offset, `the file has over ${maxLexemes} words and marks; make it shorter.`);
    }
    if (source.length > MAX_LEXEME) return stop(offset, TOO_LONG);
    if (!BLANK.has(type)) {
      if (isEnded || (isBegun && type === "doc-start")) return stop(offset, SECOND_DOCUMENT);
      isBegun ||= type !== "directive-line";
    }
    isEnded ||= type === "doc-end";
    const message = REFUSED_SYNTAX.get(type ?? "");
    if (message !== undefined) findings.push({ offset, path: [], message });
    for (const token of parser.next(source)) {
      // A directive would change how the library reads the rest.
      if (token.type !== "directive") tokens.push(token);
      if (token.type === "error") errors += 1;
    }
    if (errors > MAX_ERRORS) return stop(offset, NO_YAML);
    if (isTooDeep(parser)) return stop(offset, TOO_DEEP);
  }
  tokens.push(...parser.end());
  return { kind: "tokens" as const, tokens, findings };
}
