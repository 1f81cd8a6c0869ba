import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { packResults, packWork, unpackResults, planBatches } from "../src/engine/batches.ts";
import type { CheckResult } from "../src/model/monitor/monitor.ts";
import { MINUTE_MS } from "../src/model/time.ts";
import type { CheckTarget } from "../src/monitors/checks/check-target.ts";
import { CLI, type Measured, measureCommand } from "./command.ts";
import { startEngineServer } from "./engine-server.ts";
import { LOADS, measureServer, type ServerCost } from "./engine-flood.ts";
import { hostOf, openWorkspace, type Workspace, writeRegistry } from "./monitor-workspace.ts";
import { type Helper, startHelper } from "./processes.ts";
import type { Figure, Section } from "./report.ts";

const MONITORS = Number(process.env["BENCH_MONITORS"] ?? 100_000);
const ROUNDS = 3;
const WORKERS = 2;
const WORKER_LIFE_MS = 30 * MINUTE_MS;
/** A worker is connected long before a run has its first batch. */
const WORKER_START_MS = 1_500;
const WALL_SHARE_GOAL = 1.15;
const HAND_OVER_GOAL_US = 30;
const CORE_GOAL_PERCENT = 5;
const LAG_GOAL_MS = 1_000;

const FINISHED = z.object({
  event: z.literal("monitors-finished"),
  healthy: z.number(),
  durationMs: z.number(),
});

/** The checks of monitors by two workers, beside those in threads of the run; what handing over costs; and the server alone. */
export async function benchEngine({ folder }: { readonly folder: string }): Promise<Section> {
  const own = join(folder, "engine");
  const workspace = await openWorkspace(own);
  const server = await startEngineServer(own);
  try {
    const handOver = measureHandOver();
    const pairs = await compare(workspace, own, server.url);
    const floods = await measureServer(server);
    return {
      title: `Engine: ${MONITORS.toLocaleString("en")} monitors by ${WORKERS} workers, all on the same cores`,
      command: "npm run bench -- engine",
      figures: [
        ...describePairs(pairs),
        {
          what: "handing over a monitor: plan, pack, unpack, CPU",
          values: handOver,
          unit: "µs",
          digits: 1,
          goal: HAND_OVER_GOAL_US,
        },
        ...floods.flatMap(describeServer),
      ],
      notes: [
        "Embedded and engine take turns; the sites, the server and the workers share the cores with the run.",
        ...floods.map(describeLoad),
      ],
    };
  } finally {
    await server.stop();
    await workspace.targets.stop();
    await rm(own, { recursive: true, force: true });
  }
}

interface Pair {
  readonly embedded: Checked;
  readonly engine: Checked;
}

interface Checked {
  readonly wallMs: number;
  readonly checksMs: number;
  readonly healthy: number;
}

async function compare(
  workspace: Workspace,
  folder: string,
  url: string,
): Promise<readonly Pair[]> {
  const registry = join(folder, "monitors.jsonl");
  await writeRegistry(registry, MONITORS);
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = new Date(Date.UTC(2026, 10, 21, 12, 5 * round)).toISOString();
    const embedded = await runOnce(workspace, join(folder, "embedded"), registry, at, []);
    const workers = await startWorkers(workspace, url);
    try {
      const more = ["--set", `engine=${url}`];
      const engine = await runOnce(workspace, join(folder, "dispatched"), registry, at, more);
      pairs.push({ embedded, engine });
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  }
  return pairs;
}

async function runOnce(
  { args, env }: Workspace,
  folder: string,
  registry: string,
  at: string,
  more: readonly string[],
): Promise<Checked> {
  await mkdir(folder, { recursive: true });
  const stores = ["--store", `file:${folder}/public`, "--state", `file:${folder}/state`];
  const setting = ["--monitors", registry, "--at", at, "--set", "confirm=none", "--log", "json"];
  const measured = await measureCommand(["run", ...stores, ...args, ...setting, ...more], env);
  const { healthy, durationMs } = finishedIn(measured);
  return { wallMs: measured.wallMs, checksMs: durationMs, healthy };
}

function finishedIn({ stderr }: Measured): z.infer<typeof FINISHED> {
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  const found = lines.map((line) => FINISHED.safeParse(JSON.parse(line)).data);
  const finished = found.find((one) => one !== undefined);
  if (finished === undefined) throw new Error(`the run checked nothing: ${stderr}`);
  return finished;
}

