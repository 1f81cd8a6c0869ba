import { setTimeout as delay } from "node:timers/promises";
import { writeIfUnchanged, type FoundObject, StoreError } from "../../model/store.ts";
import { formatOf, MAX_BYTES, type RegistryFormat } from "../../monitors/registry/read-entries.ts";
import { errnoOf } from "../../store/store-error.ts";
import type { PartLocation } from "./registry-location.ts";
import { withLockedFile } from "../files/locked-file.ts";
import type { Parsed } from "../parse-options.ts";

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
export const READ_BYTES = MAX_BYTES["json-lines"] + 1;

/** Enough for this many concurrent editors; a write takes some tens of milliseconds. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 200;

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
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
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
    await delay(Math.random() * MAX_PAUSE_MS);
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
  ENOTEMPTY: "other files have appeared in it; name another folder.",
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
