import { isUtf8 } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { writeIfUnchanged, StoreError } from "../../model/store.ts";
import { errnoOf } from "../../model/errors.ts";
import type { PartLocation } from "./registry-location.ts";
import { type Held, withLockedFile } from "../files/locked-file.ts";
import type { Parsed } from "../parse-options.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type { Edited, RefusalCode } from "../../monitors/registry/edit.ts";
import {
  formatOf,
  MAX_BYTES,
  type RegistryFormat,
} from "../../monitors/registry/parse-registry.ts";

/** The disk or the store failed. */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly message: string;
}

/** Why a registry stays as it is. `refused`: the user has to fix something, or to choose another place. */
export type Hindrance =
  | { readonly kind: "refused"; readonly code?: RefusalCode; readonly message: string }
  | Unreachable;

export type MonitorEdit<M = Monitor> = { readonly kind: "done"; readonly monitor: M } | Hindrance;

/** `isRetry`: an earlier attempt of this edit may have been carried out without an answer. */
type Edit<M> = (text: string | undefined, isRetry: boolean) => Edited<M>;

/** One byte above the limit, so that the parser sees that a registry is too long. */
export const READ_BYTES = MAX_BYTES["json-lines"] + 1;

/** Enough for this many concurrent editors; a write takes some tens of milliseconds. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 200;

/** Changes a registry without lost updates between concurrent editors. `edit` may be called more than once. */
export async function editRegistry<M>(location: PartLocation, edit: Edit<M>) {
  return unlessUnreachable(location, () => {
    if (location.kind === "object") return editHeld(location, toHeld(location), edit);
    return withLockedFile(location.path, READ_BYTES, (file) => editHeld(location, file, edit));
  });
}

/** The format of a new registry, by its name: JSON lines for `.jsonl`, `.ndjson` and `.json`, YAML for all others. */
export function formatOfName(location: PartLocation): RegistryFormat {
  const name = location.kind === "file" ? location.path : location.key;
  return /\.(?:jsonl|ndjson|json)$/i.test(name) ? "json-lines" : "yaml";
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

async function editHeld<M>(
  { name }: PartLocation,
  { read, replace }: Held,
  edit: Edit<M>,
): Promise<MonitorEdit<M>> {
  const fail = (why: string): Unreachable => ({
    kind: "unreachable",
    message: `monitors ${name}: ${why}`,
  });
  let isRetry = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const held = await read();
    const text = held && decode(held.body);
    if (text !== undefined && "problem" in text) return fail(text.problem);
    const edited = edit(text?.value, isRetry);
    if (edited.kind === "refused") return edited;
    const outcome =
      edited.text === text?.value
        ? "written"
        : await replace(new TextEncoder().encode(edited.text), held);
    if (outcome === "written") return { kind: "done", monitor: edited.monitor };
    isRetry ||= outcome === "unknown";
    await delay(Math.random() * MAX_PAUSE_MS);
  }
  return fail("other writers keep changing it; try again later.");
}

/** Keeps the byte order mark; refuses invalid UTF-8, because replacement characters would be written back. */
function decode(bytes: Uint8Array): Parsed<string> {
  if (bytes.length >= READ_BYTES)
    return { problem: "it is too long to be a registry of monitors." };
  return isUtf8(bytes)
    ? { value: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) }
    : { problem: "it is not valid UTF-8; save it as UTF-8." };
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "this user may not read or write it; fix the permissions of the file and its folder.",
  EPERM: "this user may not change it; fix the permissions of the file and its folder.",
  EROFS: "it is on a read-only file system; mount it for writing.",
  ENOENT: "the folder does not exist, or the link leads nowhere; create it first.",
  ENOTDIR: "there is a file where a folder is needed; fix the path.",
  EISDIR: "it is a directory; name a file.",
  ENOTEMPTY: "other files have appeared in it; name another folder.",
  ENOSPC: "no space is left on its disk; free some.",
  EBUSY: "it cannot be replaced, as when it is mounted by itself; mount its folder instead.",
  ELOCKED: "another program has been editing it for a long time; try again later.",
};

/** The result of an action on a registry, or the failure of its disk or store. Throws anything else, which is a defect. */
export async function unlessUnreachable<T>(
  { name }: { readonly name: string },
  act: () => Promise<T>,
): Promise<T | Unreachable> {
  try {
    return await act();
  } catch (error) {
    const code = errnoOf(error);
    const isStore = error instanceof StoreError;
    if (!(error instanceof Error) || (code === undefined && !isStore)) throw error;
    const why = isStore ? error.message : (WORDS[code ?? ""] ?? error.message);
    return { kind: "unreachable", message: `monitors ${name}: ${why}` };
  }
}
