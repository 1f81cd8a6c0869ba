import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRegistryParser, type ReadMonitors } from "../../src/setup/registry/read-monitors.ts";
import { readRegistry } from "../../src/setup/registry/read-registry.ts";
import {
  FEW_SHARDS,
  openRegistry,
  type RegistryLocation,
} from "../../src/setup/registry/registry-location.ts";
import { shardOf } from "../../src/model/monitor/shard.ts";
import { makeScratchFolder } from "../store/scratch.ts";

export const RULES = { refusalOfUrl: () => undefined };

/** The location that a value of `--monitors` names. */
export async function locate(path: string): Promise<RegistryLocation> {
  const opened = await openRegistry(path);
  if ("problem" in opened) throw new Error(opened.problem);
  return opened.value;
}

/** Every monitor and problem of a registry that exists. */
export async function readAll(path: string): Promise<ReadMonitors> {
  const read = await readRegistry(await locate(path));
  if (read.kind !== "found") throw new Error(`${path} is ${read.kind}`);
  return createRegistryParser(RULES)(read);
}

/** The name of the shard of an id. */
export const fileOf = (id: string): string => FEW_SHARDS.nameOf(id);

export const lineOf = (id: string): string => `{"id":"${id}","url":"https://${id}.example/"}\n`;

/** Where an id does not belong: the shard before or after its own. */
export const wrongFileOf = (id: string): string => FEW_SHARDS.names[shardOf(id) ^ 1] ?? "";

/** A folder of shards with these ids, each where it belongs. */
export async function makeShards(...ids: readonly string[]): Promise<string> {
  const folder = join(makeScratchFolder(), "shards");
  await mkdir(folder);
  for (const id of ids) await writeFile(join(folder, fileOf(id)), lineOf(id), { flag: "a" });
  return folder;
}

/** This many ids of one shard. */
export function idsOfOneShard(count: number): readonly string[] {
  const ids: string[] = [];
  for (let at = 0; ids.length < count; at += 1) {
    if (shardOf(`m${at}`) === shardOf("m0")) ids.push(`m${at}`);
  }
  return ids;
}

/** The text of each file in a folder, by name. */
export async function textsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).toSorted();
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}
