import type { Document } from "../../src/model/snapshot.ts";
import type { WantedGroups } from "../../src/publish/groups.ts";
import { textDocuments } from "./text-documents.ts";

const KEYS = ["m/a.svg", "m/b.png"];

/** The badges of the one monitor of a toy: two objects that come and go with the count, and return to bytes they had before. */
export function toyBadges(count: number): WantedGroups {
  const signature = signatureAt(count);
  return {
    signatures: new Map(signature === undefined ? [] : [["m", signature]]),
    named: new Set(),
    isDeliberate: () => false,
    keysOf: () => KEYS,
    build: async () => documentsAt(count),
    isPicture: () => false,
  };
}

function signatureAt(count: number): string | undefined {
  return count % 4 === 3 ? undefined : `look-${Math.floor(count / 2) % 2}`;
}

function documentsAt(count: number): readonly Document[] {
  const signature = signatureAt(count);
  if (signature === undefined) return [];
  return textDocuments(Object.fromEntries(KEYS.map((key) => [key, `${key} ${signature}`])));
}

/** What a reader should find of the badges: text by key, undefined for an object that must not be there. */
export function expectedBadges(count: number): Record<string, string | undefined> {
  const found = new Map(
    documentsAt(count).map(({ key, body }) => [key, Buffer.from(body).toString()]),
  );
  return Object.fromEntries(KEYS.map((key) => [key, found.get(key)]));
}
