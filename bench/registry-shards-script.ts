import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addToRegistry, generateMonitorId } from "../src/cli/setup/edit-registry.ts";
import { createRegistryParser } from "../src/cli/setup/read-monitors.ts";
import { readRegistry } from "../src/cli/setup/read-registry.ts";
import { nameOfShard, openRegistry } from "../src/cli/setup/registry-location.ts";
import { SHARD_COUNT, shardOf } from "../src/model/shard.ts";

/** The output of this script, as JSON. */
export interface MeasuredShards {
  readonly readMs: number;
  /** After one edit. */
  readonly againMs: number;
  /** Processor time of each of ten edits. */
  readonly editCpuMs: readonly number[];
}

const MONITORS = 100_000;
const EDITS = 10;

const rules = { refusalOfUrl: () => undefined };
const folder = await mkdtemp(join(tmpdir(), "status-snapshot-bench-"));
const lines = Array.from({ length: SHARD_COUNT }, (): string[] => []);
for (let index = 0; index < MONITORS; index += 1) {
  const id = generateMonitorId();
  const url = `https://shop${index}.example.ru/path?x=1`;
  lines[shardOf(id)]?.push(JSON.stringify({ id, url, name: `Мой магазин ${index}` }));
}
for (const [shard, texts] of lines.entries())
  await writeFile(join(folder, nameOfShard(shard)), `${texts.join("\n")}\n`);

const opened = await openRegistry(folder);
if ("problem" in opened) throw new Error(opened.problem);
const location = opened.value;
const parse = createRegistryParser(rules);
const read = async (): Promise<number> => {
  const startedMs = performance.now();
  const found = await readRegistry(location);
  if (found.kind !== "found") throw new Error("no registry");
  parse(found);
  return performance.now() - startedMs;
};
const readMs = await read();
const editCpuMs: number[] = [];
for (let edit = 0; edit < EDITS; edit += 1) {
  const before = process.cpuUsage();
  await addToRegistry("https://new.example/", {}, { location, rules, newId: generateMonitorId });
  const { user, system } = process.cpuUsage(before);
  editCpuMs.push((user + system) / 1_000);
}
const againMs = await read();
await rm(folder, { recursive: true });
process.stdout.write(JSON.stringify({ readMs, againMs, editCpuMs } satisfies MeasuredShards));
