import { Worker } from "node:worker_threads";
import type { SkipReason } from "../model/outcome.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./messages.ts";
import type { HostGroup } from "./plan.ts";

/** Heap of one worker. Bodies lie outside of it; a hundred checks need a few megabytes. */
const MAX_HEAP_MB = 384;

export interface HandEvents {
  /** Verdicts came in, none at first. */
  readonly onVerdicts: (verdicts: FromWorker["verdicts"]) => void;
  /** Groups to go on with; none when there are no more. */
  readonly takeWork: (targets: number) => readonly HostGroup[];
}

/** How a worker ended. */
export interface HandEnd {
  /** What made it end before its time. */
  readonly crash: Error | undefined;
  /** False: it could not even begin, and another one would not either. */
  readonly hasBegun: boolean;
  /** Ids of targets that it was handed and told nothing of. */
  readonly unfinished: ReadonlySet<string>;
}

/** One worker thread, and what it was handed. */
export class Hand {
  readonly ended: Promise<HandEnd>;
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

  /** Ends what is under way; the worker goes once it has told of it. */
  stop(reason: SkipReason): void {
    this.#send({ kind: "stop", reason });
  }

  /** Ends the thread, whatever it does. */
  dismiss(): void {
    this.#isDismissed = true;
    void this.#worker.terminate();
  }

  #receive({ verdicts, backlog, isLast }: FromWorker): void {
    this.#hasBegun = true;
    for (const [id] of verdicts) this.#held.delete(id);
    this.#events.onVerdicts(verdicts);
    if (backlog < this.#lanes) this.#handOut();
    if (isLast || this.#held.size === 0) this.dismiss();
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
