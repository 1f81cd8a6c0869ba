import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FEW_SHARDS, SHARDS_OF_CELLS } from "../src/setup/registry/registry-location.ts";
import { measureCommand, type Measured } from "./command.ts";
import { startEngineServer, startWorker } from "./engine-server.ts";
import { hostOf, openWorkspace } from "./monitor-workspace.ts";
import type { Section } from "./report.ts";
import { writeShardFolder } from "./shard-folder.ts";

const CELLS = Number(process.env["BENCH_CELLS"] ?? 10);
/** Of all cells. */
const MONITORS = Number(process.env["BENCH_MONITORS"] ?? 1_000_000);
const LAYOUT = process.env["BENCH_SHARDS"] === "64" ? FEW_SHARDS : SHARDS_OF_CELLS;
const FIRST_AT = "2026-11-21T12:00:00Z";
const SECOND_AT = "2026-11-21T12:05:00Z";
const PEAK_GOAL_MB = 500;
const SPREAD_GOAL_PERCENT = 10;
const MB = 1_000_000;

/**
 * A million monitors in ten cells, one after another, with a worker to which every site is healthy at once: what is left is what a cell
 * costs besides the checks. BENCH_CELLS is another number of cells, BENCH_SHARDS=64 the layout of a registry that is not for cells. With
 * BENCH_CHECKS=real each cell checks its sites itself, once, which takes a quarter of an hour.
 */
export async function benchCells({ folder }: { readonly folder: string }): Promise<Section> {
  const own = join(folder, "cells");
  const isReal = process.env["BENCH_CHECKS"] === "real";
  const workspace = await openWorkspace(own);
  const server = await startEngineServer(own);
  const worker = await startWorker(server.url, 0);
  try {
    const registry = join(own, "registry");
    // Each monitor has its own host.
    await writeShardFolder(registry, LAYOUT, MONITORS, (number) => ({
      url: `https://${hostOf(number)}/`,
    }));
    const run = async (cell: number, at: string): Promise<Measured> => {
      const state = `file:${join(own, `state-${cell}`)}`;
      const stores = ["--store", `file:${join(own, "public")}`, "--state", state];
      const engine = isReal ? [] : ["--set", `engine=${server.url}`];
      const part = ["--no-services", "--cell", `${cell}/${CELLS}`, "--monitors", registry];
      const setting = ["--at", at, "--set", "confirm=none", "--log", "json"];
      const args = ["run", ...stores, ...workspace.args, ...part, ...setting, ...engine];
      return measureCommand(args, workspace.env);
    };
    const cells = Array.from({ length: CELLS }, (_, cell) => cell);
    const first: Measured[] = [];
    const second: Measured[] = [];
    for (const cell of cells) first.push(await run(cell, FIRST_AT));
    if (!isReal) for (const cell of cells) second.push(await run(cell, SECOND_AT));
    return describe(first, second, isReal);
  } finally {
    await worker.stop();
    await server.stop();
    await workspace.targets.stop();
    await rm(own, { recursive: true, force: true });
  }
}

function describe(
  first: readonly Measured[],
  second: readonly Measured[],
  isReal: boolean,
): Section {
  const cpu = (all: readonly Measured[]) => all.map(({ cpuMs }) => cpuMs / 1_000);
  const peaks = [...first, ...second].map(({ peakBytes }) => peakBytes / MB);
  const last = isReal ? first : second;
  const checked = last.map(({ stderr }) => Number(/"healthy":(\d+)/u.exec(stderr)?.[1] ?? 0));
  const total = checked.reduce((sum, one) => sum + one, 0);
  return {
    title: `Cells: ${MONITORS.toLocaleString("en")} monitors in ${CELLS} cells, one after another, ${isReal ? "their sites on the same cores" : "with an instant worker"}`,
    command: `${isReal ? "BENCH_CHECKS=real " : ""}npm run bench -- cells`,
    figures: [
      { what: "a cell, first run, CPU", values: cpu(first), unit: "s", digits: 2 },
      ...(isReal
        ? []
        : [{ what: "a cell, second run, CPU", values: cpu(second), unit: "s", digits: 2 }]),
      {
        what: "farthest from the median, last runs",
        values: [spreadPercent(cpu(last))],
        unit: "%",
        digits: 1,
        ...(isReal ? {} : { goal: SPREAD_GOAL_PERCENT }),
      },
      {
        what: "a cell, last run, wall",
        values: last.map(({ wallMs }) => wallMs / 1_000),
        unit: "s",
        digits: 1,
      },
      {
        what: "a cell, peak memory",
        values: peaks,
        unit: "MB",
        digits: 0,
        goal: PEAK_GOAL_MB,
      },
    ],
    notes: [`Healthy in the last runs: ${total.toLocaleString("en")}.`],
  };
}

function spreadPercent(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 1;
  return Math.max(...values.map((value) => (100 * Math.abs(value - median)) / median));
}
