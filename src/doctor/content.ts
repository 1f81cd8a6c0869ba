import { createHash } from "node:crypto";
import { badgeKeys } from "../images/badge/content.ts";
import type { Publication } from "../model/publication.ts";
import { type Inventory, type ObjectStore, StoreError } from "../model/store.ts";
import { type FamilyName, placeOf } from "../publish/object-groups.ts";
import { findServedKey } from "../model/public-paths.ts";
import { attempt, type Check, ok, warn } from "./check.ts";
import { LIST_KEY } from "../services/snapshot/api-documents.ts";
import { loadState } from "../state/state-file.ts";
import { type KeyStyle, toObjectName } from "../store/key.ts";
import { bucketOf } from "../store/location.ts";
import { outageKeys } from "../pipeline/pages/outage-pages.ts";
import { KEYS_OF } from "../pipeline/pages/open-data-groups.ts";
import { monitorHistoryKey } from "../open-data/documents/histories.ts";
import { cardKey, pictureKeys } from "../site/pictures.ts";

const NAME = "--store content";

/** Enough for the services and 2,000 monitors; twenty requests to a bucket. */
const MAX_NAMES = 20_000;
const SHOWN = 3;
const MAX_SHOWN_LENGTH = 80;

/** The stores of a deployment. */
export interface Stores {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
}

/**
 * Whether the public store has objects that the state does not know, which are served to everyone under our address. Removes nothing.
 *
 * @param limit of names to read.
 */
export async function checkContent(
  url: string,
  stores: Stores,
  limit: number = MAX_NAMES,
): Promise<Check> {
  const checked = await attempt(async () => {
    // In this order, because an object is in the state before it is written.
    const inventory = await stores.publicStore.listAll(limit);
    const { state } = await loadState(stores.stateStore);
    const otherStore = otherStoreOf(state.publication, stores.publicStore.identity);
    const ours = await namesOf(state.publication, bucketOf(url)?.keyStyle);
    const names = otherStore === undefined ? ours : new Set<string>();
    const isShared = await isListOfAnother(stores);
    return assessContent(inventory, names, { isShared, otherStore });
  });
  if (!(checked instanceof Error)) return checked;
  const isListing = checked instanceof StoreError && checked.operation === "list";
  const right = isListing && url.startsWith("s3:") ? " It needs s3:ListBucket on the bucket." : "";
  return { name: NAME, ...warn(`the content is unknown: ${checked.message}${right}`) };
}

/** The store that the state names, if it is another one. */
function otherStoreOf({ store }: Publication, identity: string): string | undefined {
  return store === "" || store === identity ? undefined : store;
}

/** Names of all objects that the state knows. */
async function namesOf(
  publication: Publication,
  style: KeyStyle = "suffixed",
): Promise<ReadonlySet<string>> {
  const { monitorFeedKey, monitorPageKeys } = await import("../site/site-files.ts");
  const families: Readonly<Record<FamilyName, (id: string) => readonly string[]>> = {
    "": badgeKeys,
    page: monitorPageKeys,
    feed: (id) => [monitorFeedKey(id), monitorHistoryKey(id)],
    card: (id) => [cardKey(`m/${id}`)],
    service: pictureKeys,
    outage: outageKeys,
    ...KEYS_OF,
  };
  const byName = new Map(Object.entries(families));
  const ofGroups = [...publication.groups.keys()].flatMap((group) => {
    const { family, id } = placeOf(group);
    return byName.get(family)?.(id) ?? [];
  });
  const keys = [...publication.objects.keys(), ...ofGroups];
  return new Set(keys.map((key) => toObjectName(key, style)));
}

/**
 * Whether the list is not the one that the state has published: the only sign of a second installation with the same catalogue. A publish
 * changes the state first, so an unchanged state rules out a publish in progress.
 */
async function isListOfAnother({ publicStore, stateStore }: Stores): Promise<boolean> {
  const before = await loadState(stateStore);
  const { publication } = before.state;
  const ours = publication.objects.get(LIST_KEY);
  if (ours?.isPublished !== true || otherStoreOf(publication, publicStore.identity) !== undefined)
    return false;
  const found = await publicStore.read(LIST_KEY);
  if (found === undefined) return false;
  if (createHash("sha256").update(found.body).digest("hex") === ours.digest) return false;
  return (await loadState(stateStore)).etag === before.etag;
}

/** Objects of a `doctor` that was stopped, or is running. */
const OF_DOCTOR = /^doctor\/(?:races-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:$|[./])/u;

/**
 * @param ours names of all objects that belong there.
 * @param isShared the list was published by another state.
 * @param otherStore the store that the state names, if it is another one.
 */
export function assessContent(
  { names, isComplete }: Inventory,
  ours: ReadonlySet<string>,
  { isShared, otherStore }: { isShared: boolean; otherStore: string | undefined },
): Check {
  const strange = names.filter((name) => !ours.has(name));
  const left = strange.filter((name) => OF_DOCTOR.test(name));
  const similar = strange.filter((name) => hasOurName(name));
  const foreign = strange.filter((name) => !hasOurName(name) && !OF_DOCTOR.test(name));
  const bound = isComplete
    ? ""
    : ` Only the first ${names.length} names were checked; there are more.`;
  const remainders =
    left.length === 0
      ? ""
      : ` ${left.length} of them remain from a doctor that was stopped: delete doctor/.`;
  const faults = [
    ...(isShared ? [SHARED] : []),
    ...(similar.length > 0 ? [describeUnknownOfOurs(similar, otherStore)] : []),
    ...(foreign.length > 0 ? [describeForeign(foreign, names.length)] : []),
  ];
  if (faults.length > 0) return { name: NAME, ...warn(`${faults.join(" ")}${bound}`) };
  const all = names.length === 0 ? "no objects yet" : `${names.length} objects, none foreign`;
  return { name: NAME, ...ok(`${all}.${remainders}${bound}`) };
}

/** Whether this program uses a name, with or without the extension of a store. */
function hasOurName(name: string): boolean {
  const bare = name.replace(/\.(?:json|html)$/u, "");
  return findServedKey(name) !== undefined || findServedKey(bare) !== undefined;
}

const SHARED =
  "the list is not the one that this state published. If the state was restored from a backup, the next run repairs that; if not, another installation publishes here, and the two overwrite each other: give each a prefix or bucket of its own.";

function describeUnknownOfOurs(names: readonly string[], otherStore: string | undefined): string {
  const unknown =
    otherStore === undefined
      ? "this state does not know them"
      : `this state is of another store, ${otherStore}`;
  return `${names.length} objects look like ours, but ${unknown}: ${show(names)}. If another installation publishes here, the two overwrite each other: give each a prefix or bucket of its own. Otherwise a lost state left them: the next run takes over those that it publishes. Delete the others after that run.`;
}

function describeForeign(names: readonly string[], of: number): string {
  return `${names.length} of ${of} objects are not ours, and are served to everyone under the address of the site: ${show(names)}. Unless they are there on purpose, move them away; this program does not remove them.`;
}

/** A few of the names, without control characters, because strangers may have chosen them. */
function show(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, SHOWN).map(makePrintable).join(", ");
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}

function makePrintable(name: string): string {
  const visible = name.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "\u{FFFD}");
  return visible.length > MAX_SHOWN_LENGTH ? `${visible.slice(0, MAX_SHOWN_LENGTH)}…` : visible;
}
