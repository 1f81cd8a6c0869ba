import { randomBytes } from "node:crypto";
import type { Monitor } from "../../model/monitor.ts";
import {
  addMonitor,
  type Edited,
  type Refused,
  removeMonitor,
  setPublic,
} from "../../monitors/registry/edit.ts";
import { readEntries } from "../../monitors/registry/read-entries.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { findSimilarIds } from "../../monitors/registry/similar-ids.ts";
import { createRegistryParser } from "./read-monitors.ts";
import { describeFailure, editRegistry, formatOfName, readRegistry } from "./registry-file.ts";
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

/** `refused`: the user has to fix something; `unreachable`: the disk or the store failed. */
export type MonitorEdit<M = Monitor> =
  | { readonly kind: "done"; readonly monitor: M }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unreachable"; readonly message: string };

/** Two taken ids in a row can only come from a broken source of randomness. */
const MOST_DRAWS = 3;
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
  const drawn = id === undefined ? Array.from({ length: MOST_DRAWS }, newId) : [id];
  const location = partOfId(registry, drawn[0] ?? "");
  // Another id may belong into another shard.
  const ids = drawn.filter((one) => partOfId(registry, one).name === location.name);
  const taken = registry.kind === "shards" ? await prepareShards(registry, id, rules) : undefined;
  if (taken !== undefined) return taken;
  const wanted = {
    url,
    ...(name === undefined ? {} : { name }),
    ...(isPublic === undefined ? {} : { public: isPublic }),
    ...(label === undefined ? {} : { label }),
  };
  let tried: Monitor | undefined;
  return editLocation(location, (text = "", isRetry) => {
    if (isRetry && tried !== undefined && holds(text, tried, rules)) {
      return { kind: "edited", text, monitor: tried };
    }
    const edits = ids.map(
      (one) => () => addMonitor(text, { id: one, ...wanted }, rules, formatOfName(location)),
    );
    const edited = firstNotTaken(edits);
    if (edited.kind === "edited") tried = edited.monitor;
    return edited;
  });
}

/** Makes the folder, and refuses an id that another shard has in other letters; an unguessable one need not be looked for. */
async function prepareShards(
  registry: Extract<RegistryLocation, { kind: "shards" }>,
  id: string | undefined,
  rules: MonitorRules,
): Promise<MonitorEdit<never> | undefined> {
  try {
    await registry.create();
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(registry, error) };
  }
  if (id === undefined) return undefined;
  const read = await readRegistry(registry);
  if (read.kind === "unreachable") return read;
  const { monitors, rejectedIds } = createRegistryParser(rules)(
    read.kind === "found" ? read : { parts: [], strangers: [] },
  );
  const all = [...monitors.map((monitor) => monitor.id), ...rejectedIds];
  const taken = all.find((one) => one.toLowerCase() === id.toLowerCase());
  if (taken === undefined) return undefined;
  const message = `there is a monitor with the id "${taken}" already; use another id.`;
  return { kind: "refused", message };
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
  { location: registry, rules }: EditTools,
): Promise<MonitorEdit<Monitor | undefined>> {
  const location = partOfId(registry, id);
  let tried: { readonly monitor: Monitor | undefined } | undefined;
  return editLocation<Monitor | undefined>(location, (found, isRetry) => {
    const text = found ?? emptyShardOf(registry);
    if (text === undefined) return noRegistry(location);
    const edited = removeMonitor(text, id, rules);
    if (edited.kind === "edited") tried = { monitor: edited.monitor };
    else if (isRetry && tried !== undefined && edited.code === "unknown-id") {
      return { kind: "edited", text, monitor: tried.monitor };
    }
    return withSimilar(edited, id, text, rules);
  });
}

/** `monitor publish ID` and `monitor unpublish ID`. */
export function setPublicInRegistry(
  id: string,
  isPublic: boolean,
  { location: registry, rules }: EditTools,
): Promise<MonitorEdit> {
  const location = partOfId(registry, id);
  return editLocation(location, (found) => {
    const text = found ?? emptyShardOf(registry);
    return text === undefined
      ? noRegistry(location)
      : withSimilar(setPublic(text, id, isPublic, rules), id, text, rules);
  });
}

/** A registry in shards has no file for an empty one. */
function emptyShardOf({ kind }: RegistryLocation): string | undefined {
  return kind === "shards" ? "" : undefined;
}

function noRegistry({ name }: PartLocation): Refused {
  const message = `monitors ${name}: there is no registry yet; add a monitor first.`;
  return { kind: "refused", code: "unknown-id", message };
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
  const similar = findSimilarIds(id, ids);
  const hint = similar.length === 0 ? "" : ` Did you mean ${similar.join(" or ")}?`;
  return { ...edited, message: edited.message + hint };
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
