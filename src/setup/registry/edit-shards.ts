import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import { createRegistryParser, type ReadMonitors } from "./read-monitors.ts";
import { readRegistry, type RegistryPart } from "./read-registry.ts";
import { describeFailure } from "./registry-file.ts";
import type { RegistryLocation, ShardsLocation } from "./registry-location.ts";

/** Why an edit ends without a change. `refused`: the user has to fix something; `unreachable`: the disk or the store failed. */
export type Hindrance =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unreachable"; readonly message: string };

/** Refuses an edit of a registry that does not exist. */
export async function findShards(registry: ShardsLocation): Promise<Hindrance | undefined> {
  try {
    const isThere = (await registry.list()) !== undefined;
    return isThere ? undefined : { kind: "refused", message: describeMissing(registry) };
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(registry, error) };
  }
}

export function describeMissing({ name }: RegistryLocation): string {
  return `monitors ${name}: there is no registry yet; add a monitor first.`;
}

/**
 * Makes the folder, and refuses an id that some shard has already, perhaps in another letter case. A generated id (undefined) is not
 * looked for, because it is unguessable.
 */
export async function prepareShards(
  registry: ShardsLocation,
  id: string | undefined,
  rules: MonitorRules,
): Promise<Hindrance | undefined> {
  const taken = id === undefined ? undefined : await refuseTaken(registry, id, rules);
  if (taken !== undefined) return taken;
  try {
    await registry.create();
    return undefined;
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(registry, error) };
  }
}

async function refuseTaken(
  registry: ShardsLocation,
  id: string,
  rules: MonitorRules,
): Promise<Hindrance | undefined> {
  const read = await readRegistry(registry);
  if (read.kind === "unreachable") return read;
  const parts = read.kind === "found" ? read.parts : [];
  const unread = parts.find(({ content }) => content.kind === "unreachable")?.content;
  if (unread?.kind === "unreachable") return unread;
  const named = { parts: parts.filter((part) => mayName(part, id)), foreign: [] };
  const found = createRegistryParser(rules)(named);
  const [fault] = found.faults;
  if (fault !== undefined)
    return { kind: "refused", message: `the registry has to be fixed first: ${fault}` };
  const taken = idsOf(found).find((one) => one.toLowerCase() === id.toLowerCase());
  if (taken === undefined) return undefined;
  const message = `there is a monitor with the id "${taken}" already; use another id.`;
  return { kind: "refused", message };
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

/** The refusal of an unknown id, with what may have been meant in all shards. */
export async function explainUnknown(
  registry: ShardsLocation,
  id: string,
  rules: MonitorRules,
  refused: Extract<Hindrance, { kind: "refused" }>,
): Promise<Hindrance> {
  const read = await readRegistry(registry);
  if (read.kind !== "found") return refused;
  const ids = idsOf(createRegistryParser(rules)(read));
  const message = ids.includes(id)
    ? `the entry "${id}" is in a shard where it does not belong; monitor check says where.`
    : refused.message + hintOf(id, ids);
  return { kind: "refused", message };
}

/** A question with the ids that a person may have meant; empty if there is none. Never throws. */
export function hintOf(id: string, ids: readonly string[]): string {
  const similar = findSimilarIds(id, ids);
  return similar.length === 0 ? "" : ` Did you mean ${similar.join(" or ")}?`;
}

const MAX_SHOWN = 3;

/** `suggestWord` compares at most this many words. */
const CHUNK = 50;

/**
 * Ids that a person may have meant: in another letter case, with the same beginning, or with one or two wrong letters. At most
 * three, in the order of the registry. Takes a tenth of a second for 100,000 ids. Never throws.
 */
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
