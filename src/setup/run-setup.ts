import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { DispatchSettings } from "../engine/dispatch.ts";
import type { Emit } from "../model/run-event.ts";
import { SECOND_MS } from "../model/time.ts";
import { checkMonitors, WORKER_URL } from "../monitors/checks/worker-pool.ts";
import type { VantageExchange } from "../pipeline/run/hear-vantages.ts";
import type { CheckMonitors } from "../pipeline/run/measurement.ts";
import type { AskBrowser } from "../probe/browser/browser-opinion.ts";
import { openBrowserPool } from "../probe/browser/open-browser.ts";
import { createExperiment } from "../probe/experiment.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/probe-config.ts";
import { PER_HOST } from "../probe/pool.ts";
import { createProbe } from "../probe/probe.ts";
import { locationsOverlap } from "../store/location.ts";
import { unlessAbsent } from "../model/errors.ts";
import { parseVantages } from "../vantages/parse-vantages.ts";
import { findService } from "./files/catalogue-file.ts";
import { describeProblems, describeReadError } from "./files/named-files.ts";
import type { RunDependencies } from "../pipeline/run/run.ts";
import { toSlot } from "../monitors/uptime/time-slots.ts";
import { readEngine } from "./engine-options.ts";
import { type Io, sleep } from "./io.ts";
import type { Flags, RunFlags } from "./options/options.ts";
import { DEFAULT_VANTAGES } from "./options/shared-options.ts";
import type { Parsed, ProblemCollector } from "./parse-options.ts";
import { readPublishSettings } from "./publish-settings.ts";
import { readProbeConfig } from "./read-probe-config.ts";
import { openChecked } from "./stores.ts";

/** The checked settings of a run. */
export type RunSetup = Awaited<ReturnType<typeof prepareRun>>;

/**
 * Reads the files that the options of a run name. `warnings` are of settings that work, but may not have the intended effect. Throws one
 * `UsageError` with every problem.
 */
export async function prepareRun(flags: RunFlags, problems: ProblemCollector, io: Io) {
  const { atMs, only, concurrency, confirmation, deadlineMs } = flags;
  const publishing = await readPublishSettings(flags, problems);
  for (const slug of only) {
    const found = publishing.catalogue && findService(slug, publishing.catalogue);
    if (found && "problem" in found) problems.addProblem(`--only ${found.problem}`);
  }
  const { probeConfig, readExchange, engine } = problems.settle({
    probeConfig: await readProbeConfig(flags, io),
    readExchange: await openExchangeSource(flags, problems),
    engine: await readEngine(flags, problems),
  });
  const { setup, warnings } = publishing.ready();
  const slotNow = (): number => toSlot(atMs ?? io.wallMs());
  const checks = {
    ...flags,
    engine: engine && { ...engine, slotNow },
    ask: flags.isBrowserAsked ? await openBrowserPool() : undefined,
  };
  const probes = createProbeSource(probeConfig, checks, () => readProbeConfig(flags, io));
  return {
    deps: { ...setup, ...probes.first, readExchange, line: flags.line, sleep, watchLag },
    options: { perHost: PER_HOST, ...confirmation, concurrency, deadlineMs, only },
    renewProbes: probes.renew,
    warnings: [...warnings, ...warningsOf(flags)],
  };
}

/** After it the anchors are probed for 22 s at most, then comes the publish. Source: deploy/systemd/status-snapshot.service. */
const MAX_DEADLINE_S = 260;

function warningsOf({ confirmation, deadlineMs, metricsFile }: RunFlags): readonly string[] {
  const { confirmDelaysMs, doubtDelayMs } = confirmation;
  const lastS = (doubtDelayMs ?? confirmDelaysMs.at(-1) ?? 0) / SECOND_MS;
  const deadlineS = deadlineMs / SECOND_MS;
  const tooLate = `deadline ${deadlineS}: the anchors and the publish come after it, and the units kill a run after 290 s. Give at most ${MAX_DEADLINE_S}.`;
  // A failure that cannot be confirmed in time is never published, so the service would become `none` instead of `fail`.
  const tooEarly = `confirm ends ${lastS} s after a failure, but deadline comes at ${deadlineS} s: no new failure can be confirmed. Raise deadline, or shorten confirm.`;
  return [
    ...(deadlineS > MAX_DEADLINE_S ? [tooLate] : []),
    ...(lastS >= deadlineS ? [tooEarly] : []),
    ...(metricsFile === undefined || metricsFile.endsWith(".prom")
      ? []
      : [`metricsFile ${metricsFile}: node_exporter reads only files whose names end with .prom.`]),
  ];
}

const LAG_RESOLUTION_MS = 20;

/** The typical delay of timers, which separates slowness of the runner from that of the services. */
function watchLag(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  histogram.enable();
  return () => {
    histogram.disable();
    const p90Ms = histogram.percentile(90) / 1e6;
    return Math.max(0, p90Ms - LAG_RESOLUTION_MS);
  };
}

