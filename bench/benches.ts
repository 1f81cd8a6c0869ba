import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { encodeState } from "../src/state/codec/state.ts";
import { sumOf } from "../src/model/lists.ts";
import type { Catalogue } from "../src/model/service/catalogue.ts";
import { hostsOf } from "../test/simulated-internet/shipped-catalogue.ts";
import { bundleScript } from "../test/bundle.ts";
import {
  BUNDLES,
  measureCommand,
  measureProgram,
  measureRepeatedly,
  type Cost,
  type Measured,
} from "./command.ts";
import { silenceQuarter, startInternet, type Internet } from "./internet.ts";
import type { Figure, Section } from "./report.ts";
import { imagineSevenDays, measureCore, RUNS, saveSevenDays } from "./seven-days.ts";
import { summarise } from "./statistics.ts";

/** The input of every bench. */
export interface Bench {
  readonly catalogue: Catalogue;
  /** Temporary; removed at the end. */
  readonly folder: string;
}

/** CPU milliseconds per exchange, by round: of our probe, and of the bare client. */
interface ProbeCosts {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  /** Resident memory of the process at its peak. */
  readonly peakKib: number;
}

/** Measured runs of the command line, after one warm-up. */
const TIMES = 5;
const HELP_TIMES = 15;
const ANSWER_DELAY_MS = 200;
/** Attempts at each anchor, at the start and at the end. */
const TRIES = 2;
const MAX_RUNS_TO_SETTLE = 20;
const PROBE_ROUNDS = 5;
const PROBES_PER_ROUND = 1_012;

const MB = 1_000_000;

/** The shortest command: the cost of the start. */
export async function benchHelp(): Promise<Section> {
  const costs = await measureRepeatedly(HELP_TIMES, () => measureCommand(["--help"], {}));
  return {
    title: "Start: status-snapshot --help",
    command: "npm run bench -- help",
    figures: [wall(costs, "ms", 150), peak(costs)],
  };
}

/** The cost of a full history: the size of the state, and the pure part of a run. */
export async function benchHistory({ catalogue }: Bench): Promise<Section> {
  const nowMs = Date.now();
  const startMs = performance.now();
  const bytes = encodeState(imagineSevenDays(catalogue, nowMs));
  const totalMs = performance.now() - startMs;
  const costs = Array.from({ length: TIMES + 1 }, () => measureCore(bytes, catalogue, nowMs));
  const part = (what: string, key: keyof (typeof costs)[number]): Figure => {
    return { what, values: costs.slice(1).map((cost) => cost[key]), unit: "ms", digits: 1 };
  };
  return {
    title: `History: ${RUNS} runs (seven days) of ${catalogue.services.length} services`,
    command: "npm run bench -- history",
    figures: [
      { what: "state on disk", values: [bytes.length / 1000], unit: "kB", digits: 0 },
      part("read it", "decodeMs"),
      part("fold one more run in", "foldMs"),
      part("decide and build 86 documents", "concludeMs"),
      part("write it", "encodeMs"),
    ],
    notes: [`Imagining and folding all ${RUNS} runs took ${(totalMs / 1000).toFixed(1)} s.`],
  };
}

/** The CPU time of an HTTPS probe and the share of our own code: after a warm-up, and in a new process. */
export async function benchProbe({ catalogue, folder }: Bench): Promise<Section> {
  const internet = await startInternet(catalogue, folder, 0);
  const measure = (order: string, rounds: number, probes: number): Promise<ProbeCosts> =>
    measureProbes(internet, catalogue, [order, String(rounds), String(probes)]);
  try {
    const warm = await measure("ours,bare", PROBE_ROUNDS + 1, PROBES_PER_ROUND);
    const cold = { ours: [] as number[], bare: [] as number[], barePeaks: [] as number[] };
    for (let round = 0; round < PROBE_ROUNDS; round += 1) {
      const probes = sumOf(probesInOrder(catalogue));
      cold.ours.push(...(await measure("ours", 1, probes)).ours);
      const { bare, peakKib } = await measure("bare", 1, probes);
      cold.bare.push(...bare);
      cold.barePeaks.push(peakKib * 1024);
    }
    return describeProbe({ ours: warm.ours.slice(1), bare: warm.bare.slice(1) }, cold);
  } finally {
    await internet.server.close();
  }
}

