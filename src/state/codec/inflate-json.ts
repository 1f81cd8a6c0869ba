import { gunzipSync } from "node:zlib";

/** Larger stored objects can only be a mistake or a decompression bomb. */
export const MAX_STORED_BYTES: number = 64 * 1024 * 1024;

/** A value, or what is wrong with its bytes as the beginning of a sentence. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/**
 * The JSON in stored bytes, gzipped or not. Never throws.
 *
 * @param name of the object in messages: `the state`.
 */
export function inflateJson(bytes: Uint8Array, name: string): Reading<unknown> {
  if (bytes.length === 0) return { problem: `${name} is empty` };
  if (bytes.length > MAX_STORED_BYTES) return { problem: `${name} is over 64 MiB` };
  const text = inflate(bytes, name);
  if ("problem" in text) return text;
  try {
    const value: unknown = JSON.parse(text.value);
    return { value };
  } catch {
    return { problem: `${name} is corrupt or foreign: it is not JSON` };
  }
}

function inflate(bytes: Uint8Array, name: string): Reading<string> {
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_STORED_BYTES }) : bytes;
    return { value: new TextDecoder("utf-8", { fatal: true }).decode(plain) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `${name} is corrupt or cut short (${why})` };
  }
}
