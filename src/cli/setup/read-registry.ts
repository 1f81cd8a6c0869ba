import pLimit from "p-limit";
import { SHARD_COUNT } from "../../model/shard.ts";
import type { FoundObject } from "../../model/store.ts";
import { createOwnLines } from "../../monitors/registry/own-lines.ts";
import { readFileStart } from "./locked-file.ts";
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

/** Concurrent requests: enough to hide the latency of a remote store. */
const CONCURRENCY = 16;

/** Locks, temporary files of a write, and what file managers and editors leave. */
const IGNORED = /^\.|\.lock$|~$/u;

/**
 * Reads a registry. Returns failures of the store or the disk as values.
 *
 * @param isOwn tells the ids of a cell: lines of JSON about others are empty. Absent: everything is kept.
 */
export async function readRegistry(
  location: RegistryLocation,
  isOwn?: (id: string) => boolean,
): Promise<RegistryRead> {
  if (location.kind === "shards") return readShards(location, isOwn);
  const part = await readPart(location, isOwn);
  if (part === undefined) return { kind: "absent" };
  return part.content.kind === "unreachable"
    ? part.content
    : { kind: "found", parts: [part], foreign: [] };
}

async function readPart(
  location: PartLocation,
  isOwn: ((id: string) => boolean) | undefined,
  shard?: number,
): Promise<RegistryPart | undefined> {
  const part = { name: location.name, ...(shard === undefined ? {} : { shard }) };
  try {
    const found =
      location.kind === "file"
        ? await readFileStart(location.path, READ_BYTES, isOwn && createOwnLines(isOwn))
        : await readObject(location, isOwn);
    if (found === undefined) return undefined;
    return { ...part, content: { kind: "bytes", bytes: found.body, etag: found.etag } };
  } catch (error) {
    return {
      ...part,
      content: { kind: "unreachable", message: describeFailure(location, error) },
    };
  }
}

async function readObject(
  { store, key }: Extract<PartLocation, { kind: "object" }>,
  isOwn: ((id: string) => boolean) | undefined,
): Promise<FoundObject | undefined> {
  const found = await store.read(key);
  if (found === undefined || isOwn === undefined) return found;
  const lines = createOwnLines(isOwn);
  lines.push(found.body);
  return { ...found, body: lines.end() };
}

async function readShards(
  location: ShardsLocation,
  isOwn?: (id: string) => boolean,
): Promise<RegistryRead> {
  const folder = await listFolder(location);
  if ("kind" in folder) return folder;
  const limit = pLimit(CONCURRENCY);
  // Listed or not: a name that a list misses, as while a file is replaced, would be monitors that seem to have left.
  const reads = Array.from({ length: SHARD_COUNT }, (_, shard) =>
    limit(() => readPart(location.partOf(nameOfShard(shard)), isOwn, shard)),
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
