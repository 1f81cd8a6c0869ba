import pLimit from "p-limit";
import { SHARD_COUNT } from "../../model/monitor/shard.ts";
import { type ETag, type FoundObject, STORE_CONCURRENCY } from "../../model/store.ts";
import { createOwnLines } from "../../monitors/registry/own-lines.ts";
import { readFileStart, type Sieve } from "../files/locked-file.ts";
import { describeFailure, READ_BYTES } from "./registry-file.ts";
import {
  isShardName,
  nameOfShard,
  type PartLocation,
  type RegistryLocation,
  type ShardsLocation,
} from "./registry-location.ts";

/** What a part holds. */
export interface RegistryPart {
  readonly name: string;
  /** Of a registry in shards. */
  readonly shard?: number;
  readonly content:
    | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly etag: string }
    | { readonly kind: "unreachable"; readonly message: string };
}

export type RegistryRead =
  | {
      readonly kind: "found";
      /** In the order of the shards, without those that do not exist. At least one could be read, unless there is none. */
      readonly parts: readonly RegistryPart[];
      /** Other files in the folder of the shards, sorted. */
      readonly foreign: readonly string[];
    }
  | { readonly kind: "absent" }
  | { readonly kind: "unreachable"; readonly message: string };

/** Which lines of a registry a cell keeps, and those of each part as they were read last. */
export interface OwnParts {
  readonly isOwn: (id: string) => boolean;
  readonly known: Map<string, FoundObject>;
}

/** A run reads the registry more than once, and to look through a million lines for those of a cell takes a second or two. */
export function createOwnParts(isOwn: (id: string) => boolean): OwnParts {
  return { isOwn, known: new Map() };
}

/** Locks, temporary files of a write, and what file managers and editors leave. */
const IGNORED = /^\.|\.lock$|~$/u;

/**
 * Reads a registry. Returns failures of the store or the disk as values.
 *
 * @param own of a cell: lines of JSON about others are empty, and a part that has not changed is not looked through again. Absent:
 * everything is kept.
 */
export async function readRegistry(
  location: RegistryLocation,
  own?: OwnParts,
): Promise<RegistryRead> {
  if (location.kind === "shards") return readShards(location, own);
  const part = await readPart(location, own);
  if (part === undefined) return { kind: "absent" };
  return part.content.kind === "unreachable"
    ? part.content
    : { kind: "found", parts: [part], foreign: [] };
}

async function readPart(
  location: PartLocation,
  own: OwnParts | undefined,
  shard?: number,
): Promise<RegistryPart | undefined> {
  const part = { name: location.name, ...(shard === undefined ? {} : { shard }) };
  try {
    const found = await (own === undefined ? readWhole(location) : readOwn(location, own));
    if (found === undefined) return undefined;
    return { ...part, content: { kind: "bytes", bytes: found.body, etag: found.etag } };
  } catch (error) {
    return {
      ...part,
      content: { kind: "unreachable", message: describeFailure(location, error) },
    };
  }
}

function readWhole(location: PartLocation, keep?: Sieve): Promise<FoundObject | undefined> {
  return location.kind === "file"
    ? readFileStart(location.path, READ_BYTES, keep)
    : location.store.read(location.key);
}

async function readOwn(
  location: PartLocation,
  { isOwn, known }: OwnParts,
): Promise<FoundObject | undefined> {
  const before = known.get(location.name);
  if (before !== undefined && (await versionAt(location)) === before.etag) return before;
  const lines = createOwnLines(isOwn);
  const found = await readWhole(location, lines);
  if (found === undefined) return undefined;
  if (location.kind === "object") lines.push(found.body);
  const own = location.kind === "object" ? { ...found, body: lines.end() } : found;
  known.set(location.name, own);
  return own;
}

const KEEP_NOTHING: Sieve = { push: () => undefined, end: () => new Uint8Array() };

/** The tag of what is there now; of a file it is a digest, so it is read for it. */
async function versionAt(location: PartLocation): Promise<ETag | undefined> {
  return location.kind === "file"
    ? (await readFileStart(location.path, READ_BYTES, KEEP_NOTHING))?.etag
    : location.store.find(location.key);
}

async function readShards(location: ShardsLocation, own?: OwnParts): Promise<RegistryRead> {
  const folder = await listFolder(location);
  if ("kind" in folder) return folder;
  const limit = pLimit(STORE_CONCURRENCY);
  // Listed or not: a name that a list misses, as while a file is replaced, would be monitors that seem to have left.
  const reads = Array.from({ length: SHARD_COUNT }, (_, shard) =>
    limit(() => readPart(location.partOf(nameOfShard(shard)), own, shard)),
  );
  const parts = (await Promise.all(reads)).filter((part) => part !== undefined);
  const [first] = parts;
  const failed = parts.filter(({ content }) => content.kind === "unreachable");
  if (first?.content.kind === "unreachable" && failed.length === parts.length) return first.content;
  const foreign = folder.names.filter((name) => !isShardName(name) && !IGNORED.test(name));
  return {
    kind: "found",
    parts,
    foreign: foreign.toSorted().map((name) => location.partOf(name).name),
  };
}

async function listFolder(
  location: ShardsLocation,
): Promise<{ readonly names: readonly string[] } | Exclude<RegistryRead, { kind: "found" }>> {
  try {
    const inventory = await location.list();
    if (inventory === undefined) return { kind: "absent" };
    if (inventory.isComplete) return inventory;
    const message = `monitors ${location.name}: over ${inventory.names.length} objects are there; give the registry a prefix of its own.`;
    return { kind: "unreachable", message };
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(location, error) };
  }
}
