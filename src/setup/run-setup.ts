import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Catalogue } from "../model/service/catalogue.ts";
import { SECOND_MS } from "../model/time.ts";
import type { RunDependencies, RunOptions } from "../pipeline/run/run.ts";
import { toSlot } from "../monitors/uptime/time-slots.ts";
import { readEngine } from "./engine-options.ts";
import { openExchangeSource } from "./exchange-source.ts";
import { type Io, sleep } from "./io.ts";
import type { RunFlags } from "./options/options.ts";
import type { Confirmation } from "./options/schemas.ts";
import type { ProblemCollector } from "./parse-options.ts";
import { createProbeSource, type Probes } from "./probe-source.ts";
import { readPublishSettings } from "./publish-settings.ts";
import { readProbeConfig } from "./read-probe-config.ts";

/** Connections to one host at once. Source: docs/probe/measurement.md. */
const PACE = { perHost: 2 } as const;

/** The checked settings of a run. */
export interface RunSetup {
  readonly deps: Omit<RunDependencies, "emit">;
  readonly options: Omit<RunOptions, "startMs" | "isReplay" | "stop">;
  /** The value of `--at`. */
  readonly atMs: number | undefined;
  /** Requested after each valid run. */
  readonly heartbeatUrl: string | undefined;
  /** Written after each run that published. */
  readonly metricsFile: string | undefined;
  /** Reads the settings of the probes again. Invalid ones are logged once and change nothing. Never rejects. */
  readonly renewProbes: (warn: (message: string) => void) => Promise<Probes>;
  /** Settings that work, but may not have the intended effect. */
  readonly warnings: readonly string[];
}

/** Reads the files that the options of a run name. Throws one `UsageError` with every problem. */
export async function prepareRun(
  flags: RunFlags,
  problems: ProblemCollector,
  io: Io,
): Promise<RunSetup> {
  const { atMs, confirmation, deadlineMs } = flags;
  const publishing = await readPublishSettings(flags, problems);
  for (const problem of unknownSlugs(flags.only, publishing.catalogue))
    problems.addProblem(problem);
  const { probeConfig, readExchange, engine } = problems.settle({
    probeConfig: await readProbeConfig(flags, io),
    readExchange: await openExchangeSource(flags, problems),
    engine: await readEngine(flags, problems),
  });
  const { setup, warnings } = publishing.ready();
  const slotNow = (): number => toSlot(atMs ?? io.wallMs());
  const checks = {
    concurrency: flags.monitorConcurrency,
    confirmDelaysMs: confirmation.confirmDelaysMs,
    ...(engine && { engine: { ...engine, slotNow, deadlineMs } }),
  };
  const probes = createProbeSource(probeConfig, checks, () => readProbeConfig(flags, io));
  return {
    deps: { ...setup, ...probes.first, readExchange, line: flags.line, sleep, watchLag },
    options: {
      ...PACE,
      ...confirmation,
      concurrency: flags.concurrency,
      deadlineMs,
      only: flags.only,
    },
    atMs,
    heartbeatUrl: flags.heartbeatUrl,
    metricsFile: flags.metricsFile,
    renewProbes: probes.renew,
    warnings: [...warnings, ...warnOfDeadline(confirmation, deadlineMs)],
  };
}

function unknownSlugs(
  only: readonly string[],
  catalogue: Catalogue | undefined,
): readonly string[] {
  if (catalogue === undefined) return [];
  const known = new Set(catalogue.services.map(({ slug }) => slug));
  return only
    .filter((slug) => !known.has(slug))
    .map((slug) => `--only ${slug}: there is no such service in the catalogue.`);
}

/** A failure that cannot be confirmed in time is never published, so the service would become `none` instead of `fail`. */
function warnOfDeadline(
  { confirmDelaysMs, doubtDelayMs }: Confirmation,
  deadlineMs: number,
): readonly string[] {
  const lastMs = doubtDelayMs ?? confirmDelaysMs.at(-1) ?? 0;
  if (lastMs < deadlineMs) return [];
  return [
    `--confirm ends ${lastMs / SECOND_MS} s after a failure, but --deadline comes at ${deadlineMs / SECOND_MS} s: no new failure can be confirmed. Raise --deadline or shorten --confirm.`,
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
