import pLimit from "p-limit";
import { type Cell, hasSlot, slotOf } from "./cell.ts";
import { parseJson } from "../../model/errors.ts";
import { type ETag, type FoundObject, STORE_CONCURRENCY } from "../../model/store.ts";
import { formatOf, type RegistryFormat } from "../../monitors/registry/parse-registry.ts";
import { readFileStart, type Sieve } from "../files/locked-file.ts";
import { READ_BYTES, type Unreachable, unlessUnreachable } from "./registry-file.ts";
import {
  layoutOf,
  type PartLocation,
  type RegistryLocation,
  type ShardLayout,
  SHARDS_OF_CELLS,
  type ShardsLocation,
} from "./registry-location.ts";

export interface RegistryPart {
  readonly name: string;
  /** Its place in a registry of shards. */
  readonly shard?: { readonly fileName: string; readonly layout: ShardLayout };
  readonly content:
    | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly etag: string }
    | Unreachable;
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
  | Unreachable;

/**
 * What a cell reads of a registry, and its lines of each part as they were read last: a run reads the registry more than once, and to look
 * through a million lines for those of a cell takes a second or two.
 */
export interface OwnParts {
  readonly cell: Cell;
  readonly known: Map<string, FoundObject>;
}

/** Locks, temporary files of a write, and what file managers and editors leave. */
const IGNORED = /^\.|\.lock$|~$/u;

/**
 * Reads a registry. Returns failures of the store or the disk as values.
 *
 * @param own of a cell: shards of others are not read if the layout tells them apart, lines of JSON about others are empty, and a part
 * that has not changed is not looked through again. Absent: everything is kept.
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
  shard?: RegistryPart["shard"],
): Promise<RegistryPart | undefined> {
  const found = await unlessUnreachable(location, () =>
    // What is all of the cell has no lines of others.
    own === undefined || shard?.layout === SHARDS_OF_CELLS
      ? readKept(location)
      : readOwn(location, own),
  );
  if (found === undefined) return undefined;
  const content =
    "kind" in found ? found : ({ kind: "bytes", bytes: found.body, etag: found.etag } as const);
  return { name: location.name, ...(shard === undefined ? {} : { shard }), content };
}

/** A part, or what a sieve keeps of it. */
async function readKept(location: PartLocation, keep?: Sieve): Promise<FoundObject | undefined> {
  if (location.kind === "file") return readFileStart(location.path, READ_BYTES, keep);
  const found = await location.store.read(location.key);
  if (found === undefined || keep === undefined) return found;
  keep.push(found.body);
  return { ...found, body: keep.end() };
}

async function readOwn(location: PartLocation, { cell, known }: OwnParts) {
  const before = known.get(location.name);
  if (before !== undefined && (await versionAt(location)) === before.etag) return before;
  const lines = createOwnLines((id) => hasSlot(cell, slotOf(id)));
  const found = await readKept(location, lines);
  if (found !== undefined) known.set(location.name, found);
  return found;
}

const KEEP_NOTHING: Sieve = { push: () => undefined, end: () => new Uint8Array() };

/** The tag of what is there now; of a file it is a digest, so it is read for it. */
async function versionAt(location: PartLocation): Promise<ETag | undefined> {
  return location.kind === "file"
    ? (await readKept(location, KEEP_NOTHING))?.etag
    : location.store.find(location.key);
}

const FEED = 0x0a;

/**
 * Keeps JSON lines with each line of another cell empty: a cell reads a registry of millions, and should neither hold nor judge what
 * others check. Lines keep their numbers. A line whose id cannot be read stays, so that its problem is told. Everything but JSON lines
 * stays as it is. Never throws.
 *
 * @param isOwn tells the ids of the cell.
 */
export function createOwnLines(isOwn: (id: string) => boolean): Sieve {
  const kept: Buffer[] = [];
  let open: Buffer[] = [];
  let empty = 0;
  let format: RegistryFormat | undefined;
  const close = (line: Buffer): void => {
    const id = idIn(line);
    if (id !== undefined && !isOwn(id)) empty += 1;
    else {
      if (empty > 0) kept.push(Buffer.alloc(empty, FEED));
      // A copy: a part of the source would hold all of it in memory.
      kept.push(Buffer.from(line));
      empty = 0;
    }
  };
  return {
    push: (bytes) => {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      // Unknown as long as there are blanks alone.
      format ??= formatOf(piece);
      if (format !== "json-lines") return void kept.push(Buffer.from(piece));
      let start = 0;
      for (let feed = piece.indexOf(FEED); feed >= 0; feed = piece.indexOf(FEED, start)) {
        const rest = piece.subarray(start, feed + 1);
        close(open.length === 0 ? rest : Buffer.concat([...open, rest]));
        open = [];
        start = feed + 1;
      }
      if (start < piece.length) open.push(Buffer.from(piece.subarray(start)));
    },
    end: () => {
      if (open.length > 0) close(Buffer.concat(open));
      return Buffer.concat(kept);
    },
  };
}

/** Of ASCII alone, so the other characters need not be decoded. */
function idIn(line: Buffer): string | undefined {
  const value = parseJson(line.toString("latin1"));
  const hasId = typeof value === "object" && value !== null && "id" in value;
  return hasId && typeof value.id === "string" ? value.id : undefined;
}

async function readShards(location: ShardsLocation, own?: OwnParts): Promise<RegistryRead> {
  const names = await unlessUnreachable(location, location.list);
  if (names === undefined) return { kind: "absent" };
  if ("kind" in names) return names;
  const limit = pLimit(STORE_CONCURRENCY);
  const layout = layoutOf(names);
  // Listed or not: a name that a list misses, as while a file is replaced, would be monitors that seem to have left.
  // Where cells have files of their own, those of others are not read.
  const reads = layout.names
    .filter((_, slot) => !own || layout !== SHARDS_OF_CELLS || hasSlot(own.cell, slot))
    .map((fileName) => limit(() => readPart(location.partOf(fileName), own, { fileName, layout })));
  const parts = (await Promise.all(reads)).filter((part) => part !== undefined);
  const [first] = parts;
  const areAllLost = parts.every(({ content }) => content.kind === "unreachable");
  if (areAllLost && first?.content.kind === "unreachable") return first.content;
  const shards = new Set(layout.names);
  const foreign = names.filter((name) => !shards.has(name) && !IGNORED.test(name));
  return {
    kind: "found",
    parts,
    foreign: foreign.toSorted().map((name) => location.partOf(name).name),
  };
}
