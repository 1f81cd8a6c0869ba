import { z } from "zod";
import { checkShape, strictMapping } from "../strict-yaml/check-shape.ts";
import type { Finding } from "../strict-yaml/problem.ts";
import { locateList, locateMapping, type Located } from "../strict-yaml/strict-yaml.ts";
import { checkOverlayIds } from "./cross-checks.ts";

/** The two files that a catalogue is made of. */
export type CatalogueFile = "catalogue" | "overlay";

/** What an overlay does to one thing of the catalogue. */
export interface OverlayChange {
  /** `same`: the catalogue says it already. */
  readonly kind: "added" | "changed" | "removed" | "same";
  readonly of: "service" | "category" | "anchors";
  /** Slug of the service or id of the category; empty for the anchors, which are one. */
  readonly id: string;
  /** Of what is changed, the keys whose value is another now. */
  readonly keys: readonly string[];
}

/** A catalogue with an overlay laid over it, as if it had been written so. */
export interface Merged {
  readonly root: Located;
  /** What is wrong with the overlay by itself, by its own offsets and paths. */
  readonly findings: readonly Finding[];
  /** Entries that change nothing, because the catalogue does not have what they are about; in the same way. */
  readonly warnings: readonly Finding[];
  /** In the order of the overlay. */
  readonly changes: readonly OverlayChange[];
  /** In which file, and where there, a finding in `root` was written. */
  readonly toFile: <Found extends Place>(found: Found) => Found & { readonly file: CatalogueFile };
}

type Place = Pick<Finding, "offset" | "path">;

/**
 * Only what merging asks of an overlay. Everything else is asked of the merged value, with the rules that there are for it.
 */
const OVERLAY = strictMapping({
  categories: z.exactOptional(z.array(z.looseObject({ id: z.string() }))),
  anchors: z.exactOptional(z.unknown()),
  services: z.exactOptional(
    z.array(
      z
        .looseObject({ slug: z.string(), remove: z.exactOptional(z.literal(true)) })
        .refine((entry) => entry.remove === undefined || Object.keys(entry).length === 2, {
          path: ["remove"],
          message: "stands beside other keys; leave the slug alone beside it, or take it out.",
        }),
    ),
  ),
});

/** The lists whose entries are found by an id; the keys without which an entry is no whole one; and whether one may be removed. */
const LISTS: Readonly<Record<ListKey, ListRules>> = {
  categories: { of: "category", idKey: "id", needs: ["name"], canRemove: false },
  services: {
    of: "service",
    idKey: "slug",
    needs: ["name", "category", "endpoints"],
    canRemove: true,
  },
};

type ListKey = "categories" | "services";

interface ListRules {
  readonly of: OverlayChange["of"];
  readonly idKey: string;
  readonly needs: readonly string[];
  readonly canRemove: boolean;
}

/** An entry of a merged list, and the places at which it stands in the lists of the two files. */
interface Entry extends Partial<Readonly<Record<CatalogueFile, number>>> {
  readonly node: Located;
}

interface MergedList {
  readonly entries: readonly Entry[];
  readonly warnings: readonly Finding[];
  readonly changes: readonly OverlayChange[];
}

/**
 * Lays an overlay over a catalogue, both as they were written and not judged yet. An entry about something that the catalogue
 * has replaces the keys that it names, each as a whole; any other that is whole is added at the end; anchors are replaced as one
 * list. Never throws. See docs/catalogue.md, "An overlay".
 *
 * The merged value is judged by the rules of every catalogue, and what is wrong has to be told where it was written. So the two texts
 * are taken for one, the overlay behind the catalogue: an offset then says which file a part is from. A path goes by the merged lists, of
 * which each entry remembers its places in the lists of the files.
 *
 * @param catalogueLength of the text of the catalogue: offsets of parts of the overlay are moved behind it.
 */
export function mergeOverlay(
  catalogue: Located,
  overlay: Located,
  catalogueLength: number,
): Merged {
  const behind = catalogueLength + 1;
  const shaped = isNothing(overlay) ? undefined : checkShape(overlay, OVERLAY);
  const parts = new Map(catalogue.parts);
  const lists = new Map<PropertyKey, MergedList>();
  const changes: OverlayChange[] = [];
  for (const [key, given] of moveBehind(overlay, behind).parts) {
    const { offset, node } = given;
    const before = parts.get(key)?.node;
    if (key === "anchors") {
      changes.push({ kind: isSame(before, node) ? "same" : "changed", of: key, id: "", keys: [] });
      parts.set(key, given);
    } else if (isListKey(key) && isList(before) && isList(node)) {
      const list = mergeList(key, before, node);
      const items = list.entries.map((entry) => entry.node);
      lists.set(key, list);
      changes.push(...list.changes);
      parts.set(key, { offset, node: locateList(items, node.offset) });
    }
  }
  const toFile = findFile(lists, behind);
  return {
    // A catalogue that is no mapping is told as it is.
    root: isMapping(catalogue) ? locateMapping(parts, catalogue.offset) : catalogue,
    findings: [
      ...(shaped?.kind === "misshapen" ? shaped.findings : []),
      ...checkOverlayIds(overlay),
    ],
    warnings: [...lists.values()].flatMap(({ warnings }) =>
      warnings.map((warning) => ({ ...warning, offset: warning.offset - behind })),
    ),
    changes,
    toFile,
  };
}

