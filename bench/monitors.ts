import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleScript } from "../test/bundle.ts";
import { type BlackboxCost, measureBlackbox } from "./blackbox.ts";
import { BUNDLES } from "./command.ts";
import { type MonitorsRun, runMonitors } from "./monitor-run.ts";
import { openWorkspace, type Workspace, writeRegistry } from "./monitor-workspace.ts";
import { cpuSecondsOf } from "./processes.ts";
import type { Figure, Section } from "./report.ts";

const SIZES = [1_000, 10_000, 100_000];
/** The goals apply to this number of monitors. */
const FULL = 100_000;
/** Two slots of the schedule, so that both runs count. */
const FIRST_AT = "2026-11-21T12:00:00Z";
const SECOND_AT = "2026-11-21T12:05:00Z";
const WALL_GOAL_S = 200;
const PEAK_GOAL_MB = 2 ** 30 / 1e6;
const STATE_GOAL_MB = 20;
const MB = 1_000_000;

/** The default of a run. */
const CONCURRENCY = 256;
/** Of the exporter, and of warm bare Node. */
const COMPARED_CHECKS = 20_000;
/** Exchanges of each thread of bare Node, after which V8 has compiled what it ever will. */
const WARM_UP = 5_000;
/** Of bare Node's checks a second, and of its CPU for one: the goals of this size and above. */
const RATIO_GOALS = [
  { monitors: 100_000, perSecond: 0.9, cpu: 1.25 },
  { monitors: 10_000, perSecond: 0.9, cpu: 1.4 },
];

/** Two runs: with all monitors new, and without changes. */
interface Sized {
  readonly monitors: number;
  readonly first: MonitorsRun;
  readonly second: MonitorsRun;
  /** CPU of the sites per check. */
  readonly siteCpuMs: number;
}

/**
 * Runs over 1,000, 10,000 and 100,000 monitors (other sizes: BENCH_MONITORS=1000,5000) whose sites are on the same cores, and for
 * comparison the blackbox exporter of Prometheus over the same sites. Takes about ten minutes, mostly for the largest size.
 */
export async function benchMonitors({ folder }: { readonly folder: string }): Promise<Section> {
  const own = join(folder, "monitors");
  const workspace = await openWorkspace(own);
  try {
    const all: Sized[] = [];
    for (const monitors of readSizes(process.env["BENCH_MONITORS"])) {
      all.push(await measureSize(workspace, join(own, String(monitors)), monitors));
    }
    const blackbox = await measureBlackbox(workspace, own, COMPARED_CHECKS, CONCURRENCY);
    const bare = await measureBare(workspace, "bare", COMPARED_CHECKS, WARM_UP);
    const withHttp = await measureBare(workspace, "http", COMPARED_CHECKS, WARM_UP);
    const cold = new Map<number, BareCost>();
    for (const { monitors } of all)
      cold.set(monitors, await measureBare(workspace, "bare", monitors, 0));
    return {
      title:
        "Monitors: HTTPS sites on the same cores, 2 KB answered immediately, one service, 256 concurrent checks",
      command: "npm run bench -- monitors",
      figures: [
        ...all.flatMap(describeSize),
        ...describeBlackbox(blackbox),
        ...describeBare("bare Node", bare),
        ...describeBare("the same with node:http", withHttp),
        ...[...cold].flatMap(([monitors, cost]) =>
          describeBare(`bare Node, ${count(monitors)} without warm-up`, cost),
        ),
        ...all.flatMap((sized) => [
          ...describeRatios(sized, "bare Node", bare, goalOf(sized.monitors)),
          ...describeRatios(sized, "bare Node without warm-up", cold.get(sized.monitors)),
          ...describeRatios(sized, "the exporter", blackbox),
        ]),
      ],
      notes: [
        ...describeGrowth(all),
        ...all.flatMap(describePhases),
        ...all.flatMap(describeRequests),
        `1 % of the monitors are public: run 1 writes six badges for each. Run 2 finds no change, and writes the response times of those whose hour has begun.`,
        "State: written bytes are counted in the process; read bytes are the object sizes for each read.",
        ...(blackbox === undefined
          ? ["prometheus-blackbox-exporter is not installed: not compared. apt-get gets it."]
          : [
              `The exporter: /probe over ${blackbox.checks} of the sites, ${CONCURRENCY} concurrent; a third process on the same cores sends the requests.`,
            ]),
        `Bare Node: ${COMPARED_CHECKS} connections with node:net and node:tls, each with one GET and the whole answer, ${CONCURRENCY} concurrent in ${availableParallelism()} threads, and nothing else: the least that a check by Node can cost.`,
      ],
    };
  } finally {
    await workspace.targets.stop();
    await rm(own, { recursive: true, force: true });
  }
}

