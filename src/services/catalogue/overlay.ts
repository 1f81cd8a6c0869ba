import * as z from "zod";
import { isObject } from "../../model/errors.ts";
import { checkShape, strictMapping } from "../../yaml/check-shape.ts";
import type { Finding } from "../../yaml/problem.ts";
import { locateList, locateMapping, type Located } from "../../yaml/strict-yaml.ts";
import { checkOverlayIds } from "./validate-references.ts";

/** The two files that a catalogue is read from. */
export type CatalogueFile = "catalogue" | "overlay";

/** What an overlay does to one entry of the catalogue. */
export interface OverlayChange {
  /** `same`: the catalogue already says so. */
  readonly kind: "added" | "changed" | "removed" | "same";
  readonly of: "service" | "category" | "anchors";
  /** Slug of the service or id of the category; empty for the anchors, which are replaced as one list. */
  readonly id: string;
  /** Keys whose value changed. */
  readonly keys: readonly string[];
}

export type Merged = ReturnType<typeof mergeOverlay>;

type Place = Pick<Finding, "offset" | "path">;

/** Only what merging needs of an overlay. Everything else is validated after merging, by the rules of every catalogue. */
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

/** Lists whose entries have an id, and the keys that a complete entry needs. */
const LISTS = {
  categories: { of: "category", idKey: "id", needs: ["name"] },
  services: { of: "service", idKey: "slug", needs: ["name", "category", "endpoints"] },
} as const;

type ListKey = keyof typeof LISTS;

/** An entry of a merged list, with its index in the lists of the two files. */
interface Entry extends Partial<Readonly<Record<CatalogueFile, number>>> {
  readonly node: Located;
}

type MergedList = ReturnType<typeof mergeList>;

/**
 * Applies an overlay to a catalogue, both located and not validated yet. An entry for a known id replaces the keys that it
 * names, each as a whole; another complete entry is appended; anchors are replaced as one list. Never throws.
 * See docs/services/catalogue.md, "An overlay".
 *
 * Faults are reported in their own file: offsets of the overlay are moved behind the text of the catalogue, and each merged entry
 * keeps its original index.
 *
 * @param catalogueLength length of the catalogue's text.
 */
export function mergeOverlay(catalogue: Located, overlay: Located, catalogueLength: number) {
  const behind = catalogueLength + 1;
  // A file can hold only comments.
  const isNothing = overlay.value === null && !overlay.isRefused;
  const shaped = isNothing ? undefined : checkShape(overlay, OVERLAY);
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
  return {
    // A catalogue that is not a mapping is reported by the schema.
    root: isObject(catalogue.value) ? locateMapping(parts, catalogue.offset) : catalogue,
    /** Faults in the overlay itself, with its own offsets and paths. */
    findings: [
      ...(shaped?.kind === "misshapen" ? shaped.findings : []),
      ...checkOverlayIds(overlay),
    ],
    /** Entries without effect, because the catalogue does not have their service or category; located in the same way. */
    warnings: [...lists.values()].flatMap(({ warnings }) =>
      warnings.map((warning) => ({ ...warning, offset: warning.offset - behind })),
    ),
    /** In the order of the overlay. */
    changes,
    /** Maps a finding in `root` to the file and the place where it was written. */
    toFile: findFile(lists, behind),
  };
}

/** The offset says which file a finding is in, the entry its index in the list of that file. */
function findFile(lists: ReadonlyMap<PropertyKey, MergedList>, behind: number) {
  return <Found extends Place>(found: Found): Found & { readonly file: CatalogueFile } => {
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

/** Entries without an id, or with the id of an earlier entry, have been reported already. */
function mergeList(key: ListKey, before: Located, given: Located) {
  const { of, idKey } = LISTS[key];
  const items = itemsOf(before);
  const entries: (Entry | undefined)[] = items.map((node, index) => ({ node, catalogue: index }));
  // Duplicate ids are a fault of the catalogue that is reported elsewhere: any of them will do here.
  const places = new Map(items.map((node, index) => [idOf(node, idKey), index]));
  const met = new Set<string>();
  const warnings: Finding[] = [];
  const changes: OverlayChange[] = [];
  for (const [overlay, node] of itemsOf(given).entries()) {
    const id = idOf(node, idKey);
    if (id === undefined || met.has(id)) continue;
    met.add(id);
    const isRemoval = key === "services" && node.parts.has("remove");
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
      const { keys, node: changed } = changeEntry(entry.node, node, idKey);
      entries[place] = { ...entry, node: changed, overlay };
      changes.push({ kind: keys.length === 0 ? "same" : "changed", of, id, keys });
    }
  }
  return { entries: entries.filter((entry) => entry !== undefined), warnings, changes };
}

/** Why an entry for an unknown id has no effect; undefined if it is complete and can be added. */
function explainUseless(key: ListKey, node: Located, isRemoval: boolean): string | undefined {
  const { of, idKey, needs } = LISTS[key];
  const missing = needs.filter((need) => !node.parts.has(need));
  if (isRemoval)
    return `the catalogue has no ${of} with this ${idKey}, so there is nothing to remove; take the entry out.`;
  if (missing.length === 0) return undefined;
  return `the catalogue has no ${of} with this ${idKey}, so the entry changes nothing; take it out, correct the ${idKey}, or add what a new ${of} needs: ${missing.join(", ")}.`;
}

/** The entry with the keys of the overlay, and which of them changed. */
function changeEntry(before: Located, given: Located, idKey: string) {
  const named = [...given.parts].filter(([key]) => key !== idKey);
  const other = named.filter(([key, { node }]) => !isSame(before.parts.get(key)?.node, node));
  return {
    node: locateMapping(new Map([...before.parts, ...named]), before.offset),
    keys: other.map(([key]) => String(key)),
  };
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

/** Deep equality of two written values. */
function isSame(one: Located | undefined, other: Located): boolean {
  return one !== undefined && JSON.stringify(one.value) === JSON.stringify(other.value);
}

function moveBehind(node: Located, by: number): Located {
  const parts = [...node.parts].map(([key, part]) => {
    return [key, { offset: part.offset + by, node: moveBehind(part.node, by) }] as const;
  });
  return { ...node, offset: node.offset + by, parts: new Map(parts) };
}
