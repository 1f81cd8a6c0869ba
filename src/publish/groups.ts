import { fnv1a } from "../model/fnv.ts";
import type { Document } from "../model/snapshot.ts";

/**
 * Objects that are drawn only when what they show has changed are remembered in groups, by one signature each. Groups come in
 * families, by what they are: the badges of a monitor have its bare id, all others the name of their family before it.
 */
export function groupId(family: string, id: string): string {
  return family === "" ? id : `${family}:${id}`;
}

/** The id that a group has within its family; undefined for one of another family. */
export function localIdOf(family: string, group: string): string | undefined {
  const place = placeOf(group);
  return place.family === family ? place.id : undefined;
}

/** The inverse of `groupId`: ids have no colon. */
function placeOf(group: string): { readonly family: string; readonly id: string } {
  const at = group.indexOf(":");
  return { family: group.slice(0, Math.max(at, 0)), id: group.slice(at + 1) };
}

/** The groups of one family as they should be, by their ids within it, and how the objects of one are made. */
export interface GroupFamily {
  /** What each shows. Groups that are not in it have no objects. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Those that somebody asked for by name: these come first, however many others there are. */
  readonly named: ReadonlySet<string>;
  /** Whether somebody meant a group to go, so that no rule against mistakes applies. */
  readonly isDeliberate: (id: string) => boolean;
  /** Keys of all objects of a group. */
  readonly keysOf: (id: string) => readonly string[];
  /** Its objects, under exactly these keys; none when nobody can draw it. Asked only for those to be looked at or written. */
  readonly build: (id: string) => Promise<readonly Document[]>;
}

/** The groups of all families, by the ids under which the state remembers them. */
export interface WantedGroups extends GroupFamily {
  /** Whether a group is a picture, which takes long to draw and can wait: these come last. */
  readonly isPicture: (id: string) => boolean;
}

export const NO_GROUPS: WantedGroups = {
  signatures: new Map(),
  named: new Set(),
  isDeliberate: () => false,
  keysOf: () => [],
  build: () => Promise.resolve([]),
  isPicture: () => false,
};

/** Several families together. `pictures` names those that are pictures. */
export function joinFamilies(
  families: ReadonlyMap<string, GroupFamily>,
  pictures: ReadonlySet<string>,
): WantedGroups {
  const signatures = new Map<string, string>();
  const named = new Set<string>();
  for (const [family, wanted] of families) {
    for (const [id, signature] of wanted.signatures) signatures.set(groupId(family, id), signature);
    for (const id of wanted.named) named.add(groupId(family, id));
  }
  const ask = <T>(group: string, question: (family: GroupFamily, id: string) => T): T => {
    const { family, id } = placeOf(group);
    return question(families.get(family) ?? NO_GROUPS, id);
  };
  return {
    signatures,
    named,
    isDeliberate: (group) => ask(group, (family, id) => family.isDeliberate(id)),
    keysOf: (group) => ask(group, (family, id) => family.keysOf(id)),
    build: (group) => ask(group, (family, id) => family.build(id)),
    isPicture: (group) => pictures.has(placeOf(group).family),
  };
}

/** Groups that one audit looks at: a look at each object of more would take longer than a run may. */
const AUDITED_AT_ONCE = 500;

/**
 * Whether an audit looks at this group: in turns, so that so many generations look at all of them.
 *
 * @param of how many groups there are.
 */
export function isAuditTurn(id: string, generation: number, of: number): boolean {
  const turns = Math.ceil(of / AUDITED_AT_ONCE);
  // In no order: whatever rhythm the generations have, everybody's turn comes.
  return fnv1a(id) % turns === fnv1a(String(generation)) % turns;
}
