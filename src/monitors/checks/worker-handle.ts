import { Worker } from "node:worker_threads";
import type { SkipReason } from "../../model/probe-outcome.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./messages.ts";
import type { HostGroup } from "./group-by-host.ts";

/** Heap of one worker. Bodies are outside of it; a hundred checks need a few megabytes. */
const MAX_HEAP_MB = 384;

export interface HandEvents {
  /** Results arrived; none in the first message. */
  readonly onVerdicts: (verdicts: FromWorker["verdicts"]) => void;
  /** The next groups; none if there are no more. */
  readonly takeWork: (targets: number) => readonly HostGroup[];
}

/** How a worker ended. */
export interface WorkerExit {
  /** The error that ended it early. */
  readonly crash: Error | undefined;
  /** False: it could not start, so another one would not either. */
  readonly hasBegun: boolean;
  /** Ids of targets that it received without returning a result. */
  readonly unfinished: ReadonlySet<string>;
}

/** One worker thread, and the targets that it received. */
export class WorkerHandle {
  readonly ended: Promise<WorkerExit>;
  readonly #worker: Worker;
  readonly #lanes: number;
  readonly #events: HandEvents;
  readonly #held = new Set<string>();
  #hasBegun = false;
  #isDismissed = false;

  constructor(workerUrl: URL, setup: WorkerSetup, events: HandEvents) {
    this.#lanes = setup.pace.lanes;
    this.#events = events;
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

  /** Ends active checks; the worker exits once it has sent their results. */
  stop(reason: SkipReason): void {
    this.#send({ kind: "stop", reason });
  }

  /** Terminates the thread. */
  terminate(): void {
    this.#isDismissed = true;
    void this.#worker.terminate();
  }

  #receive({ verdicts, backlog, isLast }: FromWorker): void {
    this.#hasBegun = true;
    for (const [id] of verdicts) this.#held.delete(id);
    this.#events.onVerdicts(verdicts);
    if (backlog < this.#lanes) this.#handOut();
    if (isLast || this.#held.size === 0) this.terminate();
  }

  #handOut(): void {
    const groups = this.#events.takeWork(2 * this.#lanes);
    if (groups.length === 0) return;
    for (const { id } of groups.flat()) this.#held.add(id);
    this.#send({ kind: "work", groups });
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message, []);
  }
}
