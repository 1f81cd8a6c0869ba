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

/** Options of the command line as commander hands them over: text, or lists of text, or absent. */
export interface RunFlags {
  readonly catalogue: string;
  readonly store: string;
  readonly state: string;
  readonly concurrency: string;
  readonly confirm: string;
  readonly deadline: string;
  readonly dns?: string;
  readonly connectTo?: readonly string[];
  readonly extraCa?: string;
  readonly allowPrivate?: readonly string[];
  readonly only?: readonly string[];
  readonly maxRemovals: string;
  readonly force?: boolean;
  readonly audit?: boolean;
  readonly heartbeatUrl?: string;
  readonly at?: string;
  readonly log?: string;
}