function describeProbe(
  warm: Omit<ProbeCosts, "peakKib">,
  cold: Omit<ProbeCosts, "peakKib"> & { readonly barePeaks: readonly number[] },
): Section {
  const own = warm.ours.map((ms, index) => ms - (warm.bare[index] ?? 0));
  const share = summarise(own).median / summarise(warm.ours).median;
  const ofCpu = (what: string, values: readonly number[]): Figure => {
    return { what, values, unit: "ms", digits: 2 };
  };
  return {
    title: "Probe: CPU of one HTTPS probe that reads 64 KiB, 64 concurrent ones",
    command: "npm run bench -- probe",
    figures: [
      { ...ofCpu("a probe in total", warm.ours), goal: 2 },
      ofCpu("bare net + tls, the same exchange", warm.bare),
      ofCpu("ours", own),
      ofCpu("a probe in total, code not yet compiled", cold.ours),
      ofCpu("bare net + tls, code not yet compiled", cold.bare),
      {
        what: "bare net + tls, peak memory",
        values: cold.barePeaks.map((bytes) => bytes / MB),
        unit: "MB",
        digits: 0,
      },
    ],
    notes: [
      `${(100 * share).toFixed(0)} % of a probe is ours, the rest is Node and OpenSSL.`,
      "Not yet compiled: the first probes of a process, as many as a run makes.",
    ],
  };
}

async function measureProbes(
  internet: Internet,
  catalogue: Catalogue,
  counts: readonly string[],
): Promise<ProbeCosts> {
  const { program, places } = await prepareProbes(internet, catalogue);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...counts, ...places], {
    env: { ...process.env, ...internet.env },
  });
  // `probe-cost.ts` prints exactly this.
  return JSON.parse(stdout) as ProbeCosts;
}

async function prepareProbes({ connectToFile, server }: Internet, catalogue: Catalogue) {
  const program = await bundleScript(new URL("probe-cost.ts", import.meta.url), BUNDLES);
  return { program, places: [connectToFile, String(server.tlsPort), ...hostsOf(catalogue)] };
}

/** A process that makes the exchanges of a run in their order by Node alone, and decides and writes nothing. */
async function runBarely(internet: Internet, catalogue: Catalogue): Promise<Measured> {
  const { program, places } = await prepareProbes(internet, catalogue);
  const counts = ["bare", "1", probesInOrder(catalogue).join(",")];
  return measureProgram(program, [...counts, ...places], internet.env);
}

/** A complete `run` if everything answers: with an empty state, and with a history of seven days. */
export async function benchRuns({ catalogue, folder }: Bench): Promise<Section> {
  const internet = await startInternet(catalogue, folder, ANSWER_DELAY_MS);
  try {
    let count = 0;
    const first = await measureRepeatedly(TIMES, () => {
      count += 1;
      return runInto(join(folder, `first-${count}`), internet);
    });
    const steady = join(folder, "steady");
    await saveSevenDays(catalogue, join(steady, "state"));
    await settle(steady, internet);
    const later = await measureRepeatedly(TIMES, () => runInto(steady, internet));
    const bare = await measureRepeatedly(TIMES, () => runBarely(internet, catalogue));
    let port = 9_000;
    // Each page and each picture contains the base URL.
    const renewed = await measureRepeatedly(TIMES, () =>
      runInto(steady, internet, ["--base-url", `http://127.0.0.1:${(port += 1)}`]),
    );
    const probes = sumOf(probesInOrder(catalogue));
    return {
      title: `Run: ${catalogue.services.length} services, ${probes} probes, answers after ${ANSWER_DELAY_MS} ms, TLS everywhere`,
      command: "npm run bench -- run",
      figures: [
        { ...wall(first, "s", 3), what: "first run, wall" },
        { ...peak(first, 180), what: "first run, peak memory" },
        { ...cpu(first), what: "first run, CPU" },
        { ...wall(later, "s", 3), what: "quiet run after seven days, wall" },
        { ...peak(later, 180), what: "quiet run after seven days, peak memory" },
        { ...cpu(later), what: "quiet run after seven days, CPU" },
        { ...wall(bare, "s"), what: "a bare client with the same probes in their order, wall" },
        { ...peak(bare), what: "a bare client with the same probes in their order, peak memory" },
        { ...cpu(bare), what: "a bare client with the same probes in their order, CPU" },
        {
          ...peak(renewed, 230),
          what: "after seven days, every page and picture new, peak memory",
        },
        { ...cpu(renewed), what: "after seven days, every page and picture new, CPU" },
      ],
      notes: ["CPU includes the start of Node, the modules, and code that is not yet compiled."],
    };
  } finally {
    await internet.server.close();
  }
}

