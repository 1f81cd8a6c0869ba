/** FNV-1a. Source: draft-eastlake-fnv, 32 bits. */
const BASIS = 0x81_1c_9d_c5;
const PRIME = 0x01_00_01_93;

/**
 * Lowercase ids that monitors of several parts share, as far as 32 bits tell: all that do, and of a million ids about a hundred others.
 * A set of all ids would take more memory than the monitors. Pure.
 */
export function findDoubleIds(
  parts: readonly (readonly { readonly id: string }[])[],
): ReadonlySet<string> {
  const hashes = Uint32Array.from(parts.flatMap((part) => part.map(({ id }) => hashOf(id))));
  hashes.sort();
  const twice = new Set(hashes.filter((hash, at) => at > 0 && hash === hashes[at - 1]));
  if (twice.size === 0) return new Set();
  return new Set(
    parts.flatMap((part) =>
      part.flatMap(({ id }) => (twice.has(hashOf(id)) ? [id.toLowerCase()] : [])),
    ),
  );
}

/** The same for an id in any letter case: ids are ASCII, whose cases differ in one bit. */
function hashOf(id: string): number {
  let hash = BASIS;
  for (let at = 0; at < id.length; at += 1)
    hash = Math.imul(hash ^ (id.charCodeAt(at) | 0x20), PRIME) >>> 0;
  return hash;
}
