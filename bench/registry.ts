import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ParsedMany } from "../test/monitors/registry/parse-many-script.ts";
import type { MeasuredShards } from "./registry-shards-script.ts";
import type { MeasuredRead } from "./registry-million-script.ts";
import type { Figure, Section } from "./report.ts";

const TIMES = 5;
const CPU_GOAL_MS = 2_000;
const READ_GOAL_MS = 2_500;
const EDIT_GOAL_MS = 50;
const MB = 1_000_000;

/** The cost of parsing a registry of 100,000 monitors, each time in a new process. */
export async function benchRegistry(): Promise<Section> {
  const script = fileURLToPath(
    new URL("../test/monitors/registry/parse-many-script.ts", import.meta.url),
  );
  const all: ParsedMany[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
    // The script prints exactly this.
    all.push(JSON.parse(stdout) as ParsedMany);
  }
  return {
    title: "Registry: 100,000 monitors, as JSON lines",
    command: "npm run bench -- registry",
    figures: [
      {
        what: "CPU for parsing",
        values: all.map(({ cpuMs }) => cpuMs),
        unit: "ms",
        digits: 0,
        goal: CPU_GOAL_MS,
      },
      {
        what: "memory growth",
        values: all.map(({ grownBytes }) => grownBytes / MB),
        unit: "MB",
        digits: 0,
        goal: 300,
      },
      ...(await benchShards()),
      ...(await benchMillion()),
    ],
  };
}

/** The same in 64 files: read from the disk and parsed, and one edit of it. */
async function benchShards(): Promise<readonly Figure[]> {
  const script = fileURLToPath(new URL("registry-shards-script.ts", import.meta.url));
  const all: MeasuredShards[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
    // The script prints exactly this.
    all.push(JSON.parse(stdout) as MeasuredShards);
  }
  return [
    {
      what: "in shards: reading",
      values: all.map(({ readMs }) => readMs),
      unit: "ms",
      digits: 0,
      goal: READ_GOAL_MS,
    },
    {
      what: "in shards: reading again, one shard changed",
      values: all.map(({ againMs }) => againMs),
      unit: "ms",
      digits: 0,
    },
    {
      what: "in shards: CPU of an edit",
      values: all.flatMap(({ editCpuMs }) => editCpuMs),
      unit: "ms",
      digits: 1,
      goal: EDIT_GOAL_MS,
    },
    {
      what: "in shards: CPU of an addition with an id of its own",
      values: all.flatMap(({ givenCpuMs }) => givenCpuMs),
      unit: "ms",
      digits: 1,
    },
  ];
}

const MILLION = [
  { shards: "64", cells: 1, what: "a million", secondsGoal: 20, memoryGoal: 700 },
  { shards: "64", cells: 10, what: "a tenth of it, by a cell", secondsGoal: 20, memoryGoal: 150 },
  {
    shards: "4096",
    cells: 10,
    what: "a tenth, by a cell, in shards of cells",
    secondsGoal: 2,
    memoryGoal: 150,
  },
] as const;
const MILLION_TIMES = 3;

/** A million in shards: all of them, and the share of one of ten cells. */
async function benchMillion(): Promise<readonly Figure[]> {
  const script = fileURLToPath(new URL("registry-million-script.ts", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-bench-"));
  const start = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", script, ...args]);
  try {
    for (const shards of ["64", "4096"]) await start("write", join(folder, shards), shards);
    const figures: Figure[] = [];
    for (const { shards, cells, what, secondsGoal, memoryGoal } of MILLION) {
      const all: MeasuredRead[] = [];
      for (let time = 0; time < MILLION_TIMES; time += 1) {
        const { stdout } = await start("read", join(folder, shards), String(cells));
        // The script prints exactly this.
        all.push(JSON.parse(stdout) as MeasuredRead);
      }
      figures.push(
        {
          what: `${what}: reading`,
          values: all.map(({ readMs }) => readMs / 1_000),
          unit: "s",
          digits: 1,
          goal: secondsGoal,
        },
        {
          what: `${what}: memory growth`,
          values: all.map(({ grownBytes }) => grownBytes / MB),
          unit: "MB",
          digits: 0,
          goal: memoryGoal,
        },
      );
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true });
  }
}