function readSizes(text: string | undefined): readonly number[] {
  if (text === undefined || text === "") return SIZES;
  const sizes = text.split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1 || size > FULL)) {
    throw new RangeError(
      `BENCH_MONITORS=${text}: give numbers from 1 to ${FULL}, separated by commas`,
    );
  }
  return sizes;
}

async function measureSize(workspace: Workspace, folder: string, monitors: number): Promise<Sized> {
  await mkdir(folder, { recursive: true });
  const registry = join(folder, "monitors.jsonl");
  await writeRegistry(registry, monitors);
  const siteCpuBefore = cpuSecondsOf(workspace.targets.pid);
  const run = (at: string) => runMonitors(workspace, folder, registry, at);
  const first = await run(FIRST_AT);
  const second = await run(SECOND_AT);
  const siteCpuS = cpuSecondsOf(workspace.targets.pid) - siteCpuBefore;
  await rm(folder, { recursive: true, force: true });
  return { monitors, first, second, siteCpuMs: (siteCpuS * 1_000) / (2 * monitors) };
}

function describeSize({ monitors, first, second, siteCpuMs }: Sized): readonly Figure[] {
  const name = count(monitors);
  const isFull = monitors === FULL;
  const unchecked = 2 * monitors - first.healthy - second.healthy;
  return [
    ...[first, second].flatMap((run, index) => {
      const which = `${name}, run ${index + 1}`;
      const seconds = run.cost.wallMs / 1_000;
      return [
        { ...figure(`${which}, wall`, seconds, "s", 2), ...(isFull && { goal: WALL_GOAL_S }) },
        figure(`${which}, checks per second`, perSecond(run), "", 0),
        figure(`${which}, CPU`, run.cost.cpuMs / 1_000, "s", 2),
        {
          ...figure(`${which}, peak memory`, run.cost.peakBytes / MB, "MB", 0),
          goal: PEAK_GOAL_MB,
        },
        {
          ...figure(`${which}, state read and written`, stateMb(run), "MB", 2),
          goal: STATE_GOAL_MB,
        },
      ];
    }),
    { ...figure(`${name}, both runs, not checked in time`, unchecked, "", 0), goal: 0 },
    { ...figure(`${name}, run 2, badge objects written`, second.badgeWrites, "", 0), goal: 0 },
    figure(`${name}, CPU of one check, all of the run`, cpuPerCheck(monitors, second), "ms", 2),
    figure(`${name}, CPU of the sites for one check`, siteCpuMs, "ms", 2),
  ];
}

function describeBlackbox(cost: BlackboxCost | undefined): readonly Figure[] {
  if (cost === undefined) return [];
  return [
    figure("prometheus-blackbox-exporter, checks per second", cost.perSecond, "", 0),
    figure("prometheus-blackbox-exporter, CPU of one check", cost.cpuMs, "ms", 2),
  ];
}

/** Of one exchange by `bare-checks.ts`. */
interface BareCost {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** @param warmUp exchanges of each thread before the measured ones. */
async function measureBare(
  { port, env }: Workspace,
  client: "bare" | "http",
  checks: number,
  warmUp: number,
): Promise<BareCost> {
  const program = await bundleScript(new URL("bare-checks.ts", import.meta.url), BUNDLES);
  const counts = [port, checks, CONCURRENCY, availableParallelism(), warmUp].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [program, client, ...counts], {
    env: { ...process.env, ...env },
  });
  // `bare-checks.ts` prints exactly this.
  return JSON.parse(stdout) as BareCost;
}

