import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateMonitorId } from "../src/setup/registry/edit-registry.ts";
import type { ShardLayout } from "../src/setup/registry/registry-location.ts";

/** Writes a registry in shards with so many monitors of random ids, each with the settings of its number. */
export async function writeShardFolder(
  folder: string,
  { names, nameOf }: ShardLayout,
  monitors: number,
  settingsOf: (number: number) => { readonly url: string; readonly name?: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = new Map(names.map((name): [string, string[]] => [name, []]));
  for (let number = 0; number < monitors; number += 1) {
    const id = generateMonitorId();
    lines.get(nameOf(id))?.push(JSON.stringify({ id, ...settingsOf(number) }));
  }
  for (const [name, texts] of lines) await writeFile(join(folder, name), `${texts.join("\n")}\n`);
}
