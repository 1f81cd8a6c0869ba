import { randomUUID } from "node:crypto";
import { rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { groupBy } from "../../model/lists.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import { writeEntries } from "../../monitors/registry/edit.ts";
import { parseMonitors } from "../../monitors/registry/parse-registry.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { syncFolder } from "../../store/atomic-file.ts";
import { unlessAbsent } from "../../model/errors.ts";
import { readRegistry } from "./read-registry.ts";
import { editRegistry, formatOfName, type Hindrance, unlessUnreachable } from "./registry-file.ts";
import {
  FEW_SHARDS,
  type PartLocation,
  type RegistryLocation,
  type ShardLayout,
  shardsIn,
  type ShardsLocation,
} from "./registry-location.ts";

/** Writes a new registry, and overwrites nothing. A file or folder appears at once or not at all; in a bucket some shards may. */
export function writeRegistry(
  target: RegistryLocation,
  monitors: readonly Monitor[],
  rules: MonitorRules,
  layout = FEW_SHARDS,
): Promise<Hindrance | undefined> {
  return unlessUnreachable(target, async () => {
    const occupied = await refuseOccupied(target);
    if (occupied !== undefined) return occupied;
    if (target.kind !== "shards") {
      const text = toText(target, monitors, rules);
      return typeof text === "string" ? writePart(target, text) : text;
    }
    const texts = new Map<string, string>();
    for (const [name, group] of groupByShard(monitors, layout)) {
      const text = toText(target.partOf(name), group, rules);
      if (typeof text !== "string") return text;
      texts.set(name, text);
    }
    return target.path === undefined
      ? writeShards(target, texts)
      : writeFolder(resolve(target.path), texts);
  });
}

/** Throws errors of the system and `StoreError`. */
async function refuseOccupied(target: RegistryLocation): Promise<Hindrance | undefined> {
  let isEmpty: boolean;
  if (target.kind === "shards") isEmpty = ((await target.list()) ?? []).length === 0;
  else {
    const read = await readRegistry(target);
    if (read.kind === "unreachable") return read;
    isEmpty =
      read.kind === "absent" ||
      read.parts.every(({ content }) => content.kind === "bytes" && content.bytes.length === 0);
  }
  const message = `monitors ${target.name}: it exists and is not empty; name another place, or move away what is there.`;
  return isEmpty ? undefined : { kind: "refused", message };
}

/** The text of a part, provided that reading it gives these monitors: YAML has room for fewer. */
function toText(
  location: PartLocation,
  monitors: readonly Monitor[],
  rules: MonitorRules,
): string | Hindrance {
  const text = writeEntries(monitors, formatOfName(location));
  const parsed = parseMonitors(text, rules);
  const [problem] = parsed.problems;
  if (problem === undefined && JSON.stringify(parsed.monitors) === JSON.stringify(monitors))
    return text;
  const why = problem === undefined ? "the monitors would change." : problem.message;
  const message = `monitors ${location.name}: the registry cannot have this form: ${why} JSON lines (a name that ends with .jsonl) and shards (one that ends with /) have room for more.`;
  return { kind: "refused", message };
}

/** The monitors by the name of their shard. Without any, the first shard, because an empty prefix of a bucket is not a registry. */
function groupByShard(
  monitors: readonly Monitor[],
  { names, nameOf }: ShardLayout,
): ReadonlyMap<string, readonly Monitor[]> {
  if (monitors.length === 0) return new Map(names.slice(0, 1).map((name) => [name, []]));
  return groupBy(monitors, ({ id }) => nameOf(id));
}

/** Writes into a hidden folder next to the final one, which then takes its name. Throws errors of the system. */
async function writeFolder(path: string, texts: ReadonlyMap<string, string>) {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const failure = await writeShards(shardsIn(temporary), texts);
    if (failure !== undefined) return failure;
    // It may exist, and fails here unless it is still empty.
    await unlessAbsent(rmdir(path));
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return undefined;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function writeShards(target: ShardsLocation, texts: ReadonlyMap<string, string>) {
  await target.create();
  for (const [name, text] of texts) {
    const failure = await writePart(target.partOf(name), text);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Writes a part that is empty or does not exist. */
async function writePart(location: PartLocation, text: string): Promise<Hindrance | undefined> {
  const message = `monitors ${location.name}: it has been written meanwhile.`;
  const edited = await editRegistry<undefined>(location, (before = "", isRetry) =>
    before === "" || (isRetry && before === text)
      ? { kind: "edited", text, monitor: undefined }
      : { kind: "refused", code: "taken", message },
  );
  return edited.kind === "done" ? undefined : edited;
}
