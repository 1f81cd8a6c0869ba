import type { Document } from "../../src/model/service/snapshot.ts";

/** A document of plain text for each key. */
export function textDocuments(
  texts: Readonly<Record<string, string | number>>,
): readonly Document[] {
  return Object.entries(texts).map(([key, text]) => ({
    key,
    body: Buffer.from(String(text)),
    contentType: "text/plain",
    cacheControl: "max-age=60",
  }));
}
