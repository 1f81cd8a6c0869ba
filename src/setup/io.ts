import type { CatalogueFlags } from "./files/catalogue-file.ts";
import type { TruthFlags } from "./files/truth-file.ts";
import type { SiteFlags } from "./site-settings.ts";
import { setTimeout as delay } from "node:timers/promises";

/** The process as commands see it. Built once, in `cli.ts`. */
export interface Io {
  /** Prints results, and nothing else. */
  readonly print: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly setEnv: (name: string, value: string) => void;
  /** The wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
  /** How long a run draws pictures; undefined: as long as is good for most. */
  readonly pictureBudgetMs?: number;
  /** Aborted with the reason `aborted` by SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** Kills a program that was started in a process group of its own, and all that it has started. */
  readonly killGroup: (pid: number) => void;
}

/* Options as commander passes them: text, or lists of text, or absent. */

/** Options that decide which URLs a monitor may have. */
export interface MonitorRulesFlags {
  readonly allowPrivate?: readonly string[];
  readonly allowPort?: readonly string[];
}

/** Options of every command that publishes. */
export interface PublishFlags extends MonitorRulesFlags, CatalogueFlags, TruthFlags, SiteFlags {
  readonly monitors?: string;
  /** `n/K`. */
  readonly cell?: string;
  /** False with `--no-services`. */
  readonly services?: boolean;
  readonly badgeLanguage: string;
  readonly keepArchive: string;
  readonly baseUrl?: string;
  readonly store: string;
  readonly state: string;
  readonly maxRemovals: string;
  readonly force?: boolean;
  readonly audit?: boolean;
  readonly at?: string;
  readonly log?: string;
}

/** Resolves after `ms`, or early on abort; the caller checks the signal. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
