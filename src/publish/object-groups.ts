import { fnv1a } from "../model/fnv1a.ts";
import type { Publication } from "../model/publication.ts";
import type { Document } from "../model/service/snapshot.ts";

/** Badges of monitors, their pages, feeds and pictures, pictures of services, and the documents beside the API. */
export type FamilyName =
  | ""
  | "page"
  | "feed"
  | "card"
  | "service"
  | "evidence"
  | "history"
  | "archive"
  | "outage";

/**
 * Objects that are drawn only when their content has changed are remembered in groups, with one signature each. Groups belong to
 * families: the id of a group is its local id (badges of monitors), or the name of the family, a colon and the local id.
 */
export function groupId(family: FamilyName, id: string): string {
  return family === "" ? id : `${family}:${id}`;
}

/** The groups of one family by their local ids, with their signatures. */
export function* signaturesOf(
  family: FamilyName,
  groups: Publication["groups"],
): Generator<readonly [id: string, signature: string | null]> {
  for (const [group, { digest }] of groups) {
    const place = placeOf(group);
    if (place.family === family) yield [place.id, digest];
  }
}

/** The local id of a group of any family: what the groups of one monitor have in common. */
export function ownerOf(group: string): string {
  return placeOf(group).id;
}

/** The inverse of `groupId`: local ids have no colon. */
export function placeOf(group: string): { readonly family: FamilyName; readonly id: string } {
  const at = group.indexOf(":");
  // A family of a newer version has no entry in any map of families.
  return { family: group.slice(0, Math.max(at, 0)) as FamilyName, id: group.slice(at + 1) };
}

/** The groups of one family as they should be, by local id. */
export interface GroupFamily {
  /** The signature of the content of each group. Groups that are not in it have no objects. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Groups that a command named: these come first, however many others there are. */
  readonly named: ReadonlySet<string>;
  /** Whether an operator removed the group on purpose, so that the limit of removals does not apply. */
  readonly isDeliberate: (id: string) => boolean;
  readonly keysOf: (id: string) => readonly string[];
  /**
   * Whether the same content would have other bytes in each publish, such as times that do not matter. An audit then only looks for the
   * objects, because it has nothing to compare them with.
   */
  readonly hasMovingBytes?: true;
  /** Its objects, under exactly these keys; none when it can no longer be drawn. Called only for groups to check or write. */
  readonly build: (id: string) => Promise<readonly Document[]>;
}

/** The groups of all families, by the ids under which the state remembers them. */
export interface WantedGroups extends GroupFamily {
  /** Whether an audit of the group only looks for its objects: it is a picture, or has moving bytes. */
  readonly isOnlyLookedFor: (id: string) => boolean;
  /** Whether a group is a picture, which is slow to draw and not urgent: these come last. */
  readonly isPicture: (id: string) => boolean;
}

export const NO_GROUPS: WantedGroups = {
  signatures: new Map(),
  named: new Set(),
  isDeliberate: () => false,
  keysOf: () => [],
  isOnlyLookedFor: () => false,
  build: () => Promise.resolve([]),
  isPicture: () => false,
};

/** Joins families. `pictures` names those that are pictures. */
export function joinFamilies(
  families: ReadonlyMap<FamilyName, GroupFamily>,
  pictures: ReadonlySet<FamilyName>,
): WantedGroups {
  const signatures = new Map<string, string>();
  const named = new Set<string>();
  for (const [family, wanted] of families) {
    for (const [id, signature] of wanted.signatures) signatures.set(groupId(family, id), signature);
    for (const id of wanted.named) named.add(groupId(family, id));
  }
  const inFamily = <T>(group: string, act: (family: GroupFamily, id: string) => T): T => {
    const { family, id } = placeOf(group);
    return act(families.get(family) ?? NO_GROUPS, id);
  };
  const isPicture = (group: string): boolean => pictures.has(placeOf(group).family);
  return {
    signatures,
    named,
    isDeliberate: (group) => inFamily(group, (family, id) => family.isDeliberate(id)),
    keysOf: (group) => inFamily(group, (family, id) => family.keysOf(id)),
    build: (group) => inFamily(group, (family, id) => family.build(id)),
    isPicture,
    isOnlyLookedFor: (group) =>
      isPicture(group) || inFamily(group, ({ hasMovingBytes = false }) => hasMovingBytes),
  };
}

/** Groups that one audit checks: checking each object of more would take longer than a run may. */
const AUDITED_AT_ONCE = 500;

/** Whether the audit of a generation checks this one of so many groups. All get their turn within some generations. */
export function isAuditTurn(id: string, generation: number, of: number): boolean {
  const turns = Math.ceil(of / AUDITED_AT_ONCE);
  // By hash: if only every n-th generation audits, each group gets its turn all the same.
  return fnv1a(id) % turns === fnv1a(String(generation)) % turns;
}
