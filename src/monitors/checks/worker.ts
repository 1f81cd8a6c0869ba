import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import { createProbe } from "../../probe/probe.ts";
import { HostQueues } from "./host-queues.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./messages.ts";

/** Results are sent in batches of this size, or after this time. */
const BATCH = 256;
const BATCH_MS = 50;

/** Checks the targets that it receives until it is told to stop, or terminated. Entry of a worker thread, see `checkMonitors`. */
function serve(port: MessagePort, { config, pace }: WorkerSetup): void {
  const stop = new AbortController();
  let verdicts: (readonly [string, CheckResult])[] = [];
  let timer: NodeJS.Timeout | undefined;
  let hasAsked = false;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const isLast = stop.signal.aborted && queues.busy === 0;
    const message: FromWorker = { verdicts, backlog: queues.backlog, isLast };
    verdicts = [];
    port.postMessage(message);
    // Aborted checks end within moments.
    if (stop.signal.aborted && !isLast) timer = setTimeout(flush, BATCH_MS);
  };

  const queues = new HostQueues({
    probe: createProbe({ ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) }),
    pace,
    signal: stop.signal,
    sleep: (ms) => delay(ms),
    now: () => performance.now(),
    report(id, verdict) {
      verdicts.push([id, verdict]);
      if (verdicts.length >= BATCH) flush();
      else timer ??= setTimeout(flush, BATCH_MS);
    },
    // Results may take long if every monitor waits for its confirmation, so the pool should not wait for them.
    onLow() {
      if (hasAsked) return;
      hasAsked = true;
      setImmediate(flush);
    },
  });

  port.on("message", (message: ToWorker) => {
    if (message.kind === "work") {
      hasAsked = false;
      return queues.add(message.groups);
    }
    stop.abort(message.reason);
    flush();
  });
  flush();
}

// Started with a `WorkerSetup`: see `checkMonitors`.
const setup: WorkerSetup = workerData;
if (parentPort !== null) serve(parentPort, setup);
