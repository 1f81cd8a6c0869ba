import { setTimeout as delay } from "node:timers/promises";
import {
  type FoundObject,
  type ObjectStore,
  type Precondition,
  StoreError,
} from "../model/store.ts";
import { formatOf, MAX_BYTES, type RegistryFormat } from "../monitors/entries.ts";
import { parseLocation } from "../store/location.ts";
import { errnoOf } from "../store/failure.ts";
import { openStore } from "../store/open.ts";
import { readFileStart, withLockedFile } from "./kept-file.ts";
import type { Parsed } from "./settings.ts";

/** Where a registry is: a file, or an object in a bucket. */
export type RegistryPlace =
  | { readonly kind: "file"; readonly name: string; readonly path: string }
  | {
      readonly kind: "object";
      readonly name: string;
      readonly store: ObjectStore;
      readonly key: string;
    };

export type ReadPlace =
  | { readonly kind: "found"; readonly bytes: Uint8Array; readonly etag: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreachable"; readonly message: string };

/** What an edit makes of a text: another one and a value to hand back, or a refusal. */
export type TextEdit<Value, Refusal> =
  | { readonly kind: "edited"; readonly text: string; readonly value: Value }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** `isRetry`: an earlier try of this very edit may have been carried out, though nobody said so. */
export type Edit<Value, Refusal> = (
  text: string | undefined,
  isRetry: boolean,
) => TextEdit<Value, Refusal>;

export type EditedPlace<Value, Refusal> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "unreachable"; readonly message: string };

/** A byte more than the longest registry, so that the parser sees that it is too long. */
const READ_BYTES = MAX_BYTES["json-lines"] + 1;

/** As many editors at once as this lose no entry; a write takes some tens of milliseconds. */
const MOST_TRIES = 100;
const LONGEST_PAUSE_MS = 200;

/**
 * Reads the value of `--monitors`: a path, `file:PATH`, or `s3://BUCKET/PREFIX/NAME?…`, whose last segment is the key. Touches
 * neither disk nor network. (A promise, because the client for buckets is loaded here.)
 */
export async function openRegistry(text: string): Promise<Parsed<RegistryPlace>> {
  if (text === "") return { problem: "--monitors is empty; name a file." };
  if (!text.startsWith("s3://")) {
    if (!text.startsWith("file:")) return { value: { kind: "file", name: text, path: text } };
    const location = parseLocation(text);
    return location.kind === "directory"
      ? { value: { kind: "file", name: text, path: location.path } }
      : { problem: `--monitors: ${location.kind === "unknown" ? location.problem : text}` };
  }
  const [, head = "", key = "", query = ""] =
    /^(s3:\/\/[^?]*?)\/([^/?]+)(\?.*)?$/s.exec(text) ?? [];
  if (key === "" || head === "s3:/") {
    return { problem: `--monitors ${text}: it names no object; write s3://BUCKET/monitors.jsonl.` };
  }
  const location = parseLocation(head + query);
  if (location.kind === "unknown") return { problem: `--monitors: ${location.problem}` };
  const opened = await openStore(head + query, { role: "registry" });
  return opened.kind === "opened"
    ? { value: { kind: "object", name: `${head}/${key}`, store: opened.store, key } }
    : { problem: opened.message };
}

/** The bytes of a registry. A store that cannot be reached, or a file that cannot be read, is a value too. */
export async function readRegistry(place: RegistryPlace): Promise<ReadPlace> {
  try {
    const found =
      place.kind === "file"
        ? await readFileStart(place.path, READ_BYTES)
        : await place.store.read(place.key);
    if (found === undefined) return { kind: "absent" };
    return { kind: "found", bytes: found.body, etag: found.etag };
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(place, error) };
  }
}

/**
 * Changes a registry so that editors at once lose nothing: each sees the text as the one before left it. `edit` may be called
 * more than once; it gets undefined when there is no registry yet. An unchanged text is not written.
 */
export async function editRegistry<Value, Refusal>(
  place: RegistryPlace,
  edit: Edit<Value, Refusal>,
): Promise<EditedPlace<Value, Refusal>> {
  try {
    if (place.kind === "object") return await editHeld(place.name, toHeld(place), edit);
    return await withLockedFile(place.path, (file) =>
      editHeld(place.name, { read: () => file.read(READ_BYTES), replace: file.replace }, edit),
    );
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(place, error) };
  }
}

/** The format that a new registry gets by its name: JSON lines for `.jsonl`, `.ndjson` and `.json`, YAML for all others. */
export function formatOfName(place: RegistryPlace): RegistryFormat {
  const name = place.kind === "file" ? place.path : place.key;
  return /\.(?:jsonl|ndjson|json)$/i.test(name) ? "json-lines" : "yaml";
}

/** What holds a registry. `unknown`: it may have been written all the same. */
interface Held {
  readonly read: () => Promise<FoundObject | undefined>;
  readonly replace: (
    body: Uint8Array,
    held: FoundObject | undefined,
  ) => Promise<"written" | "conflict" | "unknown">;
}

function toHeld({ store, key }: Extract<RegistryPlace, { kind: "object" }>): Held {
  return {
    read: () => store.read(key),
    replace: async (body, held) => {
      const contentType =
        formatOf(body) === "json-lines" ? "application/x-ndjson" : "application/yaml";
      const precondition: Precondition =
        held === undefined ? { kind: "absent" } : { kind: "unchanged", etag: held.etag };
      try {
        const object = { body, contentType, cacheControl: "no-store" };
        const result = await store.write(key, object, precondition);
        // A conflict can be with an earlier request of this very write, the answer to which was lost.
        return result.kind === "written" ? "written" : "unknown";
      } catch (error) {
        if (error instanceof StoreError && error.isUnknown) return "unknown";
        throw error;
      }
    },
  };
}

async function editHeld<Value, Refusal>(
  name: string,
  { read, replace }: Held,
  edit: Edit<Value, Refusal>,
): Promise<EditedPlace<Value, Refusal>> {
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
    message: `monitors ${name}: others keep changing it; try again later.`,
  };
}

/** Keeps the byte order mark; fails where a lenient decoder would put other characters, which would be written back. */
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
  EACCES: "this user may not read or write it; mend the permissions of the file and its folder.",
  EPERM: "this user may not change it; mend the permissions of the file and its folder.",
  EROFS: "it is on a read-only file system; mount it for writing.",
  ENOENT: "there is no such folder, or the link leads nowhere; make it first.",
  ENOTDIR: "a file stands where a folder is needed; mend the path.",
  EISDIR: "it is a directory; name a file.",
  ENOSPC: "no space is left on its disk; free some.",
  EBUSY: "it cannot be replaced, as when it is mounted by itself; mount its folder instead.",
  ELOCKED: "another program has been editing it for a long time; try again later.",
};

/** The failure of a disk or a store as a sentence; anything else is a defect and is thrown again. */
function describeFailure({ name }: RegistryPlace, error: unknown): string {
  if (error instanceof StoreError) return `monitors ${name}: ${error.message}`;
  const code = errnoOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  return `monitors ${name}: ${WORDS[code] ?? error.message}`;
}
