import { randomBytes } from "node:crypto";
import type { Monitor } from "../../model/monitor/monitor.ts";
import {
  addMonitor,
  type Edited,
  type Refused,
  refuseTaken,
  refuseUnreadable,
  removeMonitor,
  setPublic,
} from "../../monitors/registry/edit.ts";
import { readEntries } from "../../monitors/registry/parse-registry.ts";
import type { MonitorRules, WrittenMonitor } from "../../monitors/registry/registry-schema.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import { createRegistryParser, type ReadMonitors } from "./read-monitors.ts";
import { readRegistry, type RegistryPart } from "./read-registry.ts";
import {
  editRegistry,
  formatOfName,
  type Hindrance,
  type MonitorEdit,
  unlessUnreachable,
} from "./registry-file.ts";
import {
  layoutOf,
  type PartLocation,
  type RegistryLocation,
  type ShardsLocation,
} from "./registry-location.ts";

export interface EditTools {
  readonly location: RegistryLocation;
  readonly rules: MonitorRules;
}

/** The settings of a new monitor. Its id is generated when absent. */
export type AddOptions = Omit<WrittenMonitor, "id" | "url"> & { readonly id?: string };

/** Two taken ids in a row can only come from a broken source of randomness. */
const MAX_DRAWS = 3;
const ID_BYTES = 16;

/** A new id: 128 random bits as base64url. Never begins with a hyphen, which a command line would read as an option. */
export function generateMonitorId(): string {
  for (;;) {
    const id = randomBytes(ID_BYTES).toString("base64url");
    if (!id.startsWith("-")) return id;
  }
}

/** `monitor add URL`: appends a monitor, and creates the registry if there is none. */
export async function addToRegistry(
  url: string,
  { id, ...settings }: AddOptions,
  { location: registry, rules, newId }: EditTools & { readonly newId: () => string },
): Promise<MonitorEdit> {
  const [first = "", ...others] =
    id === undefined ? Array.from({ length: MAX_DRAWS }, newId) : [id];
  const format = registry.kind === "shards" ? "json-lines" : formatOfName(registry);
  const add = (text: string, one: string): Edited =>
    addMonitor(text, { id: one, url, ...settings }, rules, format);
  if (registry.kind === "shards") {
    const alone = add("", first);
    if (alone.kind === "refused") return alone;
    const taken = id === undefined ? undefined : await findTaken(registry, id, rules);
    const hindrance = taken ?? (await unlessUnreachable(registry, registry.create));
    if (hindrance !== undefined) return hindrance;
  }
  const parts = await findParts(registry);
  if ("kind" in parts) return parts;
  const location = parts.partOf(first);
  // Another id may belong into another shard.
  const spare = others.filter((one) => parts.partOf(one).name === location.name);
  let tried: Monitor | undefined;
  return editRegistry(location, (text = "", isRetry) => {
    if (isRetry && tried !== undefined && holds(text, tried, rules))
      return { kind: "edited", text, monitor: tried };
    const edited = spare.reduce(
      (last, one) => (last.kind === "refused" && last.code === "taken" ? add(text, one) : last),
      add(text, first),
    );
    if (edited.kind === "edited") tried = edited.monitor;
    return edited;
  });
}

/**
 * Lists the shards of a registry. `partOf` gives the part that has, or would have, the entry with an id. `isAbsent` says that the folder does
 * not exist, or that the prefix of the bucket is empty. It is false for a single file, which is not looked for.
 */
function findParts(registry: RegistryLocation) {
  return unlessUnreachable(registry, async () => {
    if (registry.kind !== "shards") return { partOf: () => registry, isAbsent: false };
    const names = await registry.list();
    const { nameOf } = layoutOf(names ?? []);
    const partOf = (id: string): PartLocation => registry.partOf(nameOf(id));
    return { partOf, isAbsent: names === undefined };
  });
}

function holds(text: string, monitor: Monitor, rules: MonitorRules): boolean {
  const read = readEntries(text, rules);
  if (read.kind === "unreadable") return false;
  const held = read.entries.find(({ id }) => id === monitor.id)?.monitor;
  return JSON.stringify(held) === JSON.stringify(monitor);
}

