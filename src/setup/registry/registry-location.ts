import { mkdir, readdir, stat } from "node:fs/promises";
import { SLOT_COUNT, slotOf } from "./cell.ts";
import { SHARD_COUNT, shardOf } from "../../model/monitor/shard.ts";
import { type ObjectStore, StoreError } from "../../model/store.ts";
import { parseLocation } from "../../store/location.ts";
import { openStore } from "../../store/open.ts";
import { unlessAbsent } from "../../model/errors.ts";
import type { Parsed } from "../parse-options.ts";

/** A file of monitors, or an object in a bucket. */
export type PartLocation =
  | { readonly kind: "file"; readonly name: string; readonly path: string }
  | {
      readonly kind: "object";
      readonly name: string;
      readonly store: ObjectStore;
      readonly key: string;
    };

/** A registry: one part, or a folder of parts, of which an edit rewrites one. */
export type RegistryLocation = PartLocation | ShardsLocation;

/** The folder of a registry in shards. */
export interface ShardsLocation {
  readonly kind: "shards";
  readonly name: string;
  /** Of a folder on a disk; absent in a bucket. */
  readonly path?: string;
  readonly partOf: (fileName: string) => PartLocation;
  /** All names. Undefined: the folder does not exist, or the bucket has nothing there. Throws errors of the system and `StoreError`. */
  readonly list: () => Promise<readonly string[] | undefined>;
  /** Makes the folder. Throws errors of the system. */
  readonly create: () => Promise<void>;
}

/** For the owner only, because the ids in a registry are unguessable. */
const NEW_FOLDER_MODE = 0o700;

/** How a registry in shards is divided into files. */
export interface ShardLayout {
  /** The names of all files, in the order of their numbers. */
  readonly names: readonly string[];
  /** The name of the file that an entry with this id belongs into. */
  readonly nameOf: (id: string) => string;
}

function layOut(digits: number, count: number, numberOf: (id: string) => number): ShardLayout {
  const nameAt = (place: number): string => `${place.toString(16).padStart(digits, "0")}.jsonl`;
  return {
    names: Array.from({ length: count }, (_, place) => nameAt(place)),
    nameOf: (id) => nameAt(numberOf(id)),
  };
}

/** `00.jsonl` to `3f.jsonl`. */
export const FEW_SHARDS = layOut(2, SHARD_COUNT, shardOf);

/** `000.jsonl` to `fff.jsonl`, a file for each slot: each cell of any number of cells finds its monitors in files of its own. */
export const SHARDS_OF_CELLS = layOut(3, SLOT_COUNT, slotOf);

export const LAYOUTS = [FEW_SHARDS, SHARDS_OF_CELLS] as const;

/** The layout of a registry with files of these names: what more of them fit, so that a stray file changes nothing. Pure. */
export function layoutOf(names: readonly string[]): ShardLayout {
  const present = new Set(names);
  const countIn = (layout: ShardLayout): number =>
    layout.names.filter((name) => present.has(name)).length;
  return countIn(SHARDS_OF_CELLS) > countIn(FEW_SHARDS) ? SHARDS_OF_CELLS : FEW_SHARDS;
}

/** More names than a prefix with nothing but shards can have. */
const MAX_NAMES = SLOT_COUNT + 1_000;

/**
 * Reads the value of `--monitors`: a path, `file:PATH`, or `s3://BUCKET/PREFIX/NAME?…`, whose last segment is the key. A folder, or a
 * value that ends with a slash, is a registry in shards. Asks the disk only whether a path is a folder.
 */
export async function openRegistry(text: string): Promise<Parsed<RegistryLocation>> {
  if (text === "") return { problem: "--monitors is empty; name a file." };
  if (text.startsWith("s3://")) return openBucket(text);
  if (!text.startsWith("file:")) return { value: await openPath(text, text) };
  const location = parseLocation(text);
  return location.kind === "directory"
    ? { value: await openPath(text, text.endsWith("/") ? `${location.path}/` : location.path) }
    : { problem: `--monitors: ${location.kind === "unknown" ? location.problem : text}` };
}

/** The path of a file in a folder, which may end with slashes. */
function pathIn(folder: string, fileName: string): string {
  return `${folder.replace(/\/+$/u, "")}/${fileName}`;
}

async function openPath(name: string, path: string): Promise<RegistryLocation> {
  const isFolder = path.endsWith("/") || (await stat(path).catch(() => undefined))?.isDirectory();
  return isFolder === true ? shardsIn(path, name) : { kind: "file", name, path };
}

/** The shards in a folder, which need not exist. */
export function shardsIn(path: string, name = path): ShardsLocation {
  return {
    kind: "shards",
    name,
    path,
    partOf: (file) => ({ kind: "file", name: pathIn(name, file), path: pathIn(path, file) }),
    list: () => unlessAbsent(readdir(path)),
    create: async () => void (await mkdir(path, { recursive: true, mode: NEW_FOLDER_MODE })),
  };
}

/** A prefix of a bucket need not be made. */
const makeNothing = (): Promise<void> => Promise.resolve();

/** An object, or a prefix with a slash at its end. */
async function openBucket(text: string): Promise<Parsed<RegistryLocation>> {
  const [, head = "", last = "", query = ""] =
    /^(s3:\/\/[^?]+?)\/(\/*|[^/?]+)(\?.*)?$/s.exec(text) ?? [];
  if (head === "")
    return { problem: `--monitors ${text}: it names no object; write s3://BUCKET/monitors.jsonl.` };
  const opened = await openStore(head + query, { role: "registry" });
  if (opened.kind !== "opened") return { problem: opened.message };
  const { store } = opened;
  const partOf = (key: string): PartLocation => {
    return { kind: "object", name: `${head}/${key}`, store, key };
  };
  if (/[^/]/u.test(last)) return { value: partOf(last) };
  const list = async (): Promise<readonly string[] | undefined> => {
    const { names, isComplete } = await store.listAll(MAX_NAMES);
    const tooMany = `over ${names.length} objects are there; give the registry a prefix of its own.`;
    if (!isComplete) throw new StoreError("list", "", tooMany);
    // Nothing tells an empty registry from a mistyped prefix, which must not remove any monitor.
    return names.length === 0 ? undefined : names;
  };
  return { value: { kind: "shards", name: `${head}/`, partOf, list, create: makeNothing } };
}
