import { fnv1a } from "../model/fnv.ts";
import type { Document } from "../model/snapshot.ts";

/**
 * Objects that are drawn only when what they show has changed are remembered in groups, by one signature each. Groups come in
 * families, by what they are: the badges of a monitor have its bare id, all others the name of their family before it.
 */
export function groupId(family: string, id: string): string {
  return family === "" ? id : `${family}:${id}`;
}

/** The id that a group has within its family; undefined for one of another family. Ids have no colon. */
export function localIdOf(family: string, group: string): string | undefined {
  const start = family === "" ? "" : `${family}:`;
  const id = group.startsWith(start) ? group.slice(start.length) : undefined;
  return id?.includes(":") === true ? undefined : id;
}

/** The badges as they should be, and how the objects of one are made. */
export interface WantedBadges {
  /** By id of the monitor: what its badges show. Ids that are not in it have none. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Ids that somebody asked for by name: these come first, however many others there are. */
  readonly named: ReadonlySet<string>;
  /** Whether this is a picture that takes long to draw and can wait: these come last. @default false */
  readonly isPicture?: (id: string) => boolean;
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

/** Several families as one. `pictures` names those that come last. */
export function joinFamilies(
  families: ReadonlyMap<string, WantedBadges>,
  pictures: ReadonlySet<string>,
): WantedBadges {
  const signatures = new Map<string, string>();
  const named = new Set<string>();
  for (const [family, wanted] of families) {
    for (const [id, signature] of wanted.signatures) signatures.set(groupId(family, id), signature);
    for (const id of wanted.named) named.add(groupId(family, id));
  }
  const find = (group: string) => {
    const at = group.indexOf(":");
    const family = group.slice(0, Math.max(at, 0));
    return { wanted: families.get(family) ?? NO_BADGES, id: group.slice(at + 1), family };
  };
  return {
    signatures,
    named,
    isPicture: (group) => pictures.has(find(group).family),
    isDeliberate: (group) => {
      const { wanted, id } = find(group);
      return wanted.isDeliberate(id);
    },
    keysOf: (group) => {
      const { wanted, id } = find(group);
      return wanted.keysOf(id);
    },
    build: (group) => {
      const { wanted, id } = find(group);
      return wanted.build(id);
    },
  };
}

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