/** An offset says which file it is in, and an entry of a list where it stands in the list of that file. */
function findFile(lists: ReadonlyMap<PropertyKey, MergedList>, behind: number): Merged["toFile"] {
  return (found) => {
    const file = found.offset < behind ? "catalogue" : "overlay";
    const [key, index, ...rest] = found.path;
    const isEntry = key !== undefined && typeof index === "number";
    const place = isEntry ? lists.get(key)?.entries[index]?.[file] : undefined;
    return {
      ...found,
      file,
      offset: file === "catalogue" ? found.offset : found.offset - behind,
      path: !isEntry || place === undefined ? found.path : [key, place, ...rest],
    };
  };
}

/** Entries without an id, or with that of one before, were found fault with already. */
function mergeList(key: ListKey, before: Located, given: Located): MergedList {
  const { of, idKey, canRemove } = LISTS[key];
  const entries: (Entry | undefined)[] = itemsOf(before).map((node, index) => {
    return { node, catalogue: index };
  });
  // Of several with one id, which is a fault of the catalogue, any will do.
  const places = new Map(itemsOf(before).map((node, index) => [idOf(node, idKey), index]));
  const met = new Set<string>();
  const warnings: Finding[] = [];
  const changes: OverlayChange[] = [];
  for (const [overlay, node] of itemsOf(given).entries()) {
    const id = idOf(node, idKey);
    if (id === undefined || met.has(id)) continue;
    met.add(id);
    const isRemoval = canRemove && node.parts.has("remove");
    const place = places.get(id);
    const entry = place === undefined ? undefined : entries[place];
    if (place === undefined || entry === undefined) {
      const message = explainUseless(key, node, isRemoval);
      const offset = node.parts.get(idKey)?.node.offset ?? node.offset;
      if (message !== undefined) warnings.push({ offset, path: [key, overlay, idKey], message });
      else {
        entries.push({ node, overlay });
        changes.push({ kind: "added", of, id, keys: [] });
      }
    } else if (isRemoval) {
      entries[place] = undefined;
      changes.push({ kind: "removed", of, id, keys: [] });
    } else {
      const changed = changeEntry(entry.node, node, idKey);
      entries[place] = { ...entry, node: changed.node, overlay };
      changes.push({
        kind: changed.keys.length === 0 ? "same" : "changed",
        of,
        id,
        keys: changed.keys,
      });
    }
  }
  return { entries: entries.filter((entry) => entry !== undefined), warnings, changes };
}

/** Why an entry about something that the catalogue does not have does nothing; undefined when it is a whole one, to be added. */
function explainUseless(key: ListKey, node: Located, isRemoval: boolean): string | undefined {
  const { of, idKey, needs } = LISTS[key];
  const missing = needs.filter((need) => !node.parts.has(need));
  if (isRemoval) {
    return `the catalogue has no ${of} with this ${idKey}, so there is nothing to remove; take the entry out.`;
  }
  if (missing.length === 0) return undefined;
  return `the catalogue has no ${of} with this ${idKey}, so the entry changes nothing; take it out, correct the ${idKey}, or add what a new ${of} needs: ${missing.join(", ")}.`;
}

/** The entry with the keys that the overlay names, and those of them whose value is another now. */
function changeEntry(
  before: Located,
  given: Located,
  idKey: string,
): { readonly node: Located; readonly keys: readonly string[] } {
  const named = [...given.parts].filter(([key]) => key !== idKey);
  const other = named.filter(([key, { node }]) => !isSame(before.parts.get(key)?.node, node));
  return {
    node: locateMapping(new Map([...before.parts, ...named]), before.offset),
    keys: other.map(([key]) => String(key)),
  };
}

/** A file of nothing but comments. */
function isNothing({ value, isRefused }: Located): boolean {
  return value === null && !isRefused;
}

function isMapping({ value }: Located): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(node: Located | undefined): node is Located {
  return Array.isArray(node?.value);
}

function isListKey(key: PropertyKey): key is ListKey {
  return Object.hasOwn(LISTS, key);
}

function itemsOf(list: Located): readonly Located[] {
  return [...list.parts.values()].map(({ node }) => node);
}

function idOf(entry: Located, idKey: string): string | undefined {
  const id = entry.parts.get(idKey)?.node.value;
  return typeof id === "string" ? id : undefined;
}

/** Whether both say the same, word for word. */
function isSame(one: Located | undefined, other: Located): boolean {
  return one !== undefined && JSON.stringify(one.value) === JSON.stringify(other.value);
}

function moveBehind(node: Located, by: number): Located {
  const parts = [...node.parts].map(([key, part]) => {
    return [key, { offset: part.offset + by, node: moveBehind(part.node, by) }] as const;
  });
  return { ...node, offset: node.offset + by, parts: new Map(parts) };
}
