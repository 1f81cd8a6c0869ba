import type { Document } from "../../src/model/service/snapshot.ts";
import { toObject } from "./contract.ts";

export const SLUGS = ["a", "b", "c", "d"];

/** A detail that every other generation removes, so that removals race with readers too. */
export const COMING_AND_GOING = "e";

export const LIST_KEY = "api/v1/status";

/** The content of each document of a generation. The filler makes documents of different generations differ in length. */
export interface Content {
  readonly generation: number;
  readonly slugs: readonly string[];
  readonly filler: string;
}

export function keyOf(slug: string): string {
  return `${LIST_KEY}/${slug}`;
}

/** Details first, list last, all different from those of other generations. */
export function toDocuments(generation: number): readonly Document[] {
  const slugs = generation % 2 === 0 ? SLUGS : [...SLUGS, COMING_AND_GOING];
  const content: Content = { generation, slugs, filler: toFiller(generation) };
  return [...slugs.map(keyOf), LIST_KEY].map((key) => ({
    key,
    ...toObject(JSON.stringify(content)),
  }));
}

export function keysToRemove(generation: number): readonly string[] {
  return generation % 2 === 0 ? [keyOf(COMING_AND_GOING)] : [];
}

/** Throws unless the text is one whole document. */
export function parseContent(text: string): Content {
  const content = JSON.parse(text) as Content;
  if (content.filler !== toFiller(content.generation)) throw new Error("a torn document");
  return content;
}

function toFiller(generation: number): string {
  return String(generation).repeat(1 + ((generation * 7_919) % 4_000));
}
