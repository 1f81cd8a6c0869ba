import { fnv1a } from "../../model/fnv1a.ts";

/** Random constants: each gives 32 bits of the id. */
const BASES = [0x6f3c8b52, 0x0a1d4c57, 0x9d2eb8a4, 0xf7e1c963];

/**
 * Permanent id of a feed or an entry. It does not depend on the address of the website, so readers show nothing twice after a move.
 * A UUID with a custom hash of the parts. Source: RFC 9562, section 5.8 (version 8), as a URN by section 4.
 */
export function idOf(...parts: readonly string[]): string {
  // No part has a line break: they are languages, slugs, times and codes.
  const text = parts.join("\n");
  const hex = BASES.map((basis) => fnv1a(text, basis).toString(16).padStart(8, "0")).join("");
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return `urn:uuid:${[...groups, variant + hex.slice(17, 20), hex.slice(20)].join("-")}`;
}
