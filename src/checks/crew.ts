import type { CheckVerdict } from "../model/monitor.ts";
import type { SkipReason } from "../model/outcome.ts";
import type { ProbeConfig } from "../probe/config.ts";
import { Hand, type HandEnd } from "./hand.ts";
import type { Pace } from "./messages.ts";
import { planGroups, type HostGroup } from "./plan.ts";
import type { CheckTarget } from "./target.ts";

/** The worker as it was built. From sources too: tsx does not translate what a thread begins with, so a build must be there. */
export const WORKER_URL: URL = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/program/worker.js" : "worker.js",
  import.meta.url,
);

export interface CrewOptions {
  /** Entry of a worker thread: `WORKER_URL`. */
  readonly workerUrl: URL;
  /** Checks under way at once, in all threads together. */
  readonly concurrency: number;
  /** Worker threads at most; there is one for every started 500 targets. */
  readonly threads: number;
  /** Offsets of the confirming checks from the end of the first, milliseconds, ascending. */
  readonly confirmDelaysMs: readonly number[];
  /** Ends everything within a second; its reason is the `SkipReason`. */
  readonly signal: AbortSignal;
  /** Time for everything, milliseconds from the call; what is not done by then is skipped. */
  readonly deadlineMs: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Told in a sentence what went wrong with a thread: the run goes on without it. */
  readonly onWarning?: (message: string) => void;
}

/** A thread takes some 50 ms to start, as long as a few dozen checks. */
const TARGETS_PER_THREAD = 500;

/** One in so many checks under way may be a confirming one. */
const CONFIRMING_SHARE = 4;

/** Threads that are started in place of crashed ones, in one run. */
const MAX_REPLACEMENTS = 8;

/** Time for the last words of a thread that was told to stop. */
const GRACE_MS = 500;

/**
 * Checks monitors in worker threads, each host in one lane. Every target gets a verdict: those not done at the signal or
 * the deadline, not confirmed, or lost with a thread that crashed are skipped. Never throws on account of a target.
 */
export async function checkMonitors(
  targets: readonly CheckTarget[],
  config: ProbeConfig,
  options: CrewOptions,
): Promise<ReadonlyMap<string, CheckVerdict>> {
  const startMs = performance.now();
  const groups = await planGroups(targets, Math.random);
  const verdicts = new Map<string, CheckVerdict>();
  if (!options.signal.aborted && targets.length > 0) {
    const crew = new Crew(groups, targets.length, config, options, verdicts);
    await crew.work(options.deadlineMs - (performance.now() - startMs));
  }
  for (const { id } of targets) if (!verdicts.has(id)) verdicts.set(id, { kind: "skipped" });
  return verdicts;
}

class Crew {
  readonly #groups: readonly HostGroup[];
  readonly #total: number;
  readonly #config: ProbeConfig;
  readonly #options: CrewOptions;
  readonly #verdicts: Map<string, CheckVerdict>;
  readonly #pace: Pace;
  readonly #threads: number;
  readonly #hands = new Set<Hand>();
  #next = 0;
  #replacements = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    groups: readonly HostGroup[],
    total: number,
    config: ProbeConfig,
    options: CrewOptions,
    verdicts: Map<string, CheckVerdict>,
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

  /** Resolves when every thread is gone. */
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

  /** One place in the crew: when its thread crashes, another one takes it. */
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

  async #runHand(): Promise<HandEnd> {
    const hand = new Hand(
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
      for (const hand of this.#hands) hand.dismiss();
    }, GRACE_MS);
  }
}

function describeCrash({ message }: Error, { hasBegun, unfinished }: HandEnd): string {
  return hasBegun
    ? `A thread that checks monitors has crashed (${message}): ${unfinished.size} monitors are skipped in this run.`
    : `A thread that checks monitors could not start (${message}): monitors that no other thread checks are skipped in this run.`;
}
