import { rename, rm, stat } from "node:fs/promises";
import type { Monitor } from "../../model/monitor.ts";
import { SHARD_COUNT, shardOf } from "../../model/shard.ts";
import { writeRegistry } from "../../monitors/registry/edit.ts";
import { fits } from "../../monitors/registry/read-entries.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import type { Log } from "../log/log.ts";
import { UsageError } from "../options/errors.ts";
import type { ExitCode } from "../options/exit-codes.ts";
import type { Io } from "../options/io.ts";
import { describeFailure, editRegistry, formatOfName } from "../setup/registry-file.ts";
import {
  nameOfShard,
  openRegistry,
  type PartLocation,
  partOfId,
  type RegistryLocation,
} from "../setup/registry-location.ts";
import { readRegistry } from "../setup/read-registry.ts";
import { readMonitors } from "./monitor-check.ts";

/**
 * `monitor convert FROM TO`: writes the monitors of a registry in another form, which the name of the new one decides. Nothing is
 * overwritten. Throws `UsageError`.
 */
export async function monitorConvertCommand(
  from: string,
  to: string,
  rules: MonitorRules,
  io: Pick<Io, "print">,
  log: Log,
): Promise<ExitCode> {
  const [source, target] = [await openRegistry(from), await openRegistry(to)];
  if ("problem" in source) throw new UsageError([source.problem]);
  if ("problem" in target) throw new UsageError([target.problem]);
  const read = await readMonitors(source.value, rules);
  if ("problem" in read) throw new UsageError([read.problem]);
  const { monitors, faults, problems } = read.value;
  if (faults.length + problems.length > 0) throw new UsageError([...faults, ...problems]);
  await requireEmpty(target.value);
  const failure = await writeAll(target.value, monitors);
  if (failure !== undefined) {
    log.fail(failure);
    return 1;
  }
  io.print(`${target.value.name}: ${monitors.length} monitors of ${source.value.name}.`);
  return 0;
}

/** Throws `UsageError` if there is a registry already, so that no monitor is lost. */
async function requireEmpty(target: RegistryLocation): Promise<void> {
  const read = await readRegistry(target);
  if (read.kind === "unreachable") throw new UsageError([read.message]);
  const isEmpty = read.kind === "absent" || (read.parts.length === 0 && read.foreign.length === 0);
  if (!isEmpty)
    throw new UsageError([
      `monitors ${target.name}: there is a registry already; name another place, or move it away.`,
    ]);
}

/** The message of a failure; undefined if all is written. */
async function writeAll(
  target: RegistryLocation,
  monitors: readonly Monitor[],
): Promise<string | undefined> {
  if (target.kind !== "shards")
    return writePart(target, writeRegistry(monitors, formatOfName(target)), monitors.length);
  if (target.partOf(nameOfShard(0)).kind === "object") return writeShards(target, monitors);
  // A folder appears with all of its shards at once.
  const final = folderOf(target);
  const temporary = await openRegistry(`${final}.converting/`);
  if ("problem" in temporary || temporary.value.kind !== "shards") return "the folder has no name";
  try {
    await rm(folderOf(temporary.value), { recursive: true, force: true });
    const failure = await writeShards(temporary.value, monitors);
    if (failure !== undefined) return failure;
    // An empty folder of this name may exist.
    if (await isFolder(final)) await rm(final, { recursive: true });
    await rename(folderOf(temporary.value), final);
    return undefined;
  } catch (error) {
    return describeFailure(target, error);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

function folderOf(target: Extract<RegistryLocation, { kind: "shards" }>): string {
  const part = target.partOf("x");
  return part.kind === "file" ? part.path.slice(0, -"/x".length) : target.name;
}

async function writeShards(
  target: Extract<RegistryLocation, { kind: "shards" }>,
  monitors: readonly Monitor[],
): Promise<string | undefined> {
  await target.create();
  const shards = Array.from({ length: SHARD_COUNT }, (): Monitor[] => []);
  for (const monitor of monitors) shards[shardOf(monitor.id)]?.push(monitor);
  for (const shard of shards) {
    const [first] = shard;
    if (first === undefined) continue;
    const part = partOfId(target, first.id);
    const failure = await writePart(part, writeRegistry(shard, "json-lines"), shard.length);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function writePart(
  part: PartLocation,
  text: string,
  entries: number,
): Promise<string | undefined> {
  if (!fits(text, entries))
    return `monitors ${part.name}: too many for one file; convert to shards.`;
  const edited = await editRegistry<undefined, string>(part, (before, isRetry) =>
    before === undefined || (isRetry && before === text)
      ? { kind: "edited", text, value: undefined }
      : { kind: "refused", refusal: `monitors ${part.name}: it has appeared meanwhile.` },
  );
  switch (edited.kind) {
    case "done":
      return undefined;
    case "refused":
      return edited.refusal;
    case "unreachable":
      return edited.message;
  }
}
