import { availableParallelism } from "node:os";
import type { DispatchSettings } from "../engine/dispatch.ts";
import { checkMonitors, WORKER_URL } from "../monitors/checks/worker-pool.ts";
import type { CheckMonitors } from "../pipeline/run/measure-monitors.ts";
import { createExperiment } from "../probe/experiment.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/probe-config.ts";
import { createProbe } from "../probe/probe.ts";
import type { RunDependencies } from "../pipeline/run/run.ts";
import type { Parsed } from "./parse-options.ts";

/** How a run probes services and checks monitors. */
export type Probes = Pick<RunDependencies, "probe" | "experiment" | "checkMonitors">;

/** Settings of checks that do not change while a command runs. */
export interface CheckSettings {
  /** Checks of monitors at once. */
  readonly concurrency: number;
  readonly confirmDelaysMs: readonly number[];
  /** Absent: they are made in threads of this process. */
  readonly engine?: DispatchSettings;
}

/**
 * Probes whose rules and certificates can be read again from their files. Invalid settings leave the previous ones in use, and are logged
 * once. `renew` never rejects.
 */
export function createProbeSource(
  first: ProbeConfig,
  settings: CheckSettings,
  readConfig: () => Promise<Parsed<ProbeConfig>>,
): {
  readonly first: Probes;
  readonly renew: (warn: (message: string) => void) => Promise<Probes>;
} {
  let config = first;
  const built = build(config, settings);
  let probes = built;
  let warnedProblem = "";
  return {
    first: built,
    renew: async (warn) => {
      const read = await readConfig();
      if ("problem" in read) {
        if (read.problem !== warnedProblem)
          warn(`The settings of the probes stay as they were. ${read.problem}`);
        warnedProblem = read.problem;
        return probes;
      }
      warnedProblem = "";
      if (JSON.stringify(read.value) === JSON.stringify(config)) return probes;
      config = read.value;
      probes = build(config, settings);
      return probes;
    },
  };
}

function build(config: ProbeConfig, settings: CheckSettings): Probes {
  const dependencies = buildProbeDependencies(config);
  return {
    probe: createProbe(dependencies),
    experiment: createExperiment(dependencies),
    checkMonitors: createChecks(config, settings),
  };
}

/** Checks in worker threads, one for each core at most, or by workers elsewhere. */
function createChecks(
  config: ProbeConfig,
  { concurrency, confirmDelaysMs, engine }: CheckSettings,
): CheckMonitors {
  if (engine !== undefined)
    return async (targets, signal, observer) => {
      // Without an engine its client is not even loaded.
      const { checkThroughEngine } = await import("../engine/dispatch.ts");
      return checkThroughEngine(targets, engine, signal, observer);
    };
  return (targets, signal, observer) =>
    checkMonitors(targets, config, {
      workerUrl: WORKER_URL,
      concurrency,
      threads: availableParallelism(),
      confirmDelaysMs,
      signal,
      onProgress: observer.onProgress,
      onWarning: observer.onWarning,
    });
}
