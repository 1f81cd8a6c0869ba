import { availableParallelism } from "node:os";
import { checkMonitors, WORKER_URL } from "../checks/crew.ts";
import type { CheckMonitors } from "../look-monitors.ts";
import { DAY_MS } from "../model/time.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/config.ts";
import { createProbe } from "../probe/probe.ts";
import type { RunDependencies } from "../run.ts";
import type { Parsed } from "./settings.ts";

/** What a run looks with: at services, and at monitors. */
export type Probes = Pick<RunDependencies, "probe" | "checkMonitors">;

/** Settings of all probes that never change while a command runs. */
export interface CheckSettings {
  /** Checks of monitors under way at once. */
  readonly concurrency: number;
  readonly confirmDelaysMs: readonly number[];
}

/**
 * Probes by what is told of them at the time of asking: rules and certificates lie in files. Settings that cannot be used any more
 * leave those before, and are told once. Asked never, they are those of the beginning. Never rejects.
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
  let told = "";
  return {
    first: built,
    renew: async (warn) => {
      const read = await readConfig();
      if ("problem" in read) {
        if (read.problem !== told)
          warn(`The settings of the probes stay as they were. ${read.problem}`);
        told = read.problem;
        return probes;
      }
      told = "";
      if (JSON.stringify(read.value) === JSON.stringify(config)) return probes;
      config = read.value;
      probes = build(config, settings);
      return probes;
    },
  };
}

function build(config: ProbeConfig, settings: CheckSettings): Probes {
  return {
    probe: createProbe(buildProbeDependencies(config)),
    checkMonitors: createChecks(config, settings),
  };
}

/** Checks in worker threads, one for each core at most. */
function createChecks(
  config: ProbeConfig,
  { concurrency, confirmDelaysMs }: CheckSettings,
): CheckMonitors {
  return (targets, signal, told) =>
    checkMonitors(targets, config, {
      workerUrl: WORKER_URL,
      concurrency,
      threads: availableParallelism(),
      confirmDelaysMs,
      signal,
      // The signal comes with the deadline of the run.
      deadlineMs: DAY_MS,
      onProgress: told.onProgress,
      onWarning: told.onWarning,
    });
}
