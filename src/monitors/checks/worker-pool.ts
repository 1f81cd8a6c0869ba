import { Worker } from "node:worker_threads";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { SkipReason } from "../../model/probe-outcome.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";
import type { ProbeConfig } from "../../probe/probe-config.ts";
import { type CheckTarget, type HostGroup, planGroups } from "./check-target.ts";
import { type FromWorker, paceOf, type ToWorker, type WorkerSetup } from "./messages.ts";

/** The built worker. A run from sources needs it too, because tsx does not translate the entry of a thread. */
export const WORKER_URL: URL = new URL("dist/program/worker.js", PROGRAM_FOLDER);

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
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with a sentence about a failed thread: the run continues without it. */
  readonly onWarning?: (message: string) => void;
}

/** A thread takes some 50 ms to start, as long as a few dozen checks. */
const TARGETS_PER_THREAD = 500;

/** Threads that replace crashed ones, in one run. */
const MAX_REPLACEMENTS = 8;

/** Time for the last message of a thread that was told to stop. */
const GRACE_MS = 500;

/** Heap of one worker. Bodies are outside of it; a hundred checks need a few megabytes. */
const MAX_HEAP_MB = 384;

/** Checks monitors in threads, each host in one lane. What is not done in time, or lost with a thread, is skipped. Never throws. */
export async function checkMonitors(
  targets: readonly CheckTarget[],
  config: ProbeConfig,
  options: WorkerPoolOptions,
): Promise<ReadonlyMap<string, CheckResult>> {
  const groups = await planGroups(targets, Math.random);
  const verdicts = new Map<string, CheckResult>();
  if (!options.signal.aborted && targets.length > 0)
    await new WorkerPool(groups, targets.length, config, options, verdicts).work();
  for (const { id } of targets) if (!verdicts.has(id)) verdicts.set(id, { kind: "skipped" });
  return verdicts;
}

class WorkerPool {
  readonly #groups: readonly HostGroup[];
  readonly #total: number;
  readonly #options: WorkerPoolOptions;
  readonly #verdicts: Map<string, CheckResult>;
  readonly #setup: WorkerSetup;
  readonly #threads: number;
  readonly #hands = new Set<WorkerHand>();
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
    this.#options = options;
    this.#verdicts = verdicts;
    const { threads, concurrency, confirmDelaysMs } = options;
    this.#threads = Math.min(threads, concurrency, Math.ceil(total / TARGETS_PER_THREAD));
    this.#setup = { config, pace: paceOf(concurrency, this.#threads, confirmDelaysMs) };
  }

  /** Resolves when every thread has ended. */
  async work(): Promise<void> {
    const { signal } = this.#options;
    const onAbort = (): void => this.#stop(signal.reason === "aborted" ? "aborted" : "deadline");
    signal.addEventListener("abort", onAbort, { once: true });
    await Promise.all(Array.from({ length: this.#threads }, () => this.#employ()));
    clearTimeout(this.#grace);
    signal.removeEventListener("abort", onAbort);
  }

  /** One slot of the pool: if its thread crashes, another one replaces it. */
  async #employ(): Promise<void> {
    for (;;) {
      const { workerUrl, onWarning } = this.#options;
      const hand = new WorkerHand(workerUrl, this.#setup, this);
      this.#hands.add(hand);
      const end = await hand.ended;
      this.#hands.delete(hand);
      if (end.crash === undefined) return;
      onWarning?.(describeCrash(end.crash, end));
      const isWorkLeft = this.#next < this.#groups.length;
      if (!isWorkLeft || !end.hasBegun || this.#replacements >= MAX_REPLACEMENTS) return;
      this.#replacements += 1;
    }
  }

  /** Results arrived; none in the first message. */
  keep(verdicts: FromWorker["verdicts"]): void {
    for (const [id, verdict] of verdicts) this.#verdicts.set(id, verdict);
    if (verdicts.length > 0) this.#options.onProgress?.(this.#verdicts.size, this.#total);
  }

  /** The next groups; none if there are no more. */
  takeWork(targets: number): readonly HostGroup[] {
    const from = this.#next;
    for (let count = 0; count < targets && this.#next < this.#groups.length; this.#next += 1)
      count += this.#groups[this.#next]?.length ?? 0;
    return this.#groups.slice(from, this.#next);
  }

  #stop(reason: SkipReason): void {
    this.#next = this.#groups.length;
    for (const hand of this.#hands) hand.send({ kind: "stop", reason });
    this.#grace = setTimeout(() => {
      for (const hand of this.#hands) hand.terminate();
    }, GRACE_MS);
  }
}

interface WorkerExit {
  readonly crash: Error | undefined;
  /** False: it could not start, so another one would not either. */
  readonly hasBegun: boolean;
  /** Ids of targets that it received without returning a result. */
  readonly unfinished: ReadonlySet<string>;
}

/** One worker thread, and the targets that it received. It exits once it was told to stop and has sent all results. */
class WorkerHand {
  readonly ended: Promise<WorkerExit>;
  readonly #worker: Worker;
  readonly #lanes: number;
  readonly #pool: WorkerPool;
  readonly #held = new Set<string>();
  #hasBegun = false;
  #isDismissed = false;

  constructor(workerUrl: URL, setup: WorkerSetup, pool: WorkerPool) {
    this.#lanes = setup.pace.lanes;
    this.#pool = pool;
    this.#worker = new Worker(workerUrl, {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#worker.on("message", (message: FromWorker) => this.#receive(message));
    this.ended = new Promise((resolve) => {
      let crash: Error | undefined;
      this.#worker.on("error", (error) => (crash = error));
      this.#worker.on("exit", (code) => {
        if (!this.#isDismissed) crash ??= new Error(`it ended by itself with code ${code}`);
        resolve({ crash, hasBegun: this.#hasBegun, unfinished: this.#held });
      });
    });
  }

  terminate(): void {
    this.#isDismissed = true;
    void this.#worker.terminate();
  }

  send(message: ToWorker): void {
    this.#worker.postMessage(message, []);
  }

  #receive({ verdicts, backlog, isLast }: FromWorker): void {
    this.#hasBegun = true;
    for (const [id] of verdicts) this.#held.delete(id);
    this.#pool.keep(verdicts);
    const groups = backlog < this.#lanes ? this.#pool.takeWork(2 * this.#lanes) : [];
    for (const { id } of groups.flat()) this.#held.add(id);
    if (groups.length > 0) this.send({ kind: "work", groups });
    if (isLast || this.#held.size === 0) this.terminate();
  }
}

function describeCrash({ message }: Error, { hasBegun, unfinished }: WorkerExit): string {
  return hasBegun
    ? `A thread that checks monitors has crashed (${message}): ${unfinished.size} monitors are skipped in this run.`
    : `A thread that checks monitors could not start (${message}): monitors that no other thread checks are skipped in this run.`;
}
