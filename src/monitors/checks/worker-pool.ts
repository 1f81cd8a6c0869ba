import { Worker } from "node:worker_threads";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import { builtThread } from "../../model/program-folder.ts";
import type { ProbeConfig } from "../../probe/probe-config.ts";
import { type CheckTarget, type HostGroup, planGroups } from "./check-target.ts";
import { type FromWorker, paceOf, type ToWorker, type WorkerSetup } from "./messages.ts";

export const WORKER_URL: URL = builtThread("worker");

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
  readonly onProgress?: (done: number) => void;
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

/** The part of the heap for new objects. Without this limit a thread takes 25 MB more (45 MB with Node 24), and is not faster. */
const MAX_YOUNG_HEAP_MB = 8;

/** Checks monitors in threads, each host in one lane. What is not done in time, or lost with a thread, is skipped. Never throws. */
export async function checkMonitors(
  targets: readonly CheckTarget[],
  config: ProbeConfig,
  options: WorkerPoolOptions,
): Promise<ReadonlyMap<string, CheckResult>> {
  const groups = await planGroups(targets, Math.random);
  const verdicts = new Map<string, CheckResult>();
  const keep: Work["keep"] = (found) => {
    for (const [id, verdict] of found) verdicts.set(id, verdict);
    if (found.length > 0) options.onProgress?.(verdicts.size);
  };
  if (!options.signal.aborted && targets.length > 0)
    await checkInThreads(groups, targets.length, config, options, keep);
  for (const { id } of targets) if (!verdicts.has(id)) verdicts.set(id, { kind: "skipped" });
  return verdicts;
}

/** What threads share. */
interface Work {
  /** Results arrived; none in the first message. */
  readonly keep: (verdicts: FromWorker["verdicts"]) => void;
  /** Takes the next groups. The list is empty when all are taken. */
  readonly take: (targets: number) => readonly HostGroup[];
}

/** Resolves when every thread has ended. */
async function checkInThreads(
  groups: readonly HostGroup[],
  total: number,
  config: ProbeConfig,
  options: WorkerPoolOptions,
  keep: Work["keep"],
): Promise<void> {
  const { signal, workerUrl, concurrency, confirmDelaysMs, onWarning } = options;
  const threads = Math.min(options.threads, concurrency, Math.ceil(total / TARGETS_PER_THREAD));
  const setup = { config, pace: paceOf(concurrency, threads, confirmDelaysMs) };
  const hands = new Set<ReturnType<typeof startHand>>();
  let [next, replacements] = [0, 0];
  let grace: NodeJS.Timeout | undefined;
  const take: Work["take"] = (targets) => {
    const from = next;
    for (let count = 0; count < targets && next < groups.length; next += 1)
      count += groups[next]?.length ?? 0;
    return groups.slice(from, next);
  };
  // One slot of the pool: if its thread crashes, another one replaces it.
  const employ = async (): Promise<void> => {
    for (;;) {
      const hand = startHand(workerUrl, setup, { keep, take });
      hands.add(hand);
      const end = await hand.ended;
      hands.delete(hand);
      if (end === "dismissed") return;
      onWarning?.(end.problem);
      // One that could not start would not start the next time either.
      if (next >= groups.length || !end.hasBegun || replacements >= MAX_REPLACEMENTS) return;
      replacements += 1;
    }
  };
  const stop = (): void => {
    next = groups.length;
    const reason = signal.reason === "aborted" ? "aborted" : "deadline";
    for (const hand of hands) hand.send({ kind: "stop", reason });
    grace = setTimeout(() => {
      for (const hand of hands) hand.terminate();
    }, GRACE_MS);
  };
  signal.addEventListener("abort", stop, { once: true });
  await Promise.all(Array.from({ length: threads }, employ));
  clearTimeout(grace);
  signal.removeEventListener("abort", stop);
}

/** One worker thread, and the targets that it received. It exits once it was told to stop and has sent all results. */
function startHand(workerUrl: URL, setup: WorkerSetup, { keep, take }: Work) {
  const { lanes } = setup.pace;
  const held = new Set<string>();
  let [hasBegun, isDismissed] = [false, false];
  const terminate = (): void => {
    isDismissed = true;
    void thread.terminate();
  };
  const thread = startThread(workerUrl, setup, ({ verdicts, backlog, isLast }) => {
    hasBegun = true;
    for (const [id] of verdicts) held.delete(id);
    keep(verdicts);
    const groups = backlog < lanes ? take(2 * lanes) : [];
    for (const { id } of groups.flat()) held.add(id);
    if (groups.length > 0) thread.send({ kind: "work", groups });
    if (isLast || held.size === 0) terminate();
  });
  const ended = thread.ended.then((why) => {
    if (isDismissed) return "dismissed";
    const problem = hasBegun
      ? `A thread that checks monitors has crashed (${why}): ${held.size} monitors are skipped in this run.`
      : `A thread that checks monitors could not start (${why}): monitors that no other thread checks are skipped in this run.`;
    return { hasBegun, problem };
  });
  return { ended, send: thread.send, terminate };
}

/** Starts a thread that checks monitors, with a bounded heap. */
export function startThread(url: URL, setup: WorkerSetup, onMessage: (told: FromWorker) => void) {
  const worker = new Worker(url, {
    workerData: setup,
    resourceLimits: {
      maxOldGenerationSizeMb: MAX_HEAP_MB,
      maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB,
    },
  });
  worker.on("message", onMessage);
  let problem: string | undefined;
  worker.on("error", ({ message }) => (problem = message));
  return {
    send: (message: ToWorker): void => worker.postMessage(message, []),
    terminate: () => worker.terminate(),
    /** Resolves with the cause, in words, once the thread has ended. */
    ended: new Promise<string>((resolve) =>
      worker.on("exit", (code) => resolve(problem ?? `it ended by itself with code ${code}`)),
    ),
  };
}
