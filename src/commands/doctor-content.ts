import { createHash } from "node:crypto";
import { badgeKeys } from "../badge/documents.ts";
import type { Publication } from "../model/publication.ts";
import { type Inventory, type ObjectStore, StoreError } from "../model/store.ts";
import { localIdOf } from "../publish/groups.ts";
import type { Check } from "../render/checks.ts";
import { LIST_KEY } from "../snapshot/documents.ts";
import { loadState, StateError } from "../state.ts";
import { type KeyStyle, toObjectName } from "../store/key.ts";
import { parseLocation } from "../store/location.ts";
import { cardKey } from "./site-maker.ts";

const NAME = "--store content";

/** More than there is without monitors, for which the names of 2,000 have room; of a bucket twenty requests. */
const LOOKED_AT = 20_000;
const SHOWN = 3;
const LONGEST_SHOWN = 80;

interface Stores {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
}

/**
 * Whether anything lies in the public place that the state does not know: it is served to everybody under our address. Removes nothing.
 *
 * @param limit names that are looked at, at most.
 */
export async function checkContent(
  url: string,
  stores: Stores,
  limit: number = LOOKED_AT,
): Promise<Check> {
  try {
    // In this order: what is written is in the state before.
    const inventory = await stores.publicStore.listAll(limit);
    const { state } = await loadState(stores.stateStore, () => undefined);
    const { identity } = stores.publicStore;
    const names = await namesOf(state.publication, identity, keyStyleOf(url));
    const isShared = await isListOfAnother(stores);
    return judgeContent(inventory, names, {
      isShared,
      place: placeOf(state.publication, identity),
    });
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StateError)) throw error;
    const isRight = error instanceof StoreError && error.operation === "list";
    const right = isRight && url.startsWith("s3:") ? " It takes s3:ListBucket on the bucket." : "";
    const detail = `not known what lies there: ${error.message}${right}`;
    return { name: NAME, result: "warn", detail };
  }
}

function keyStyleOf(url: string): KeyStyle {
  const place = parseLocation(url);
  return place.kind === "s3" ? place.location.keyStyle : "suffixed";
}

/** The place of which the state speaks, where that is another one. */
function placeOf({ store }: Publication, identity: string): string | undefined {
  return store === "" || store === identity ? undefined : store;
}

/** Names of all that the state says is ours, in this very store. */
async function namesOf(
  publication: Publication,
  identity: string,
  style: KeyStyle,
): Promise<ReadonlySet<string>> {
  if (placeOf(publication, identity) !== undefined) return new Set();
  const { monitorPageKeys } = await import("../site/monitor-documents.ts");
  const families: Readonly<Record<string, (id: string) => readonly string[]>> = {
    "": badgeKeys,
    page: monitorPageKeys,
    card: (id) => [cardKey(`m/${id}`)],
    service: (slug) => [cardKey(slug)],
  };
  const ofGroups = [...publication.groups.keys()].flatMap((group) =>
    Object.entries(families).flatMap(([family, keysOf]) => {
      const id = localIdOf(family, group);
      return id === undefined ? [] : keysOf(id);
    }),
  );
  const keys = [...publication.objects.keys(), ...ofGroups];
  return new Set(keys.map((key) => toObjectName(key, style)));
}

/**
 * Whether the list there is not the one that the state says it published: two installations with one catalogue have the same names, and
 * show themselves by this alone. A publish that is under way changes the state first, so an unchanged state means that none is.
 */
async function isListOfAnother({ publicStore, stateStore }: Stores): Promise<boolean> {
  const before = await loadState(stateStore, () => undefined);
  const { publication } = before.state;
  const ours = publication.objects.get(LIST_KEY);
  if (ours?.isPublished !== true || placeOf(publication, publicStore.identity) !== undefined)
    return false;
  const found = await publicStore.read(LIST_KEY);
  if (found === undefined) return false;
  if (createHash("sha256").update(found.body).digest("hex") === ours.digest) return false;
  return (await loadState(stateStore, () => undefined)).etag === before.etag;
}

/** Objects as this program names them, with and without the extension of a store. */
const LIKE_OURS = [
  /^api\/v1\/status(?:\/[^/]+)?$/u,
  /^api\/m\/[^/]+\/badge[^/]*\.(?:svg|png|json)$/u,
  /^(?:en\/)?(?:status|m)\/[^/.]+(?:\.html)?$/u,
];

/** Of a `doctor` that was stopped, or is at work now. */
const OF_DOCTOR = /^doctor\/(?:races-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:$|[./])/u;

/** What is known of a place beside the names. */
export interface ContentFacts {
  /** The list was published by another state. */
  readonly isShared: boolean;
  /** The place of which the state speaks, where that is another one. */
  readonly place: string | undefined;
}

/** @param ours names of all that belongs there. */
export function judgeContent(
  { names, isComplete }: Inventory,
  ours: ReadonlySet<string>,
  { isShared, place }: ContentFacts,
): Check {
  const strange = names.filter((name) => !ours.has(name));
  const left = strange.filter((name) => OF_DOCTOR.test(name));
  const alike = strange.filter((name) => isLikeOurs(name));
  const foreign = strange.filter((name) => !isLikeOurs(name) && !OF_DOCTOR.test(name));
  const bound = isComplete
    ? ""
    : ` Only the first ${names.length} names were looked at; there are more.`;
  const remainders =
    left.length === 0
      ? ""
      : ` ${left.length} of them are left of a doctor that was stopped: delete doctor/.`;
  const faults = [
    ...(isShared ? [describeShared()] : []),
    ...(alike.length > 0 ? [describeAlike(alike, place)] : []),
    ...(foreign.length > 0 ? [describeForeign(foreign, names.length)] : []),
  ];
  if (faults.length > 0)
    return { name: NAME, result: "warn", detail: `${faults.join(" ")}${bound}` };
  const all = names.length === 0 ? "nothing there yet" : `${names.length} objects, none foreign`;
  return { name: NAME, result: "ok", detail: `${all}.${remainders}${bound}` };
}

function isLikeOurs(name: string): boolean {
  const bare = name.replace(/\.json$/u, "");
  return LIKE_OURS.some((pattern) => pattern.test(name) || pattern.test(bare));
}

function describeShared(): string {
  return "the list is not the one that this state published. If the state was set back to a backup, the next run puts that right; if not, another installation publishes here, and the two write over one another for ever: give each a prefix or bucket of its own.";
}

function describeAlike(names: readonly string[], place: string | undefined): string {
  const unknown =
    place === undefined
      ? "this state does not know them"
      : `this state speaks of another place, ${place}`;
  return `${names.length} objects look like ours, but ${unknown}: ${show(names)}. If another installation publishes here, the two write over one another: give each a prefix or bucket of its own. If none does, they are left of a state that is gone: the next run takes over what it publishes, delete the others after it.`;
}

function describeForeign(names: readonly string[], of: number): string {
  return `${names.length} of ${of} objects are not ours, and everybody gets them under the address of this place: ${show(names)}. Unless they are there on purpose, move them away; nothing here removes them.`;
}

/** A few of the names. Anybody may have chosen them, so what a terminal would obey is not shown. */
function show(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, SHOWN).map(tame).join(", ");
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}

function tame(name: string): string {
  const visible = name.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "\u{FFFD}");
  return visible.length > LONGEST_SHOWN ? `${visible.slice(0, LONGEST_SHOWN)}…` : visible;
}
