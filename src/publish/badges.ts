import { fnv1a } from "../model/fnv.ts";
import type { Document } from "../model/snapshot.ts";

/** The badges as they should be, and how the objects of one are made. */
export interface WantedBadges {
  /** By id of the monitor: what its badges show. Ids that are not in it have none. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Ids that somebody asked for by name: these come first, however many others there are. */
  readonly named: ReadonlySet<string>;
  /** Whether somebody meant the badges of this id to go, so that no rule against mistakes applies. */
  readonly isDeliberate: (id: string) => boolean;
  /** Keys of all objects of one monitor. */
  readonly keysOf: (id: string) => readonly string[];
  /** Its objects, under exactly these keys. Asked only for badges that have to be looked at or written. */
  readonly build: (id: string) => Promise<readonly Document[]>;
}

export const NO_BADGES: WantedBadges = {
  signatures: new Map(),
  named: new Set(),
  isDeliberate: () => false,
  keysOf: () => [],
  build: () => Promise.resolve([]),
};

/** Badges that one audit looks at: a look at each object of more would take longer than a run may. */
const AUDITED_AT_ONCE = 500;

/**
 * Whether an audit looks at the badges of this id: in turns, so that so many generations look at all of them.
 *
 * @param of how many badges there are.
 */
export function isAuditTurn(id: string, generation: number, of: number): boolean {
  const turns = Math.ceil(of / AUDITED_AT_ONCE);
  // In no order: whatever rhythm the generations have, everybody's turn comes.
  return fnv1a(id) % turns === fnv1a(String(generation)) % turns;
}
