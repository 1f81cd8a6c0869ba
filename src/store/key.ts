import { findServed } from "../model/public-paths.ts";

/** Longest file name in bytes of UTF-8 (NAME_MAX of Linux and macOS; 255 on NTFS too). */
const NAME_LIMIT_BYTES = 255;

/** Control characters, lone surrogates (not UTF-8) and the backslash, which is a separator on Windows. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\\]/u;

/**
 * The file of a key, as path segments below the root. A last segment without a dot gets `.html` if it is a page of the website,
 * else `.json`: so the file of `api/v1/status` and the folder `api/v1/status/` can exist together, as can the page `api` and
 * `api/`. The metrics keep their name. The rule needs the key alone, so that a reader finds what a writer stored. A key and its file
 * name are one object: `x` and `x.json`.
 */
export function toFileSegments(key: string): readonly string[] {
  const segments = key.split("/");
  const last = segments.at(-1) ?? "";
  const suffix = last.includes(".") ? "" : suffixOf(key);
  return [...segments.slice(0, -1), `${last}${suffix}`];
}

/** Web servers tell the type by the extension; the metrics are the only file without one. */
function suffixOf(key: string): string {
  const kind = findServed(key)?.kind;
  if (kind === "openmetrics") return "";
  return kind === "html" ? ".html" : ".json";
}

/** How a store names the object of a key: `suffixed` as a directory names the file, `exact` like the key. */
export type KeyStyle = "exact" | "suffixed";

/** The name of a key's object below the prefix or folder of a store. */
export function toObjectName(key: string, style: KeyStyle): string {
  return style === "suffixed" ? toFileSegments(key).join("/") : key;
}

/**
 * Why a key is invalid, as the end of a sentence; undefined for a valid one. A segment must not be empty, begin with a dot (`.`,
 * `..`, and the store's own `.tmp`), or be longer than a file name may be.
 */
export function findKeyProblem(key: string): string | undefined {
  if (FORBIDDEN.test(key)) return "it has a backslash, a control character or a lone surrogate";
  if (key.split("/").includes("")) return "one of its segments is empty";
  for (const segment of toFileSegments(key)) {
    if (segment.startsWith(".")) return "one of its segments begins with a dot";
    if (Buffer.byteLength(segment) > NAME_LIMIT_BYTES)
      return `one of its segments is longer than ${NAME_LIMIT_BYTES} bytes`;
  }
  return undefined;
}
