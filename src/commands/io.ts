import type { CatalogueFlags } from "./catalogue-file.ts";

/** What a command may touch of its process. Built once, in `cli.ts`. */
export interface Io {
  /** Results, and nothing else. */
  readonly print: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly setEnv: (name: string, value: string) => void;
  /** The wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
  /** Aborted with the reason `aborted` by SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
}

/** 0 published, 1 could not complete, 2 to be mended by the user, 3 the runner is offline. */
export type ExitCode = 0 | 1 | 2 | 3;

/*
 * Options of the command line as commander hands them over: text, or lists of text, or absent.
 */

/** What decides which URLs a monitor may have. */
export interface MonitorRulesFlags {
  readonly allowPrivate?: readonly string[];
  readonly allowPort?: readonly string[];
}

/** What every command takes that publishes. */
export interface ReleaseFlags extends MonitorRulesFlags, CatalogueFlags {
  readonly monitors?: string;
  readonly badgeLanguage: string;
  readonly baseUrl?: string;
  readonly store: string;
  readonly state: string;
  readonly maxRemovals: string;
  readonly force?: boolean;
  readonly audit?: boolean;
  readonly at?: string;
  readonly log?: string;
}

export interface RunFlags extends ReleaseFlags {
  readonly concurrency: string;
  readonly monitorConcurrency: string;
  readonly confirm: string;
  readonly deadline: string;
  readonly dns?: string;
  readonly connectTo?: readonly string[];
  readonly extraCa?: string;
  readonly only?: readonly string[];
  readonly heartbeatUrl?: string;
  readonly metricsFile?: string;
}
