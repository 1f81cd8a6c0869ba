import { createRegistryParser } from "../src/setup/registry/read-monitors.ts";
import { readRegistry } from "../src/setup/registry/read-registry.ts";
import {
  FEW_SHARDS,
  openRegistry,
  SHARDS_OF_CELLS,
} from "../src/setup/registry/registry-location.ts";
import { writeShardFolder } from "./shard-folder.ts";

/** The output of `read`, as JSON. */
export interface MeasuredRead {
  readonly monitors: number;
  readonly readMs: number;
  /** Of the peak of resident memory, over that of the loaded program. */
  readonly grownBytes: number;
}

const MONITORS = 1_000_000;

async function read(folder: string, cells: number): Promise<MeasuredRead> {
  const opened = await openRegistry(folder);
  if ("problem" in opened) throw new Error(opened.problem);
  const cell = cells === 1 ? undefined : { number: 0, of: cells };
  const before = process.resourceUsage().maxRSS;
  const startedMs = performance.now();
  const found = await readRegistry(opened.value, cell && { cell, known: new Map() });
  if (found.kind !== "found") throw new Error("no registry");
  const { monitors } = createRegistryParser({ refusalOfUrl: () => undefined }, cell)(found);
  const readMs = performance.now() - startedMs;
  const grownBytes = (process.resourceUsage().maxRSS - before) * 1_024;
  return { monitors: monitors.length, readMs, grownBytes };
}

const settingsOf = (number: number) => ({
  url: `https://shop${number}.example.ru/path?x=1`,
  name: `Мой магазин ${number}`,
});

/* `write FOLDER SHARDS` writes a registry of a million in 64 or 4,096 files, `read FOLDER CELLS` reads the first of so many cells. */
const [, , act, folder = "", count = "1"] = process.argv;
const layout = count === "64" ? FEW_SHARDS : SHARDS_OF_CELLS;
if (act === "write") await writeShardFolder(folder, layout, MONITORS, settingsOf);
else process.stdout.write(JSON.stringify(await read(folder, Number(count))));
