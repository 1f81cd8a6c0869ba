import { SLUG_FORM } from "../../model/ids.ts";
import { isIP } from "node:net";
import { countEach } from "../../model/lists.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";

/** The fingerprints of the package. The path is valid in `src/` and in `dist/`. */
export const BLOCKPAGES_FILE: URL = new URL("data/blockpages.json", PROGRAM_FOLDER);

/** Compiled fingerprints; build them with `compileFingerprints`. The values are the ids of the rows. */
export type Fingerprints = ReturnType<typeof compileFingerprints>;

interface Row {
  readonly id: string;
  readonly where: Where;
  readonly type: string;
  readonly pattern: string;
}

/** Allowed match types for each place. A host is never searched for inside a longer string. */
const TYPES_BY_WHERE = {
  "location-host": ["exact", "suffix"],
  body: ["contains"],
  "dns-address": ["exact"],
} as const satisfies Record<string, readonly string[]>;
type Where = keyof typeof TYPES_BY_WHERE;

/** Shortest body pattern, in characters: a shorter one is not specific enough to blame a provider. */
const MIN_BODY_CHARS = 20;

const HOST = /^(?=.{4,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => isText(value) && SLUG_FORM.test(value),
  where: isWhere,
  type: isText,
  pattern: isText,
  country: (value) => isText(value) && /^[A-Z]{2}$/.test(value),
  scope: (value) => value === "isp" || value === "national",
  confidence: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10,
  source: isText,
  sourceCommit: (value) => isText(value) && /^[0-9a-f]{40}$/.test(value),
  addedAt: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value),
};

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isWhere(value: unknown): value is Where {
  return isText(value) && Object.hasOwn(TYPES_BY_WHERE, value);
}

function findFieldProblem(row: object): string | undefined {
  const unknown = Object.keys(row).find((key) => !Object.hasOwn(CHECKS, key));
  if (unknown !== undefined) return `does not know the field "${unknown}"`;
  const fields = new Map<string, unknown>(Object.entries(row));
  const bad = Object.entries(CHECKS).find(([field, isValid]) => !isValid(fields.get(field)));
  return bad && `has no valid "${bad[0]}"`;
}

function findPatternProblem({ where, type, pattern }: Row): string | undefined {
  const types: readonly string[] = TYPES_BY_WHERE[where];
  if (!types.includes(type)) return `needs type ${types.join(" or ")} for ${where}`;
  if (where === "location-host" && !HOST.test(pattern)) return "needs a lower-case host name";
  if (where === "dns-address" && isIP(pattern) === 0) return "needs an IP address";
  if (where === "body" && pattern.trim().length < MIN_BODY_CHARS) {
    return `needs a body pattern of at least ${MIN_BODY_CHARS} characters`;
  }
  return undefined;
}

/** Throws, because a broken data file is a programming error. */
function parseRow(value: unknown, index: number): Row {
  const problem =
    typeof value === "object" && value !== null
      ? (findFieldProblem(value) ?? findPatternProblem(value as Row))
      : "is not an object";
  if (problem === undefined) return value as Row;
  throw new Error(`Fingerprints: row ${index + 1} ${problem}: ${JSON.stringify(value)}`);
}

function refuseDuplicates(rows: readonly Row[]): void {
  const keys = rows.flatMap((row) => [`id ${row.id}`, `${row.where} pattern ${row.pattern}`]);
  for (const [key, times] of countEach(keys))
    if (times > 1) throw new Error(`Fingerprints: duplicate ${key}`);
}

function selectIds(rows: readonly Row[], where: Where, type: string): ReadonlyMap<string, string> {
  return new Map(
    rows
      .filter((row) => row.where === where && row.type === type)
      .map((row) => [row.pattern, row.id]),
  );
}

/** Compiles the rows of `data/blockpages.json` (fields: `data/README.md`). Throws an `Error` that names the first broken row. */
export function compileFingerprints(rows: unknown) {
  if (!Array.isArray(rows)) throw new Error("Fingerprints: the file is not a list of rows");
  const parsed = rows.map(parseRow);
  refuseDuplicates(parsed);
  return {
    exactHosts: selectIds(parsed, "location-host", "exact"),
    /** Each matches the host itself and every host below it. */
    hostSuffixes: selectIds(parsed, "location-host", "suffix"),
    /** In UTF-8 or windows-1251. */
    bodies: compilePatterns(selectIds(parsed, "body", "contains")),
    /** That a provider's resolver returns for the names it blocks. */
    addresses: selectIds(parsed, "dns-address", "exact"),
  };
}

/** Id of the fingerprint of a redirect's host. Only the host is compared: a healthy site may have a blocking one in a path or a query. */
export function matchLocationHost(fingerprints: Fingerprints, location: URL): string | undefined {
  const host = location.hostname.replace(/\.$/, "");
  const exact = fingerprints.exactHosts.get(host);
  if (exact !== undefined) return exact;
  for (let rest = host; ; rest = rest.slice(rest.indexOf(".") + 1)) {
    const id = fingerprints.hostSuffixes.get(rest);
    if (id !== undefined || !rest.includes(".")) return id;
  }
}

/** Texts to search for; build it with `compilePatterns`. A byte stands for the character of Latin-1 with its number. */
type PatternSet = ReturnType<typeof compilePatterns>;

/** Byte of each windows-1251 character, because Node decodes that encoding but cannot encode it. */
function readWindows1251(): ReadonlyMap<string, number> {
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = new TextDecoder("windows-1251").decode(everyByte);
  return new Map(Array.from(characters, (character, byte) => [character, byte]));
}

function encode(text: string, windows1251: ReadonlyMap<string, number>): readonly string[] {
  const utf8 = Buffer.from(text).toString("latin1");
  const bytes = Array.from(text, (character) => windows1251.get(character) ?? -1);
  const isSame = bytes.length === utf8.length;
  return isSame || bytes.includes(-1) ? [utf8] : [utf8, Buffer.from(bytes).toString("latin1")];
}

/**
 * Compiles texts, with their ids, for a search in UTF-8 and windows-1251 at once: one expression passes over a body once, where sixty
 * separate searches would cost milliseconds a page.
 */
export function compilePatterns(idByText: ReadonlyMap<string, string>) {
  const windows1251 = readWindows1251();
  const idByBytes = new Map(
    [...idByText].flatMap(([text, id]) =>
      encode(text, windows1251).map((bytes) => [bytes, id] as const),
    ),
  );
  const escaped = [...idByBytes.keys()].map((bytes) =>
    bytes.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  return { anyOfThem: new RegExp(escaped.join("|")), idByBytes };
}

/** Id of the first pattern in the bytes, or `undefined`. Takes some 0.1 ms for 64 KiB of an ordinary page. */
export function findPattern(patterns: PatternSet, bytes: Uint8Array): string | undefined {
  const [found = ""] = patterns.anyOfThem.exec(Buffer.from(bytes).toString("latin1")) ?? [];
  return patterns.idByBytes.get(found);
}
