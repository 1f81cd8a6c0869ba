import type { Document } from "../model/snapshot.ts";

/** The badges as they should be, and how the objects of one are made. */
export interface WantedBadges {
  /** By id of the monitor: what its badges show. Ids that are not in it have none. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Keys of all objects of one monitor. */
  readonly keysOf: (id: string) => readonly string[];
  /** Its objects, under exactly these keys. Asked only for badges that have to be looked at or written. */
  readonly build: (id: string) => Promise<readonly Document[]>;
}

export const NO_BADGES: WantedBadges = {
  signatures: new Map(),
  keysOf: () => [],
  build: () => Promise.resolve([]),
};

/**
 * With so many badges, an audit leaves them alone: a look at each of their objects would take longer than a run may. What is
 * changed, suspect or unconfirmed is looked at all the same.
 */
export const MAX_AUDITED_BADGES = 1_000;
