import { CACHE_A_MINUTE } from "../cache-policy.ts";
import type { Document } from "./snapshot.ts";

/** A public JSON document. */
export function toJsonDocument(key: string, content: object): Document {
  return toTextDocument(key, "application/json; charset=utf-8", JSON.stringify(content));
}

/** A public document of text. */
export function toTextDocument(key: string, contentType: string, text: string): Document {
  return { key, contentType, cacheControl: CACHE_A_MINUTE, body: new TextEncoder().encode(text) };
}
