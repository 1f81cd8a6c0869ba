import { randomUUID } from "node:crypto";
import { rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Monitor } from "../../model/monitor/monitor.ts";
import { SHARD_COUNT, shardOf } from "../../model/monitor/shard.ts";
import { writeEntries } from "../../monitors/registry/edit.ts";
import { parseMonitors } from "../../monitors/registry/parse-registry.ts";
import type { RegistryFormat } from "../../monitors/registry/read-entries.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { syncFolder } from "../../store/atomic-file.ts";
import { errnoOf } from "../../store/store-error.ts";
import { readRegistry } from "./read-registry.ts";
import { describeFailure, editRegistry, formatOfName } from "./registry-file.ts";
import {
  nameOfShard,
  openRegistry,
  type PartLocation,
  type RegistryLocation,
  type ShardsLocation,
} from "./registry-location.ts";

/** `refused`: another place or form has to be chosen; `unreachable`: the disk or the store failed. */
export interface WriteFailure {
  readonly kind: "refused" | "unreachable";
  readonly message: string;
}

/**
 * Writes a new registry of valid monitors, in the form of its location. Overwrites nothing. A file and a folder appear at once or not at
 * all; in a bucket an interruption leaves some of the shards. Undefined: all is written.
 */
export async function writeRegistry(
  target: RegistryLocation,
  monitors: readonly Monitor[],
  rules: MonitorRules,
): Promise<WriteFailure | undefined> {
  const occupied = await refuseOccupied(target);
  if (occupied !== undefined) return occupied;
  try {
    if (target.kind !== "shards") {
      const text = toText(target, monitors, formatOfName(target), rules);
      return typeof text === "string" ? await writePart(target, text) : text;
    }
    const texts = new Map<string, string>();
    for (const [name, group] of groupByShard(monitors)) {
      const text = toText(target.partOf(name), group, "json-lines", rules);
      if (typeof text !== "string") return text;
      texts.set(name, text);
    }
    const path = pathOf(target);
    return path === undefined ? await writeShards(target, texts) : await writeFolder(path, texts);
  } catch (error) {
    return { kind: "unreachable", message: describeFailure(target, error) };
  }
}

async function refuseOccupied(target: RegistryLocation): Promise<WriteFailure | undefined> {
  const message = `monitors ${target.name}: it exists and is not empty; name another place, or move away what is there.`;
  if (target.kind === "shards") {
    try {
      const inventory = await target.list();
      const isEmpty = inventory === undefined || inventory.names.length === 0;
      return isEmpty ? undefined : { kind: "refused", message };
    } catch (error) {
      return { kind: "unreachable", message: describeFailure(target, error) };
    }
  }
  const read = await readRegistry(target);
  if (read.kind === "unreachable") return read;
  const isEmpty =
    read.kind === "absent" ||
    read.parts.every(({ content }) => content.kind === "bytes" && content.bytes.length === 0);
  return isEmpty ? undefined : { kind: "refused", message };
}

/** The text of a part, provided that reading it gives these monitors: YAML has room for fewer. */
function toText(
  { name }: PartLocation,
  monitors: readonly Monitor[],
  format: RegistryFormat,
  rules: MonitorRules,
): string | WriteFailure {
  const text = writeEntries(monitors, format);
  const parsed = parseMonitors(text, rules);
  const [problem] = parsed.problems;
  if (problem === undefined && JSON.stringify(parsed.monitors) === JSON.stringify(monitors))
    return text;
  const why = problem === undefined ? "the monitors would change" : problem.message;
  const message = `monitors ${name}: the registry cannot have this form: ${why} JSON lines (a name that ends with .jsonl) and shards (one that ends with /) have room for more.`;
  return { kind: "refused", message };
}

/** The monitors by the name of their shard. Without any, the first shard, because an empty prefix of a bucket is no registry. */
function groupByShard(monitors: readonly Monitor[]): ReadonlyMap<string, readonly Monitor[]> {
  const shards = Array.from({ length: SHARD_COUNT }, (): Monitor[] => []);
  for (const monitor of monitors) shards[shardOf(monitor.id)]?.push(monitor);
  const named = shards.map((group, shard) => [nameOfShard(shard), group] as const);
  return new Map(
    named.filter(([, { length }], shard) => length > 0 || (shard === 0 && monitors.length === 0)),
  );
}

/** The folder of shards on a disk; undefined in a bucket. */
function pathOf(target: ShardsLocation): string | undefined {
  const part = target.partOf(nameOfShard(0));
  return part.kind === "file" ? resolve(dirname(part.path)) : undefined;
}

/** Writes into a hidden folder next to the final one, which then takes its name. Throws errors of the system. */
async function writeFolder(
  path: string,
  texts: ReadonlyMap<string, string>,
): Promise<WriteFailure | undefined> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const opened = await openRegistry(`${temporary}/`);
  if ("problem" in opened || opened.value.kind !== "shards")
    throw new TypeError("a path with a slash at its end is no folder");
  try {
    const failure = await writeShards(opened.value, texts);
    if (failure !== undefined) return failure;
    // It may exist, and fails here unless it is still empty.
    await rmdir(path).catch((error: unknown) => {
      if (errnoOf(error) !== "ENOENT") throw error;
    });
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return undefined;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function writeShards(
  target: ShardsLocation,
  texts: ReadonlyMap<string, string>,
): Promise<WriteFailure | undefined> {
  await target.create();
  for (const [name, text] of texts) {
    const failure = await writePart(target.partOf(name), text);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Writes a part that is empty or does not exist. */
async function writePart(location: PartLocation, text: string): Promise<WriteFailure | undefined> {
  const { name } = location;
  const edited = await editRegistry<undefined, string>(location, (before = "", isRetry) =>
    before === "" || (isRetry && before === text)
      ? { kind: "edited", text, value: undefined }
      : { kind: "refused", refusal: `monitors ${name}: it has been written meanwhile.` },
  );
  if (edited.kind === "done") return undefined;
  return edited.kind === "unreachable" ? edited : { kind: "refused", message: edited.refusal };
}
