import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCellTest } from "../src/setup/publish-settings.ts";
import { generateMonitorId } from "../src/setup/registry/edit-registry.ts";
import { createRegistryParser } from "../src/setup/registry/read-monitors.ts";
import { createOwnParts, readRegistry } from "../src/setup/registry/read-registry.ts";
import { nameOfShard, openRegistry } from "../src/setup/registry/registry-location.ts";
import { SHARD_COUNT, shardOf } from "../src/model/monitor/shard.ts";

/** The output of `read`, as JSON. */
export interface MeasuredRead {
  readonly monitors: number;
  readonly readMs: number;
  /** Of the peak of resident memory, over that of the loaded program. */
  readonly grownBytes: number;
}

const MONITORS = 1_000_000;

async function write(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = Array.from({ length: SHARD_COUNT }, (): string[] => []);
  for (let index = 0; index < MONITORS; index += 1) {
    const id = generateMonitorId();
    const url = `https://shop${index}.example.ru/path?x=1`;
    lines[shardOf(id)]?.push(JSON.stringify({ id, url, name: `Мой магазин ${index}` }));
  }
  for (const [shard, texts] of lines.entries())
    await writeFile(join(folder, nameOfShard(shard)), `${texts.join("\n")}\n`);
}

async function read(folder: string, cells: number): Promise<MeasuredRead> {
  const opened = await openRegistry(folder);
  if ("problem" in opened) throw new Error(opened.problem);
  const isOwn = createCellTest({ number: 0, of: cells });
  const before = process.resourceUsage().maxRSS;
  const startedMs = performance.now();
  const found = await readRegistry(opened.value, isOwn && createOwnParts(isOwn));
  if (found.kind !== "found") throw new Error("no registry");
  const { monitors } = createRegistryParser({ refusalOfUrl: () => undefined }, isOwn)(found);
  const readMs = performance.now() - startedMs;
  const grownBytes = (process.resourceUsage().maxRSS - before) * 1_024;
  return { monitors: monitors.length, readMs, grownBytes };
}

/* `write FOLDER` writes a registry of a million, `read FOLDER CELLS` reads the first of so many cells. */
const [, , act, folder = "", cells = "1"] = process.argv;
if (act === "write") await write(folder);
else process.stdout.write(JSON.stringify(await read(folder, Number(cells))));