/** A complete `run` if a quarter of the endpoints is silent, as in the previous run. */
export async function benchSilence({ catalogue, folder }: Bench): Promise<Section> {
  const internet = await startInternet(catalogue, folder, ANSWER_DELAY_MS);
  try {
    const silent = await silenceQuarter(internet, catalogue);
    const place = join(folder, "silence");
    // Creates the state that the measured runs find unchanged; a confirmation would only take minutes more.
    await runInto(place, internet, ["--set", "confirm=none"]);
    const costs = await measureRepeatedly(TIMES, () => runInto(place, internet));
    const total = catalogue.services.reduce((sum, service) => sum + service.endpoints.length, 0);
    return {
      title: `Silence: the same with ${silent} of ${total} endpoints dropping packets (TCP, TLS, HTTP), unchanged since the run before`,
      command: "npm run bench -- silence",
      figures: [wall(costs, "s", 25), peak(costs), cpu(costs)],
    };
  } finally {
    await internet.server.close();
  }
}

/** Runs until all pictures are rendered: a run renders for at most two seconds, and the first day needs 85. */
async function settle(folder: string, internet: Internet): Promise<void> {
  for (let times = 0; times < MAX_RUNS_TO_SETTLE; times += 1) {
    const { stderr } = await runInto(folder, internet);
    if (!stderr.includes("badges-postponed")) return;
  }
  throw new Error(`pictures are still missing after ${MAX_RUNS_TO_SETTLE} runs`);
}

/** One `run` with its stores in the folder, on the simulated internet, otherwise with default options. */
function runInto(
  folder: string,
  internet: Internet,
  more: readonly string[] = [],
): Promise<Measured> {
  const stores = [
    "--store",
    `file:${join(folder, "public")}`,
    "--state",
    `file:${join(folder, "state")}`,
  ];
  return measureCommand(["run", ...stores, ...internet.args, ...more], internet.env);
}

/** Of a run without confirmations: the anchors, the endpoints, the anchors again, each after the end of the part before. */
function probesInOrder({ services, anchors }: Catalogue): readonly number[] {
  const round = TRIES * anchors.length;
  const endpoints = sumOf(services.map((service) => service.endpoints.length));
  return [round, endpoints, round];
}

function wall(costs: readonly Cost[], unit: "s" | "ms", goal?: number): Figure {
  const divisor = unit === "s" ? 1000 : 1;
  const values = costs.map(({ wallMs }) => wallMs / divisor);
  return withGoal({ what: "wall", values, unit, digits: unit === "s" ? 2 : 0 }, goal);
}

function peak(costs: readonly Cost[], goal?: number): Figure {
  const values = costs.map(({ peakBytes }) => peakBytes / MB);
  return withGoal({ what: "peak memory", values, unit: "MB", digits: 0 }, goal);
}

function withGoal(figure: Figure, goal: number | undefined): Figure {
  return goal === undefined ? figure : { ...figure, goal };
}

function cpu(costs: readonly Cost[]): Figure {
  return { what: "CPU", values: costs.map(({ cpuMs }) => cpuMs / 1000), unit: "s", digits: 2 };
}
