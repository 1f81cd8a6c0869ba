import { randomBytes } from "node:crypto";
import type { Monitor } from "../../model/monitor/monitor.ts";
import {
  addMonitor,
  type Edited,
  type Refused,
  removeMonitor,
  setPublic,
} from "../../monitors/registry/edit.ts";
import { readEntries } from "../../monitors/registry/read-entries.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import {
  describeMissing,
  explainUnknown,
  findShards,
  type Hindrance,
  hintOf,
  prepareShards,
} from "./edit-shards.ts";
import { editRegistry, formatOfName } from "./registry-file.ts";
import { partOfId, type PartLocation, type RegistryLocation } from "./registry-location.ts";

/** What an edit of the registry needs. */
export interface EditTools {
  readonly location: RegistryLocation;
  readonly rules: MonitorRules;
}

export interface AddOptions {
  /** Generated when absent. */
  readonly id?: string;
  readonly name?: string;
  readonly isPublic?: boolean;
  readonly label?: string;
}

export type MonitorEdit<M = Monitor> = { readonly kind: "done"; readonly monitor: M } | Hindrance;

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
  { id, name, isPublic, label }: AddOptions,
  { location: registry, rules, newId }: EditTools & { readonly newId: () => string },
): Promise<MonitorEdit> {
  const drawn = id === undefined ? Array.from({ length: MAX_DRAWS }, newId) : [id];
  const location = partOfId(registry, drawn[0] ?? "");
  // Another id may belong into another shard.
  const ids = drawn.filter((one) => partOfId(registry, one).name === location.name);
  const wanted = {
    url,
    ...(name === undefined ? {} : { name }),
    ...(isPublic === undefined ? {} : { public: isPublic }),
    ...(label === undefined ? {} : { label }),
  };
  const format = formatOfName(location);
  const addTo = (text: string): Edited =>
    firstNotTaken(ids.map((one) => () => addMonitor(text, { id: one, ...wanted }, rules, format)));
  if (registry.kind === "shards") {
    const alone = addTo("");
    if (alone.kind === "refused") return { kind: "refused", message: alone.message };
    const hindrance = await prepareShards(registry, id, rules);
    if (hindrance !== undefined) return hindrance;
  }
  let tried: Monitor | undefined;
  return editLocation(location, (text = "", isRetry) => {
    if (isRetry && tried !== undefined && holds(text, tried, rules)) {
      return { kind: "edited", text, monitor: tried };
    }
    const edited = addTo(text);
    if (edited.kind === "edited") tried = edited.monitor;
    return edited;
  });
}

function firstNotTaken(edits: readonly (() => Edited)[]): Edited {
  let edited: Edited | undefined;
  for (const edit of edits) {
    edited = edit();
    if (edited.kind === "edited" || edited.code !== "taken") return edited;
  }
  if (edited === undefined) throw new Error("no id was drawn");
  return edited;
}

/** Whether the registry has this very monitor. */
function holds(text: string, monitor: Monitor, rules: MonitorRules): boolean {
  const read = readEntries(text, rules);
  if (read.kind === "unreadable") return false;
  const held = read.entries.find(({ id }) => id === monitor.id)?.monitor;
  return JSON.stringify(held) === JSON.stringify(monitor);
}

/** `monitor remove ID`. The monitor is undefined if its entry was invalid. */
export function removeFromRegistry(
  id: string,
  { location, rules }: EditTools,
): Promise<MonitorEdit<Monitor | undefined>> {
  let tried: { readonly monitor: Monitor | undefined } | undefined;
  return editKnown<Monitor | undefined>(location, id, rules, (text, isRetry) => {
    const edited = removeMonitor(text, id, rules);
    if (edited.kind === "edited") tried = { monitor: edited.monitor };
    else if (isRetry && tried !== undefined && edited.code === "unknown-id") {
      return { kind: "edited", text, monitor: tried.monitor };
    }
    return edited;
  });
}

/** `monitor publish ID` and `monitor unpublish ID`. */
export function setPublicInRegistry(
  id: string,
  isPublic: boolean,
  { location, rules }: EditTools,
): Promise<MonitorEdit> {
  return editKnown(location, id, rules, (text) => setPublic(text, id, isPublic, rules));
}

/** Edits the part that has the entry with this id. The refusal of an unknown id names those that may have been meant. */
async function editKnown<M>(
  registry: RegistryLocation,
  id: string,
  rules: MonitorRules,
  edit: (text: string, isRetry: boolean) => Edited<M>,
): Promise<MonitorEdit<M>> {
  const isSharded = registry.kind === "shards";
  const missing = isSharded ? await findShards(registry) : undefined;
  if (missing !== undefined) return missing;
  let isUnknown = false;
  const edited = await editLocation<M>(partOfId(registry, id), (found, isRetry) => {
    // A shard without entries need not exist.
    const text = found ?? (isSharded ? "" : undefined);
    if (text === undefined) return noRegistry(registry);
    const result = edit(text, isRetry);
    isUnknown = result.kind === "refused" && result.code === "unknown-id";
    return isSharded ? result : withSimilar(result, id, text, rules);
  });
  return isSharded && isUnknown && edited.kind === "refused"
    ? explainUnknown(registry, id, rules, edited)
    : edited;
}

function noRegistry(registry: RegistryLocation): Refused {
  return { kind: "refused", code: "unknown-id", message: describeMissing(registry) };
}

/** An unknown id with the ids that may have been meant. */
function withSimilar<M>(
  edited: Edited<M>,
  id: string,
  text: string,
  rules: MonitorRules,
): Edited<M> {
  if (edited.kind === "edited" || edited.code !== "unknown-id") return edited;
  const read = readEntries(text, rules);
  const ids = read.kind === "read" ? read.entries.flatMap((entry) => entry.id ?? []) : [];
  return { ...edited, message: edited.message + hintOf(id, ids) };
}

async function editLocation<M>(
  location: PartLocation,
  edit: (text: string | undefined, isRetry: boolean) => Edited<M>,
): Promise<MonitorEdit<M>> {
  const edited = await editRegistry<M, string>(location, (text, isRetry) => {
    const result = edit(text, isRetry);
    return result.kind === "edited"
      ? { kind: "edited", text: result.text, value: result.monitor }
      : { kind: "refused", refusal: result.message };
  });
  switch (edited.kind) {
    case "done":
      return { kind: "done", monitor: edited.value };
    case "refused":
      return { kind: "refused", message: edited.refusal };
    case "unreachable":
      return edited;
  }
}
