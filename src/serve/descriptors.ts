import { readFile } from "node:fs/promises";

/**
 * Descriptors that no connection may take: 32 for the process and its threads (26 were seen), 64 for the stores (the main thread
 * has one client with 16 requests at once, the thread that publishes up to three), 16 for the journal, the catalogue and the
 * registry, 16 for the operations port.
 */
export const RESERVED_DESCRIPTORS = 32 + 64 + 16 + 16;

/** More are of no use to an intake, and each takes memory, some 10 kB. */
const MAX_CONNECTIONS = 4_096;

/** Where the system does not tell: what most systems give a process that did not ask. */
const USUAL_DESCRIPTORS = 1_024;

/** The descriptors that this process may open, as the system says; 1,024 where it does not. Never rejects. */
export async function readDescriptorLimit(file = "/proc/self/limits"): Promise<number> {
  // Only Linux has such a file. The first number is the limit in force, which Node itself has raised to the second.
  const text = await readFile(file, "utf8").catch(() => "");
  const [, limit] = /^Max open files\s+(\d+|unlimited)\s/mu.exec(text) ?? [];
  if (limit === undefined) return USUAL_DESCRIPTORS;
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}

/**
 * Connections that a server may keep open: what the reserve leaves over, 4,096 at most. Where the limit is so low that hardly
 * anything is left, a quarter of it.
 */
export function connectionsWithin(descriptors: number): number {
  const left = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 4));
  return Math.max(1, Math.min(left, MAX_CONNECTIONS));
}

/** An eighth of all, so that eight networks are needed to fill them; 64 at most, which is a whole office with its browsers. */
export function connectionsOfNetwork(inAll: number): number {
  return Math.min(64, Math.max(4, Math.floor(inAll / 8)));
}