/** Refuses an id that some shard has already, in any letter case. A generated one is unguessable, so it is not looked for. */
async function findTaken(registry: ShardsLocation, id: string, rules: MonitorRules) {
  const read = await readRegistry(registry);
  if (read.kind === "unreachable") return read;
  const parts = read.kind === "found" ? read.parts : [];
  const unread = parts.map(({ content }) => content).find((one) => one.kind === "unreachable");
  if (unread !== undefined) return unread;
  const named = { parts: parts.filter((part) => mayName(part, id)), foreign: [] };
  const found = createRegistryParser(rules)(named);
  const [fault] = found.faults;
  if (fault !== undefined) return refuseUnreadable(fault);
  const taken = idsOf(found).find((one) => one.toLowerCase() === id.toLowerCase());
  return taken === undefined ? undefined : refuseTaken(taken);
}

/** A character of an id as JSON may also write it. */
const ESCAPED = /\\u00[2-7]/u;

/** Whether a shard can have an entry with this id, in any letter case; to parse all shards takes seconds. */
function mayName({ content }: RegistryPart, id: string): boolean {
  if (content.kind !== "bytes") return true;
  // Every byte becomes a character, so no bytes beyond ASCII hide a match.
  const text = Buffer.from(content.bytes).toString("latin1");
  return new RegExp(`"${id}"`, "i").test(text) || ESCAPED.test(text);
}

function idsOf({ monitors, rejectedIds }: ReadMonitors): readonly string[] {
  return [...monitors.map(({ id }) => id), ...rejectedIds];
}

/** `monitor remove ID`. The monitor is undefined if its entry was invalid. */
export function removeFromRegistry(id: string, tools: EditTools) {
  let tried: { readonly monitor: Monitor | undefined } | undefined;
  return editKnown<Monitor | undefined>(id, tools, (text, isRetry) => {
    const edited = removeMonitor(text, id, tools.rules);
    if (edited.kind === "edited") tried = { monitor: edited.monitor };
    else if (isRetry && tried !== undefined && edited.code === "unknown-id")
      return { kind: "edited", text, monitor: tried.monitor };
    return edited;
  });
}

/** `monitor publish ID` and `monitor unpublish ID`. */
export function setPublicInRegistry(id: string, isPublic: boolean, tools: EditTools) {
  return editKnown(id, tools, (text) => setPublic(text, id, isPublic, tools.rules));
}

/** Edits the part that has the entry with this id. The refusal of an unknown id names those that may have been meant. */
async function editKnown<M>(
  id: string,
  { location: registry, rules }: EditTools,
  edit: (text: string, isRetry: boolean) => Edited<M>,
): Promise<MonitorEdit<M>> {
  const missing: Refused = {
    kind: "refused",
    code: "unknown-id",
    message: `monitors ${registry.name}: the registry does not exist yet; add a monitor first.`,
  };
  const parts = await findParts(registry);
  if ("kind" in parts) return parts;
  if (parts.isAbsent) return missing;
  const edited = await editRegistry<M>(parts.partOf(id), (text, isRetry) =>
    // A shard without entries need not exist.
    text === undefined && registry.kind !== "shards" ? missing : edit(text ?? "", isRetry),
  );
  return edited.kind === "refused" && edited.code === "unknown-id"
    ? explainUnknown(registry, id, rules, edited)
    : edited;
}

/** The refusal of an unknown id, with what may have been meant. */
async function explainUnknown(
  registry: RegistryLocation,
  id: string,
  rules: MonitorRules,
  refused: Extract<Hindrance, { kind: "refused" }>,
): Promise<Hindrance> {
  const read = await readRegistry(registry);
  if (read.kind !== "found") return refused;
  const ids = idsOf(createRegistryParser(rules)(read));
  if (registry.kind === "shards" && ids.includes(id)) {
    const message = `the entry "${id}" is in a shard where it does not belong; monitor check says where.`;
    return { kind: "refused", message };
  }
  const similar = findSimilarIds(id, ids);
  if (similar.length === 0) return refused;
  const message = `${refused.message} Did you mean ${similar.join(" or ")}?`;
  return { kind: "refused", message };
}

const MAX_SHOWN = 3;

/** `suggestWord` compares at most this many words. */
const CHUNK = 50;

/** At most three ids that a person may have meant: in another case, with the same beginning, or with few wrong letters. */
export function findSimilarIds(written: string, ids: readonly string[]): readonly string[] {
  const low = written.toLowerCase();
  const found = new Set<string>();
  for (let start = 0; start < ids.length && found.size < MAX_SHOWN; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK);
    const begun = chunk.find((id) => low.length > 2 && id.toLowerCase().startsWith(low));
    const meant = begun ?? suggestWord(written, chunk);
    if (meant !== undefined) found.add(meant);
  }
  return [...found];
}
