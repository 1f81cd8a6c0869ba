import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AddOptions,
  addToRegistry,
  generateMonitorId,
  removeFromRegistry,
  setPublicInRegistry,
} from "../src/setup/registry/edit-registry.ts";
import type { MonitorEdit } from "../src/setup/registry/registry-file.ts";
import { createRegistryParser } from "../src/setup/registry/read-monitors.ts";
import { readRegistry } from "../src/setup/registry/read-registry.ts";
import { FEW_SHARDS, openRegistry } from "../src/setup/registry/registry-location.ts";
import type { Monitor } from "../src/model/monitor/monitor.ts";
import { writeShardFolder } from "./shard-folder.ts";

/** The output of this script, as JSON. */
export interface MeasuredShards {
  readonly readMs: number;
  /** After an edit of one shard. */
  readonly againMs: number;
  /** Processor time of edits that read one shard: of each round an addition, a change and a removal. */
  readonly editCpuMs: readonly number[];
  /** Of additions with an id of their own, which look for it in all shards. */
  readonly givenCpuMs: readonly number[];
}

const MONITORS = 100_000;
const ROUNDS = 4;

const rules = { refusalOfUrl: () => undefined };
const folder = await mkdtemp(join(tmpdir(), "status-snapshot-bench-"));
await writeShardFolder(folder, FEW_SHARDS, MONITORS, (number) => ({
  url: `https://shop${number}.example.ru/path?x=1`,
  name: `Мой магазин ${number}`,
}));

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
/** Processor time of an edit that succeeds. */
const edit = async (act: () => Promise<MonitorEdit<Monitor | undefined>>): Promise<number> => {
  const before = process.cpuUsage();
  const edited = await act();
  const { user, system } = process.cpuUsage(before);
  if (edited.kind !== "done") throw new Error(edited.message);
  return (user + system) / 1_000;
};
const add = (options: AddOptions) => () =>
  addToRegistry("https://new.example/", options, { location, rules, newId: generateMonitorId });

const readMs = await read();
await edit(add({ id: "new-0" }));
const againMs = await read();
const editCpuMs: number[] = [];
const givenCpuMs: number[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const id = `new-${round}`;
  givenCpuMs.push(await edit(add({ id })));
  editCpuMs.push(
    await edit(add({})),
    await edit(() => setPublicInRegistry(id, true, { location, rules })),
    await edit(() => removeFromRegistry(id, { location, rules })),
  );
}
await rm(folder, { recursive: true });
const measured: MeasuredShards = { readMs, againMs, editCpuMs, givenCpuMs };
process.stdout.write(JSON.stringify(measured));
