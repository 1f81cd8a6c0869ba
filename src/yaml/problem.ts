export interface Problem {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units, as editors count. */
  readonly column: number;
  /** Path in the value, `services[3].endpoints[0].url`; empty if it concerns the whole file. */
  readonly path: string;
  /** One sentence that says how to fix it. */
  readonly message: string;
}

/** A problem by its offset in the text; `toProblems` converts offsets to lines in one pass. */
export interface Finding {
  readonly offset: number;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Bounds on the output for hostile files. */
const MAX_SHOWN = 100;
const MAX_KEY_SHOWN = 60;

/** `["services", 3, "url"]` as `services[3].url`; keys that are not plain words are quoted. Never throws. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[\w-]{1,60}$/.test(String(step))) text += `${text === "" ? "" : "."}${String(step)}`;
    else text += `[${JSON.stringify(String(step).slice(0, MAX_KEY_SHOWN))}]`;
  }
  return text;
}

/** A problem as `LINE:COLUMN: path: sentence`. */
export function describeProblem({ line, column, path, message }: Problem): string {
  return `${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
}

/** The character at an offset as `U+200B`. */
export function nameCharacter(text: string, offset: number): string {
  return `U+${Number(text.codePointAt(offset)).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Findings as problems, sorted by position. At most 100 are listed; a last one then gives the number of the others, including `uncollected`,
 * which are further down and were only counted. Never throws.
 */
export function toProblems(
  text: string,
  findings: readonly Finding[],
  uncollected = 0,
): readonly Problem[] {
  const sorted = findings.toSorted((a, b) => a.offset - b.offset);
  const shown = sorted.slice(0, MAX_SHOWN);
  const left = sorted[MAX_SHOWN];
  if (left !== undefined) {
    const message = `${sorted.length - MAX_SHOWN + uncollected} more problems are not shown; fix these first.`;
    shown.push({ offset: left.offset, path: [], message });
  }
  let line = 1;
  let lineStart = 0;
  return shown.map(({ offset, path, message }) => {
    for (;;) {
      const next = text.indexOf("\n", lineStart) + 1;
      if (next === 0 || next > offset) break;
      lineStart = next;
      line += 1;
    }
    return { line, column: offset - lineStart + 1, path: formatPath(path), message };
  });
}
