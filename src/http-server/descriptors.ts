import { readFile } from "node:fs/promises";

/**
 * Descriptors that connections may not use: 32 for the process and its threads (26 were seen), 64 for the stores (the main
 * thread has one client with 16 requests at once, the publishing thread up to three), 16 for the journal, the catalogue and
 * the registry, 16 for the operations port.
 */
export const RESERVED_DESCRIPTORS = 32 + 64 + 16 + 16;

/** An intake needs no more, and each takes some 10 kB of memory. */
const MAX_CONNECTIONS = 4_096;

/** The default of most systems, for systems that do not report their limit. */
const USUAL_DESCRIPTORS = 1_024;

/** The descriptors that this process may open, as the system reports; 1,024 if it does not. Never rejects. */
export async function readDescriptorLimit(file = "/proc/self/limits"): Promise<number> {
  // Only Linux has this file. The first number is the soft limit, which Node has already raised to the hard limit.
  const text = await readFile(file, "utf8").catch(() => "");
  const [, limit] = /^Max open files\s+(\d+|unlimited)\s/mu.exec(text) ?? [];
  if (limit === undefined) return USUAL_DESCRIPTORS;
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Connections that a server may keep open: the limit without the reserve, but at least a quarter of it and at most 4,096. */
export function connectionsWithin(descriptors: number): number {
  const left = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 4));
  return Math.max(1, Math.min(left, MAX_CONNECTIONS));
}

/** An eighth of all, so that eight networks are needed to fill them; at most 64, enough for an office with its browsers. */
export function connectionsOfNetwork(inAll: number): number {
  return Math.min(64, Math.max(4, Math.floor(inAll / 8)));
}
