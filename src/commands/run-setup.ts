import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Catalogue } from "../model/catalogue.ts";
import { SECOND_MS } from "../model/time.ts";
import type { RunDependencies, RunOptions } from "../run.ts";
import { parseHeartbeatUrl } from "./heartbeat.ts";
import type { Io, RunFlags } from "./io.ts";
import { readNetworks } from "./networks.ts";
import { readProbeConfig } from "./probe-config.ts";
import { createProbeSource, type Probes } from "./probe-source.ts";
import { readRelease } from "./release-setup.ts";
import {
  type Confirmation,
  ifGiven,
  openChecklist,
  parseAt,
  parseConcurrency,
  parseConfirm,
  parseDeadline,
  parseLogMode,
} from "./settings.ts";
import { sleep } from "./sleep.ts";

/** Connections to one host at once. Source: docs/measurement.md. */
const PACE = { perHost: 2 } as const;

/** A run that is ready to start: everything was read and checked. */
export interface RunSetup {
  readonly deps: Omit<RunDependencies, "emit">;
  readonly options: Omit<RunOptions, "startMs" | "isReplay" | "stop">;
  /** Time given by `--at`. */
  readonly atMs: number | undefined;
  /** Requested after each valid run. */
  readonly heartbeatUrl: string | undefined;
  /** Written after each run that published. */
  readonly metricsFile: string | undefined;
  /** Probes as the files of their settings say by now. What is wrong with these is told once, and changes nothing. Never rejects. */
  readonly renewProbes: (warn: (message: string) => void) => Promise<Probes>;
  /** Settings that work, but not as somebody may think. */
  readonly warnings: readonly string[];
}

/** Reads and checks everything that a run is told. Throws one `UsageError` with every problem found. */
export async function prepareRun(flags: RunFlags, io: Io): Promise<RunSetup> {
  const checklist = openChecklist();
  const { take, note, settle } = checklist;
  const release = await readRelease(flags, checklist);
  const concurrency = take(parseConcurrency("--concurrency", flags.concurrency));
  const atOnce = take(parseConcurrency("--monitor-concurrency", flags.monitorConcurrency));
  const confirmation = take(parseConfirm(flags.confirm));
  const deadlineMs = take(parseDeadline(flags.deadline));
  const heartbeatUrl = take(ifGiven(flags.heartbeatUrl, parseHeartbeatUrl));
  const atMs = take(ifGiven(flags.at, parseAt));
  const probeConfig = take(await readProbeConfig(flags, io));
  take(ifGiven(flags.log, parseLogMode));
  for (const problem of unknownSlugs(flags.only, release.catalogue)) note(problem);
  settle();
  if (
    release.ready === undefined ||
    !concurrency ||
    !atOnce ||
    !confirmation ||
    deadlineMs === undefined ||
    !probeConfig
  ) {
    throw new TypeError("a setting without a value and without a problem");
  }
  const { confirmDelaysMs } = confirmation;
  const probes = createProbeSource(probeConfig, { concurrency: atOnce, confirmDelaysMs }, () =>
    readProbeConfig(flags, io),
  );
  return {
    deps: {
      ...release.ready.setup,
      ...probes.first,
      networkOf: await readNetworks(),
      sleep,
      watchLag,
    },
    options: { ...PACE, concurrency, ...confirmation, deadlineMs, only: flags.only ?? [] },
    atMs,
    heartbeatUrl,
    metricsFile: flags.metricsFile,
    renewProbes: probes.renew,
    warnings: [...release.ready.warnings, ...warnOfDeadline(confirmation, deadlineMs)],
  };
}

function unknownSlugs(
  only: readonly string[] | undefined,
  catalogue: Catalogue | undefined,
): readonly string[] {
  if (catalogue === undefined) return [];
  const known = new Set(catalogue.services.map(({ slug }) => slug));
  return (only ?? [])
    .filter((slug) => !known.has(slug))
    .map((slug) => `--only ${slug}: there is no such service in the catalogue.`);
}

/** A failure that cannot be confirmed in time is never told, so the service would end as `none` instead of `fail`. */
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

/** How late timers typically are, by which the run tells its own slowness from that of the services. */
function watchLag(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  histogram.enable();
  return () => {
    histogram.disable();
    const p90Ms = histogram.percentile(90) / 1e6;
    return Math.max(0, p90Ms - LAG_RESOLUTION_MS);
  };
}
