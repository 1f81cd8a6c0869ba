import { availableParallelism } from "node:os";
import type { EngineAddress } from "../engine/connection.ts";
import type { Anchor } from "../model/service/catalogue.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/probe-config.ts";
import { createProbe, type Probe } from "../probe/probe.ts";
import type { Io } from "./io.ts";
import {
  collectProblems,
  ifGiven,
  parseConcurrency,
  parseConfirm,
  parseLogMode,
} from "./parse-options.ts";
import { DEFAULT_ANCHORS, readAnchors } from "./anchor-options.ts";
import {
  DEFAULT_VANTAGE,
  type EngineFlags,
  parseVantageNames,
  readEngineAddress,
} from "./engine-options.ts";
import { type ProbeFlags, readProbeConfig } from "./read-probe-config.ts";

/** Options of `worker`. */
export interface WorkerFlags extends ProbeFlags, EngineFlags {
  readonly vantage?: string;
  readonly monitorConcurrency: string;
  readonly threads?: string;
  readonly confirm: string;
  readonly anchor?: readonly string[];
  readonly log?: string;
}

/** The checked settings of a worker. */
export interface WorkerCommandSetup {
  readonly address: EngineAddress;
  readonly vantage: string;
  readonly config: ProbeConfig;
  readonly probe: Probe;
  readonly anchors: readonly Anchor[];
  readonly concurrency: number;
  readonly threads: number;
  readonly confirmDelaysMs: readonly number[];
}

/** Parses the options of a worker. Throws one `UsageError` with every problem. */
export async function prepareWorker(flags: WorkerFlags, io: Io): Promise<WorkerCommandSetup> {
  const { unwrap, addProblem, throwIfAny } = collectProblems();
  const address = unwrap(await readEngineAddress(flags));
  if (flags.engine === undefined) addProblem("--engine is missing: give the URL of the server.");
  const names = unwrap(parseVantageNames("--vantage", [flags.vantage ?? DEFAULT_VANTAGE]));
  const concurrency = unwrap(parseConcurrency("--monitor-concurrency", flags.monitorConcurrency));
  const threads = unwrap(ifGiven(flags.threads, (text) => parseConcurrency("--threads", text)));
  const confirmation = unwrap(parseConfirm(flags.confirm));
  const anchors = unwrap(readAnchors("--anchor", flags.anchor ?? DEFAULT_ANCHORS));
  const config = unwrap(await readProbeConfig(flags, io));
  unwrap(ifGiven(flags.log, parseLogMode));
  throwIfAny();
  const [vantage] = names ?? [];
  if (!address || vantage === undefined || !concurrency || !confirmation || !anchors || !config)
    throw new TypeError("a setting without a value and without a problem");
  return {
    address,
    vantage,
    config,
    probe: createProbe(buildProbeDependencies(config)),
    anchors,
    concurrency,
    threads: threads ?? availableParallelism(),
    confirmDelaysMs: confirmation.confirmDelaysMs,
  };
}