function describeBare(name: string, { perSecond: rate, cpuMs }: BareCost): readonly Figure[] {
  return [
    figure(`${name}, exchanges per second`, rate, "", 0),
    figure(`${name}, CPU of one exchange`, cpuMs, "ms", 2),
  ];
}

function goalOf(monitors: number): (typeof RATIO_GOALS)[number] | undefined {
  return RATIO_GOALS.find((goal) => monitors >= goal.monitors);
}

/** What run 2 makes and costs, as a share of what something else does. */
function describeRatios(
  { monitors, second }: Sized,
  other: string,
  cost: BareCost | undefined,
  goal?: (typeof RATIO_GOALS)[number],
): readonly Figure[] {
  if (cost === undefined) return [];
  const what = `${count(monitors)}, run 2, of ${other}`;
  const rate = figure(`${what}: checks per second`, perSecond(second) / cost.perSecond, "", 2);
  const cpu = figure(`${what}: CPU of one`, cpuPerCheck(monitors, second) / cost.cpuMs, "", 2);
  return [
    { ...rate, ...(goal && { goal: goal.perSecond, isGoalLeast: true }) },
    { ...cpu, ...(goal && { goal: goal.cpu }) },
  ];
}

/** The cost of each additional monitor, by size: equal numbers mean linear growth. */
function describeGrowth(all: readonly Sized[]): readonly string[] {
  return all.slice(1).map((larger, index) => {
    const smaller = all[index] ?? larger;
    const added = larger.monitors - smaller.monitors;
    const per = (of: (run: MonitorsRun) => number, scale: number, digits: number): string =>
      ((scale * (of(larger.second) - of(smaller.second))) / added).toFixed(digits);
    const requests = per(({ requests: { public: out, state } }) => sum(out) + sum(state), 1, 3);
    return (
      `From ${count(smaller.monitors)} to ${count(larger.monitors)}, each monitor adds to run 2: ` +
      `${per(({ cost }) => cost.wallMs, 1, 2)} ms wall, ${per(({ cost }) => cost.cpuMs, 1, 2)} ms CPU, ` +
      `${per(({ cost }) => cost.peakBytes, 1e-3, 2)} kB of peak memory, ${per(stateBytes, 1, 0)} bytes of state, ${requests} requests.`
    );
  });
}

function describePhases({ monitors, first, second }: Sized): readonly string[] {
  return [first, second].map(({ phases }, index) => {
    const parts = [
      ["start, registry, shards", phases.prepareMs],
      ["services", phases.servicesMs],
      ["checks", phases.checksMs],
      ["anchors", phases.anchorsMs],
      ["publishing and state", phases.publishMs],
      ["exit", phases.exitMs],
    ] as const;
    const times = parts.map(([what, ms]) => `${what} ${(ms / 1_000).toFixed(2)} s`);
    return `${count(monitors)}, run ${index + 1}: ${times.join(", ")}.`;
  });
}

function describeRequests({ monitors, first, second }: Sized): readonly string[] {
  return [first, second].map(({ requests, postponedBadges }, index) => {
    const write = (store: "public" | "state"): string => {
      const kinds = Object.entries(requests[store]).filter(([, times]) => times > 0);
      return `${store} ${kinds.map(([kind, times]) => `${count(times)} ${kind}`).join(", ")}`;
    };
    const late =
      postponedBadges === 0 ? "" : `; ${postponedBadges} badges postponed to the next run`;
    return `${count(monitors)}, run ${index + 1}, requests: ${write("public")}; ${write("state")}${late}.`;
  });
}

function figure(what: string, value: number, unit: string, digits: number): Figure {
  return { what, values: [value], unit, digits };
}

function perSecond({ healthy, phases }: MonitorsRun): number {
  return (healthy * 1_000) / phases.checksMs;
}

function cpuPerCheck(monitors: number, { cost }: MonitorsRun): number {
  return cost.cpuMs / monitors;
}

function stateBytes({ readBytes, writtenBytes }: MonitorsRun): number {
  return readBytes + writtenBytes;
}

function stateMb(run: MonitorsRun): number {
  return stateBytes(run) / MB;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}

function count(value: number): string {
  return value.toLocaleString("en");
}
