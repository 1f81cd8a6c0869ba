import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type { CheckVerdict } from "../model/monitor.ts";
import { buildProbeDependencies, buildUrlGuard } from "../probe/config.ts";
import { createProbe } from "../probe/probe.ts";
import { Lanes } from "./lanes.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./messages.ts";

/** Verdicts are sent together: so many, or those of so much time. */
const BATCH = 256;
const BATCH_MS = 50;

/** Checks what it is handed until it is told to stop, or terminated. Entry of a worker thread, see `checkMonitors`. */
function serve(port: MessagePort, { config, pace }: WorkerSetup): void {
  const stop = new AbortController();
  // Hundreds of probes listen to it: that is no leak.
  setMaxListeners(0, stop.signal);
  let verdicts: (readonly [string, CheckVerdict])[] = [];
  let timer: NodeJS.Timeout | undefined;
  let hasAsked = false;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const isLast = stop.signal.aborted && lanes.busy === 0;
    const message: FromWorker = { verdicts, backlog: lanes.backlog, isLast };
    verdicts = [];
    port.postMessage(message);
    // Those that were cut short end within moments.
    if (stop.signal.aborted && !isLast) timer = setTimeout(flush, BATCH_MS);
  };

  const lanes = new Lanes({
    probe: createProbe({
      ...buildProbeDependencies(config),
      refusalOfUrl: buildUrlGuard(config),
    }),
    pace,
    signal: stop.signal,
    sleep: (ms) => delay(ms),
    now: () => performance.now(),
    report(id, verdict) {
      verdicts.push([id, verdict]);
      if (verdicts.length >= BATCH) flush();
      else timer ??= setTimeout(flush, BATCH_MS);
    },
    // Verdicts may be long in coming, when everything waits for its confirmation: nobody shall wait for them.
    onLow() {
      if (hasAsked) return;
      hasAsked = true;
      setImmediate(flush);
    },
  });

  port.on("message", (message: ToWorker) => {
    if (message.kind === "work") {
      hasAsked = false;
      return lanes.add(message.groups);
    }
    stop.abort(message.reason);
    flush();
  });
  flush();
}

// Whoever starts this file gives it a `WorkerSetup`: see `Hand`.
const setup: WorkerSetup = workerData;
if (parentPort !== null) serve(parentPort, setup);
