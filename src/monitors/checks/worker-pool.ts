import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { SkipReason } from "../../model/probe-outcome.ts";
import type { ProbeConfig } from "../../probe/probe-config.ts";
import { WorkerHandle, type WorkerExit } from "./worker-handle.ts";
import type { ConcurrencyLimits } from "./messages.ts";
import { planGroups, type HostGroup } from "./group-by-host.ts";
import type { CheckTarget } from "./check-target.ts";

/** The built worker. A run from sources needs it too, because tsx does not translate the entry of a thread. */
export const WORKER_URL: URL = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/program/worker.js" : "worker.js",
  import.meta.url,
);

export interface WorkerPoolOptions {
  /** Entry of a worker thread: `WORKER_URL`. */
  readonly workerUrl: URL;
  /** Concurrent checks, in all threads together. */
  readonly concurrency: number;
  /** Largest number of worker threads; there is one for every started 500 targets. */
  readonly threads: number;
  /** Offsets of the confirming checks from the end of the first, milliseconds, ascending. */
  readonly confirmDelaysMs: readonly number[];
  /** Ends everything within a second; its reason is the `SkipReason`. */
  readonly signal: AbortSignal;
  /** Time for all checks, milliseconds from the call; the rest is skipped. */
  readonly deadlineMs: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with a sentence about a failed thread: the run continues without it. */
  readonly onWarning?: (message: string) => void;
}

/** A thread takes some 50 ms to start, as long as a few dozen checks. */
const TARGETS_PER_THREAD = 500;

/** One confirming check may run for this many first checks. */
const CONFIRMING_SHARE = 4;

/** Threads that replace crashed ones, in one run. */
const MAX_REPLACEMENTS = 8;

/** Time for the last message of a thread that was told to stop. */
const GRACE_MS = 500;

/**
 * Checks monitors in worker threads, each host in one lane. Every target gets a result: it is skipped if it was not done at the
 * signal or the deadline, not confirmed, or lost with a crashed thread. No target makes it throw.
 */
export async function checkMonitors(
  targets: readonly CheckTarget[],
  config: ProbeConfig,
  options: WorkerPoolOptions,
): Promise<ReadonlyMap<string, CheckResult>> {
  const startMs = performance.now();
  const groups = await planGroups(targets, Math.random);
  const verdicts = new Map<string, CheckResult>();
  if (!options.signal.aborted && targets.length > 0) {
    const crew = new WorkerPool(groups, targets.length, config, options, verdicts);
    await crew.work(options.deadlineMs - (performance.now() - startMs));
  }
  for (const { id } of targets) if (!verdicts.has(id)) verdicts.set(id, { kind: "skipped" });
  return verdicts;
}

class WorkerPool {
  readonly #groups: readonly HostGroup[];
  readonly #total: number;
  readonly #config: ProbeConfig;
  readonly #options: WorkerPoolOptions;
  readonly #verdicts: Map<string, CheckResult>;
  readonly #pace: ConcurrencyLimits;
  readonly #threads: number;
  readonly #hands = new Set<WorkerHandle>();
  #next = 0;
  #replacements = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    groups: readonly HostGroup[],
    total: number,
    config: ProbeConfig,
    options: WorkerPoolOptions,
    verdicts: Map<string, CheckResult>,
  ) {
    this.#groups = groups;
    this.#total = total;
    this.#config = config;
    this.#options = options;
    this.#verdicts = verdicts;
    const { threads, concurrency } = options;
    this.#threads = Math.min(threads, concurrency, Math.ceil(total / TARGETS_PER_THREAD));
    const each = Math.floor(concurrency / this.#threads);
    const confirmations = Math.max(1, Math.floor(each / CONFIRMING_SHARE));
    const lanes = Math.max(1, each - confirmations);
    this.#pace = { lanes, confirmations, confirmDelaysMs: options.confirmDelaysMs };
  }

  /** Resolves when every thread has ended. */
  async work(deadlineMs: number): Promise<void> {
    const { signal } = this.#options;
    const onAbort = (): void => this.#stop(signal.reason === "aborted" ? "aborted" : "deadline");
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => this.#stop("deadline"), Math.max(0, deadlineMs));
    await Promise.all(Array.from({ length: this.#threads }, () => this.#employ()));
    clearTimeout(timer);
    clearTimeout(this.#grace);
    signal.removeEventListener("abort", onAbort);
  }

  /** One slot of the pool: if its thread crashes, another one replaces it. */
  async #employ(): Promise<void> {
    for (;;) {
      const end = await this.#runHand();
      if (end.crash === undefined) return;
      const isWorkLeft = this.#next < this.#groups.length;
      const mayReplace = isWorkLeft && end.hasBegun && this.#replacements < MAX_REPLACEMENTS;
      this.#options.onWarning?.(describeCrash(end.crash, end));
      if (!mayReplace) return;
      this.#replacements += 1;
    }
  }

  async #runHand(): Promise<WorkerExit> {
    const hand = new WorkerHandle(
      this.#options.workerUrl,
      { config: this.#config, pace: this.#pace },
      {
        onVerdicts: (verdicts) => {
          for (const [id, verdict] of verdicts) this.#verdicts.set(id, verdict);
          if (verdicts.length > 0) this.#options.onProgress?.(this.#verdicts.size, this.#total);
        },
        takeWork: (targets) => this.#take(targets),
      },
    );
    this.#hands.add(hand);
    const end = await hand.ended;
    this.#hands.delete(hand);
    return end;
  }

  #take(targets: number): readonly HostGroup[] {
    const from = this.#next;
    for (let count = 0; count < targets && this.#next < this.#groups.length; this.#next += 1)
      count += this.#groups[this.#next]?.length ?? 0;
    return this.#groups.slice(from, this.#next);
  }

  #stop(reason: SkipReason): void {
    this.#next = this.#groups.length;
    for (const hand of this.#hands) hand.stop(reason);
    this.#grace ??= setTimeout(() => {
      for (const hand of this.#hands) hand.terminate();
    }, GRACE_MS);
  }
}

function describeCrash({ message }: Error, { hasBegun, unfinished }: WorkerExit): string {
  return hasBegun
    ? `A thread that checks monitors has crashed (${message}): ${unfinished.size} monitors are skipped in this run.`
    : `A thread that checks monitors could not start (${message}): monitors that no other thread checks are skipped in this run.`;
}
