import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import { writeIfUnchanged } from "../../model/conditional-write.ts";
import { type FoundObject, StoreError } from "../../model/store.ts";
import { formatOf, MAX_BYTES, type RegistryFormat } from "../../monitors/registry/read-entries.ts";
import { errnoOf } from "../../store/store-error.ts";
import {
  nameOfShard,
  numberOfShard,
  type PartLocation,
  type RegistryLocation,
} from "./registry-location.ts";
import { readFileStart, withLockedFile } from "./locked-file.ts";
import type { Parsed } from "../options/parse-options.ts";

/** What a part holds. */
export interface RegistryPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly etag: string;
  /** Of a registry in shards. */
  readonly shard?: number;
}

export type RegistryRead =
  | {
      readonly kind: "found";
      readonly parts: readonly RegistryPart[];
      /** Files in the folder of shards that are none. */
      readonly strangers: readonly string[];
    }
  | { readonly kind: "absent" }
  | { readonly kind: "unreachable"; readonly message: string };

/** The result of an edit: a new text and a value to return, or a refusal. */
export type TextEdit<Value, Refusal> =
  | { readonly kind: "edited"; readonly text: string; readonly value: Value }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** `isRetry`: an earlier attempt of this edit may have been carried out without an answer. */
export type Edit<Value, Refusal> = (
  text: string | undefined,
  isRetry: boolean,
) => TextEdit<Value, Refusal>;

export type EditedRegistry<Value, Refusal> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "unreachable"; readonly message: string };

/** One byte above the limit, so that the parser sees that a registry is too long. */
const READ_BYTES = MAX_BYTES["json-lines"] + 1;

/** Concurrent requests: enough to hide the latency of a remote store. */
const CONCURRENCY = 16;

/** Locks, temporary files of a write, and what file managers leave. */
const IGNORED = /^\.|\.lock$|~$/u;

/** Enough for this many concurrent editors; a write takes some tens of milliseconds. */
const MOST_TRIES = 100;
const LONGEST_PAUSE_MS = 200;

/** Reads a registry. Returns failures of the store or the disk as values. */
export async function readRegistry(location: RegistryLocation): Promise<RegistryRead> {
  try {
    if (location.kind === "shards") return await readShards(location);
    const part = await readPart(location);
    return part === undefined
      ? { kind: "absent" }
      : { kind: "found", parts: [part], strangers: [] };
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(location, error) };
  }
}

async function readPart(location: PartLocation): Promise<RegistryPart | undefined> {
  const found =
    location.kind === "file"
      ? await readFileStart(location.path, READ_BYTES)
      : await location.store.read(location.key);
  return found && { name: location.name, bytes: found.body, etag: found.etag };
}

async function readShards(
  location: Extract<RegistryLocation, { kind: "shards" }>,
): Promise<RegistryRead> {
  const names = await location.list();
  if (names === undefined) return { kind: "absent" };
  const limit = pLimit(CONCURRENCY);
  const known = names.filter((name) => !IGNORED.test(name));
  const numbers = known.map(numberOfShard);
  const shards = [...new Set(numbers)].filter((number) => number !== undefined);
  const read = shards
    .toSorted((a, b) => a - b)
    .map((shard) =>
      limit(async () => {
        const part = await readPart(location.partOf(nameOfShard(shard)));
        return part === undefined ? [] : [{ ...part, shard }];
      }),
    );
  return {
    kind: "found",
    parts: (await Promise.all(read)).flat(),
    strangers: known.filter((_, at) => numbers[at] === undefined),
  };
}

/**
 * Changes a registry without lost updates between concurrent editors. `edit` may be called more than once; it gets undefined if there is
 * no registry yet. An unchanged text is not written.
 */
export async function editRegistry<Value, Refusal>(
  location: PartLocation,
  edit: Edit<Value, Refusal>,
): Promise<EditedRegistry<Value, Refusal>> {
  try {
    if (location.kind === "object") return await editHeld(location.name, toHeld(location), edit);
    return await withLockedFile(location.path, (file) =>
      editHeld(location.name, { read: () => file.read(READ_BYTES), replace: file.replace }, edit),
    );
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(location, error) };
  }
}

/** The format of a new registry, by its name: JSON lines for `.jsonl`, `.ndjson` and `.json`, YAML for all others. */
export function formatOfName(location: PartLocation): RegistryFormat {
  const name = location.kind === "file" ? location.path : location.key;
  return /\.(?:jsonl|ndjson|json)$/i.test(name) ? "json-lines" : "yaml";
}

/** Access to a file or object. `unknown`: the write may have succeeded. */
interface Held {
  readonly read: () => Promise<FoundObject | undefined>;
  readonly replace: (
    body: Uint8Array,
    held: FoundObject | undefined,
  ) => Promise<"written" | "conflict" | "unknown">;
}

function toHeld({ store, key }: Extract<PartLocation, { kind: "object" }>): Held {
  return {
    read: () => store.read(key),
    replace: async (body, held) => {
      const contentType =
        formatOf(body) === "json-lines" ? "application/x-ndjson" : "application/yaml";
      const object = { body, contentType, cacheControl: "no-store" };
      const { kind } = await writeIfUnchanged(store, key, object, held?.etag);
      // A conflict can be with an earlier request of this very write, the answer to which was lost.
      return kind === "written" ? "written" : "unknown";
    },
  };
}

async function editHeld<Value, Refusal>(
  name: string,
  { read, replace }: Held,
  edit: Edit<Value, Refusal>,
): Promise<EditedRegistry<Value, Refusal>> {
  let isRetry = false;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const held = await read();
    const text = held && decode(held.body);
    if (text !== undefined && "problem" in text) {
      return { kind: "unreachable", message: `monitors ${name}: ${text.problem}` };
    }
    const edited = edit(text?.value, isRetry);
    if (edited.kind === "refused") return edited;
    if (edited.text === text?.value) return { kind: "done", value: edited.value };
    const outcome = await replace(new TextEncoder().encode(edited.text), held);
    if (outcome === "written") return { kind: "done", value: edited.value };
    isRetry ||= outcome === "unknown";
    await delay(Math.random() * LONGEST_PAUSE_MS);
  }
  return {
    kind: "unreachable",
    message: `monitors ${name}: other writers keep changing it; try again later.`,
  };
}

/** Keeps the byte order mark; refuses invalid UTF-8, because replacement characters would be written back. */
function decode(bytes: Uint8Array): Parsed<string> {
  if (bytes.length >= READ_BYTES)
    return { problem: "it is too long to be a registry of monitors." };
  try {
    return { value: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: "it is not valid UTF-8; save it as UTF-8." };
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "this user may not read or write it; fix the permissions of the file and its folder.",
  EPERM: "this user may not change it; fix the permissions of the file and its folder.",
  EROFS: "it is on a read-only file system; mount it for writing.",
  ENOENT: "there is no such folder, or the link leads nowhere; create it first.",
  ENOTDIR: "there is a file where a folder is needed; fix the path.",
  EISDIR: "it is a directory; name a file.",
  ENOSPC: "no space is left on its disk; free some.",
  EBUSY: "it cannot be replaced, as when it is mounted by itself; mount its folder instead.",
  ELOCKED: "another program has been editing it for a long time; try again later.",
};

/** The failure of a disk or a store as a sentence; anything else is a defect and is thrown again. */
export function describeFailure({ name }: { readonly name: string }, error: unknown): string {
  if (error instanceof StoreError) return `monitors ${name}: ${error.message}`;
  const code = errnoOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  return `monitors ${name}: ${WORDS[code] ?? error.message}`;
}
