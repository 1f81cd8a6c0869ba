import type { Document } from "../../src/model/service/snapshot.ts";
import type { WantedGroups } from "../../src/publish/object-groups.ts";
import { textDocuments } from "../publish/text-documents.ts";

const KEYS = ["m/a.svg", "m/b.png"];

/** Badges of one monitor: two objects that exist or not depending on the count, and repeat their bytes. */
export function sampleBadges(count: number): WantedGroups {
  const signature = signatureAt(count);
  return {
    signatures: new Map(signature === undefined ? [] : [["m", signature]]),
    named: new Set(),
    isDeliberate: () => false,
    keysOf: () => KEYS,
    build: async () => documentsAt(count),
    isPicture: () => false,
    isOnlyLookedFor: () => false,
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

/** Expected badges: text by key, undefined for an object that must not exist. */
export function expectedBadges(count: number): Record<string, string | undefined> {
  const found = new Map(
    documentsAt(count).map(({ key, body }) => [key, Buffer.from(body).toString()]),
  );
  return Object.fromEntries(KEYS.map((key) => [key, found.get(key)]));
}