/** One thread each, as the embedded run has two. */
async function startWorkers({ args, env }: Workspace, url: string): Promise<readonly Helper[]> {
  const [connectTo, rule] = args.slice(-2);
  const anchors = ["d1", "d2", "f1"].flatMap((name) => [
    "--set",
    `anchor=https://${name}.bench.example/`,
  ]);
  const options = [
    "--set",
    "threads=1",
    "--set",
    "workerConcurrency=128",
    "--set",
    "workerConfirm=none",
  ];
  const rules = [connectTo ?? "", rule ?? "", ...anchors, "--log", "json"];
  const workers: Helper[] = [];
  Object.assign(process.env, env);
  for (let count = 0; count < WORKERS; count += 1)
    workers.push(
      await startHelper(
        process.execPath,
        [CLI, "worker", "--set", `engine=${url}`, ...options, ...rules],
        {
          timeoutMs: WORKER_LIFE_MS,
          isQuiet: true,
        },
      ),
    );
  await delay(WORKER_START_MS);
  return workers;
}

function describePairs(pairs: readonly Pair[]): readonly Figure[] {
  const seconds = (of: (pair: Pair) => number): readonly number[] =>
    pairs.map((pair) => of(pair) / 1_000);
  const missed = pairs.map(
    ({ embedded, engine }) => 2 * MONITORS - embedded.healthy - engine.healthy,
  );
  return [
    {
      what: "embedded, wall",
      values: seconds(({ embedded }) => embedded.wallMs),
      unit: "s",
      digits: 1,
    },
    { what: "engine, wall", values: seconds(({ engine }) => engine.wallMs), unit: "s", digits: 1 },
    {
      what: "engine / embedded",
      values: pairs.map(({ embedded, engine }) => engine.wallMs / embedded.wallMs),
      unit: "",
      digits: 3,
      goal: WALL_SHARE_GOAL,
    },
    {
      what: "engine / embedded, the checks alone",
      values: pairs.map(({ embedded, engine }) => engine.checksMs / embedded.checksMs),
      unit: "",
      digits: 3,
    },
    { what: "not checked in time", values: missed, unit: "", digits: 0, goal: 0 },
  ];
}

/** CPU microseconds a monitor that a publisher spends because workers are elsewhere, after a warm-up. */
function measureHandOver(): readonly number[] {
  const targets = Array.from({ length: MONITORS }, (_, at): CheckTarget => {
    return { id: `monitor-${at}`, url: `https://${hostOf(at)}/`, lastState: "healthy" };
  });
  const once = (slot: number): number => {
    const packed = planBatches(targets, slot).map((batch) => {
      const work = packWork(batch);
      const healthy: CheckResult = { kind: "healthy", totalMs: 42 };
      const results = new Map(batch.map(({ id }) => [id, healthy]));
      const handling = { delivery: 1, checkMs: 1_000 };
      const answer = packResults({ targets: batch, digest: work.digest }, results, handling);
      return { ids: batch.map(({ id }) => id), work, answer };
    });
    const before = process.cpuUsage();
    for (const batch of planBatches(targets, slot)) packWork(batch);
    for (const { ids, work, answer } of packed)
      if (unpackResults(answer, ids, work.digest) === undefined) throw new Error("no answer");
    const { user, system } = process.cpuUsage(before);
    return (user + system) / targets.length;
  };
  once(0);
  return Array.from({ length: ROUNDS }, (_, round) => once(round + 1));
}

function describeLoad({ load, batches, seconds }: ServerCost): string {
  const sent = load.burst === 1 ? "one by one" : `${load.burst} at a time, as a cell does`;
  return `The server alone, ${load.what}: ${batches} batches of 500 monitors in ${seconds.toFixed(0)} s, sent ${sent}; workers: ${load.workers}, with a batch for ${load.checkMs} ms.`;
}

function describeServer({ load, corePercent, lagMs, missing }: ServerCost): readonly Figure[] {
  const name = `the server alone, ${load.what}`;
  const hasGoals = load === LOADS[0];
  const core = { what: `${name}, of one core`, values: [corePercent], unit: "%", digits: 1 };
  const lag = { what: `${name}, longest lag`, values: [lagMs], unit: "ms", digits: 0 };
  return [
    hasGoals ? { ...core, goal: CORE_GOAL_PERCENT } : core,
    hasGoals ? { ...lag, goal: LAG_GOAL_MS } : lag,
    { what: `${name}, without an answer`, values: [missing], unit: "", digits: 0, goal: 0 },
  ];
}
