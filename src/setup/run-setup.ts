import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Catalogue } from "../model/service/catalogue.ts";
import { SECOND_MS } from "../model/time.ts";
import type { RunDependencies, RunOptions } from "../pipeline/run/run.ts";
import { toSlot } from "../monitors/uptime/time-slots.ts";
import { type PublisherEngineFlags, readEngine } from "./engine-options.ts";
import { parseHeartbeatUrl } from "./heartbeat.ts";
import { type Io, type PublishFlags, sleep } from "./io.ts";
import { type ExchangeFlags, openExchangeSource } from "./exchange-source.ts";
import { type ProbeFlags, readProbeConfig } from "./read-probe-config.ts";
import { createProbeSource, type Probes } from "./probe-source.ts";
import { readPublishSettings } from "./publish-settings.ts";
import {
  type Confirmation,
  ifGiven,
  collectProblems,
  parseAt,
  parseConcurrency,
  parseConfirm,
  parseDeadline,
  parseLine,
  parseLogMode,
} from "./parse-options.ts";

/** Connections to one host at once. Source: docs/probe/measurement.md. */
const PACE = { perHost: 2 } as const;

/** Options of `run` and `watch`. */
export interface RunFlags extends PublishFlags, ProbeFlags, PublisherEngineFlags, ExchangeFlags {
  readonly concurrency: string;
  readonly monitorConcurrency: string;
  readonly confirm: string;
  readonly deadline: string;
  readonly line: string;
  readonly only?: readonly string[];
  readonly heartbeatUrl?: string;
  readonly metricsFile?: string;
}

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

/** Parses the options of a run. Throws one `UsageError` with every problem. */
export async function prepareRun(flags: RunFlags, io: Io): Promise<RunSetup> {
  const collector = collectProblems();
  const { unwrap, addProblem, throwIfAny } = collector;
  const publishing = await readPublishSettings(flags, collector);
  const concurrency = unwrap(parseConcurrency("--concurrency", flags.concurrency));
  const atOnce = unwrap(parseConcurrency("--monitor-concurrency", flags.monitorConcurrency));
  const confirmation = unwrap(parseConfirm(flags.confirm));
  const deadlineMs = unwrap(parseDeadline(flags.deadline));
  const line = unwrap(parseLine(flags.line)) ?? "hosting";
  const heartbeatUrl = unwrap(ifGiven(flags.heartbeatUrl, parseHeartbeatUrl));
  const atMs = unwrap(ifGiven(flags.at, parseAt));
  const probeConfig = unwrap(await readProbeConfig(flags, io));
  const readExchange = unwrap(await openExchangeSource(flags));
  const engine = unwrap(await readEngine(flags));
  unwrap(ifGiven(flags.log, parseLogMode));
  for (const problem of unknownSlugs(flags.only, publishing.catalogue)) addProblem(problem);
  throwIfAny();
  if (
    publishing.ready === undefined ||
    !concurrency ||
    !atOnce ||
    !confirmation ||
    deadlineMs === undefined ||
    !probeConfig ||
    !readExchange ||
    !engine
  ) {
    throw new TypeError("a setting without a value and without a problem");
  }
  const slotNow = (): number => toSlot(atMs ?? io.wallMs());
  const used = engine === "none" ? {} : { engine: { ...engine, slotNow, deadlineMs } };
  const settings = { concurrency: atOnce, confirmDelaysMs: confirmation.confirmDelaysMs, ...used };
  const probes = createProbeSource(probeConfig, settings, () => readProbeConfig(flags, io));
  return {
    deps: {
      ...publishing.ready.setup,
      ...probes.first,
      readExchange,
      line,
      sleep,
      watchLag,
    },
    options: { ...PACE, concurrency, ...confirmation, deadlineMs, only: flags.only ?? [] },
    atMs,
    heartbeatUrl,
    metricsFile: flags.metricsFile,
    renewProbes: probes.renew,
    warnings: [...publishing.ready.warnings, ...warnOfDeadline(confirmation, deadlineMs)],
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