type ReadExchange = (emit: Emit) => Promise<VantageExchange | undefined>;

/**
 * Opens the exchange with the vantages of `vantages`, or of the default file if it exists. The file is read again for
 * each run; an edit that makes it invalid is logged, and the vantages stay as they were.
 */
async function openExchangeSource(
  flags: Flags<"exchange" | "store" | "state">,
  { isWrong }: Pick<ProblemCollector, "isWrong">,
): Promise<Parsed<ReadExchange>> {
  const { exchange: url } = flags;
  const file = flags.vantages ?? DEFAULT_VANTAGES;
  const first = await readVantages(file, flags.vantages !== undefined);
  if ("problem" in first) return first;
  if (url === undefined)
    return first.value === undefined || isWrong("exchange")
      ? { value: () => Promise.resolve(undefined) }
      : {
          problem: `vantages ${file}: name the store in which the vantages meet the runner, as exchange.`,
        };
  if (first.value === undefined)
    return {
      problem: `exchange ${url}: ${DEFAULT_VANTAGES} does not exist. Name their file as vantages.`,
    };
  for (const other of ["store", "state"] as const)
    if (locationsOverlap(url, flags[other]))
      return {
        problem: `exchange ${url} and --${other} ${flags[other]} overlap: vantages may write to the exchange, keep it elsewhere.`,
      };
  const store = await openChecked(url, "exchange");
  let vantages = first.value;
  return {
    value: async (emit) => {
      const read = await readVantages(file, true);
      if ("problem" in read) {
        const message = `The vantages stay as they were. ${read.problem}`;
        emit({ event: "exchange-failed", message });
      } else vantages = read.value ?? vantages;
      return { vantages, store, newAskId: () => randomUUID() };
    },
  };
}

/** Undefined if the file is missing, which is allowed. */
async function readVantages(
  file: string,
  isNeeded: boolean,
): Promise<Parsed<VantageExchange["vantages"] | undefined>> {
  const reading: Promise<Uint8Array | undefined> = readFile(file);
  const source = await (isNeeded ? reading : unlessAbsent(reading)).catch(describeReadError);
  if (source === undefined) return { value: undefined };
  if ("problem" in source) return { problem: `vantages ${file}: ${source.problem}` };
  const parsed = parseVantages(source);
  if (parsed.kind === "ok") return { value: parsed.vantages };
  return { problem: describeProblems(file, parsed.problems).join("\n") };
}

/** How a run probes services and checks monitors. */
type Probes = Pick<RunDependencies, "probe" | "experiment" | "browser" | "checkMonitors">;

type CheckSettings = Pick<RunFlags, "monitorConcurrency" | "confirmation"> & {
  /** Undefined: no browser is asked. */
  readonly ask: AskBrowser | undefined;
  /** Undefined: monitors are checked in threads of this process. */
  readonly engine: DispatchSettings | undefined;
};

/**
 * Probes whose rules and certificates can be read again from their files. Invalid settings leave the previous ones in use, and are logged
 * once. `renew` never rejects.
 */
function createProbeSource(
  first: ProbeConfig,
  settings: CheckSettings,
  readConfig: () => Promise<Parsed<ProbeConfig>>,
) {
  let config = first;
  let probes = build(config, settings);
  let warnedProblem = "";
  return {
    first: probes,
    renew: async (warn: (message: string) => void): Promise<Probes> => {
      const read = await readConfig();
      const problem = "problem" in read ? read.problem : "";
      if (problem !== "" && problem !== warnedProblem)
        warn(`The settings of the probes stay as they were. ${problem}`);
      warnedProblem = problem;
      if ("value" in read && JSON.stringify(read.value) !== JSON.stringify(config)) {
        config = read.value;
        probes = build(config, settings);
      }
      return probes;
    },
  };
}

function build(config: ProbeConfig, settings: CheckSettings): Probes {
  const { ask } = settings;
  const dependencies = buildProbeDependencies(config);
  return {
    probe: createProbe(dependencies),
    experiment: createExperiment(dependencies),
    ...(ask && { browser: { ask, connectTo: dependencies.connectTo } }),
    checkMonitors: createChecks(config, settings),
  };
}

/** Checks in worker threads, one for each core at most, or by workers elsewhere. */
function createChecks(
  config: ProbeConfig,
  { monitorConcurrency: concurrency, confirmation, engine }: CheckSettings,
): CheckMonitors {
  if (engine !== undefined)
    return async (targets, ...when) => {
      // Without an engine its client is not even loaded.
      const { checkThroughEngine } = await import("../engine/dispatch.ts");
      return checkThroughEngine(targets, engine, ...when);
    };
  return (targets, signal, observer) =>
    checkMonitors(targets, config, {
      workerUrl: WORKER_URL,
      concurrency,
      threads: availableParallelism(),
      confirmDelaysMs: confirmation.confirmDelaysMs,
      signal,
      ...observer,
    });
}
