import type { CheckResult } from "../../model/monitor/monitor.ts";
import { sumOf } from "../../model/lists.ts";
import { createSignal } from "../../model/stopping.ts";
import type { ProbeConfig } from "../../probe/probe-config.ts";
import { type CheckTarget, planGroups } from "./check-target.ts";
import { type FromWorker, paceOf, type WorkerSetup } from "./messages.ts";
import { startThread, WORKER_URL, type WorkerPoolOptions } from "./worker-pool.ts";

type CheckCrewSettings = Required<
  Pick<WorkerPoolOptions, "threads" | "concurrency" | "confirmDelaysMs" | "onWarning">
>;

/** Crashes in a row, without a result in between, after which a thread is not replaced. */
const MAX_CRASHES = 8;

export type CheckCrew = ReturnType<typeof createCheckCrew>;

/** Starts threads that stay, for batches that come one after another. */
export function createCheckCrew(config: ProbeConfig, settings: CheckCrewSettings) {
  const { threads, concurrency, confirmDelaysMs, onWarning } = settings;
  const pace = paceOf(concurrency, threads, confirmDelaysMs);
  const hands = Array.from({ length: threads }, () => new CrewHand({ config, pace }, onWarning));
  let batches = 0;
  return {
    /** Checks a batch. What is not done when the signal is aborted has no result. Never rejects. */
    check: async (targets: readonly CheckTarget[], signal: AbortSignal) => {
      batches += 1;
      // A batch that is delivered twice has the same ids.
      const prefix = `${batches} `;
      const named = targets.map((target) => ({ ...target, id: prefix + target.id }));
      const hand = hands.reduce((a, b) => (b.held < a.held ? b : a));
      const found = await hand.check(named, prefix, signal);
      return new Map([...found].map(([id, result]) => [id.slice(prefix.length), result]));
    },
    /** Whether another batch would begin soon. */
    isHungry: () => hands.some(({ backlog }) => backlog < pace.lanes),
    close: async (): Promise<void> => {
      await Promise.all(hands.map((hand) => hand.close()));
    },
  };
}

interface OpenBatch {
  readonly left: Set<string>;
  readonly results: Map<string, CheckResult>;
  readonly end: () => void;
}

/** One thread, replaced when it crashes. */
class CrewHand {
  readonly #setup: WorkerSetup;
  readonly #onWarning: (message: string) => void;
  readonly #batches = new Map<string, OpenBatch>();
  #thread: ReturnType<typeof startThread>;
  #isClosed = false;
  #crashes = 0;
  /** Targets that are not sent yet, and those of the thread that have not begun, as far as is known. */
  #unsent = 0;
  #waiting = 0;

  constructor(setup: WorkerSetup, onWarning: (message: string) => void) {
    this.#setup = setup;
    this.#onWarning = onWarning;
    this.#thread = this.#start();
  }

  /** Targets whose results are missing. A hand that is closed is never the one with the least, nor hungry. */
  get held(): number {
    const batches = [...this.#batches.values()];
    return this.#isClosed ? Infinity : sumOf(batches.map(({ left }) => left.size));
  }

  /** Targets that have not begun. */
  get backlog(): number {
    return this.#isClosed ? Infinity : this.#unsent + this.#waiting;
  }

  async check(
    targets: readonly CheckTarget[],
    prefix: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, CheckResult>> {
    const left = new Set(targets.map(({ id }) => id));
    const results = new Map<string, CheckResult>();
    const [ended, end] = createSignal<void>();
    this.#batches.set(prefix, { left, results, end });
    this.#unsent += targets.length;
    const groups = await planGroups(targets, Math.random);
    this.#unsent -= targets.length;
    // After a crash it is not open any more.
    if (signal.aborted || this.#isClosed || !this.#batches.has(prefix)) {
      this.#batches.delete(prefix);
      return results;
    }
    this.#waiting += targets.length;
    this.#thread.send({ kind: "work", groups });
    signal.addEventListener("abort", () => end(), { once: true });
    await ended;
    return results;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.terminate();
  }

  #start() {
    const thread = startThread(WORKER_URL, this.#setup, (message) => this.#receive(message));
    void thread.ended.then((why) => this.#replace(why));
    return thread;
  }

  #replace(why: string): void {
    if (this.#isClosed) return;
    this.#onWarning(
      `A thread that checks monitors has crashed (${why}): ${this.held} monitors are skipped.`,
    );
    for (const { end } of this.#batches.values()) end();
    this.#batches.clear();
    this.#crashes += 1;
    this.#isClosed = this.#crashes >= MAX_CRASHES;
    this.#waiting = 0;
    if (!this.#isClosed) this.#thread = this.#start();
  }

  #receive({ verdicts, backlog }: FromWorker): void {
    this.#waiting = backlog;
    if (verdicts.length > 0) this.#crashes = 0;
    for (const [id, result] of verdicts) {
      const prefix = id.slice(0, id.indexOf(" ") + 1);
      const batch = this.#batches.get(prefix);
      if (batch === undefined || !batch.left.delete(id)) continue;
      batch.results.set(id, result);
      if (batch.left.size > 0) continue;
      this.#batches.delete(prefix);
      batch.end();
    }
  }
}
