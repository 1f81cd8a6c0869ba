import { monitorEventLoopDelay } from "node:perf_hooks";
import { checkMonitors, type WorkerPoolOptions } from "../../../src/monitors/checks/worker-pool.ts";
import type { PoolOrder, PoolReply } from "./pool-order.ts";

/** Runs the checks of the order in this process, whose handles and growth the reply contains. */
export async function carryOut(order: PoolOrder): Promise<PoolReply> {
  const stop = new AbortController();
  const warnings: string[] = [];
  const progress: number[] = [];
  const { deadlineMs, ...plain } = order.options;
  const options: WorkerPoolOptions = {
    ...plain,
    workerUrl: new URL(order.workerUrl),
    signal: stop.signal,
    onWarning: (message) => void warnings.push(message),
    onProgress: (done) => {
      progress.push(done);
      if (done === order.abortAfterDone) stop.abort("aborted");
    },
  };
  const lag = monitorEventLoopDelay({ resolution: 5 });
  const baseRss = process.memoryUsage.rss();
  let peakRss = baseRss;
  const watch = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 20);
  lag.enable();
  const startMs = performance.now();
  const deadline = setTimeout(() => stop.abort("deadline"), deadlineMs);
  const verdicts = await checkMonitors(order.targets, order.config, options);
  const tookMs = Math.round(performance.now() - startMs);
  clearTimeout(deadline);
  clearInterval(watch);
  lag.disable();
  return {
    verdicts: [...verdicts],
    warnings,
    progress,
    tookMs,
    grownMb: Math.round((peakRss - baseRss) / 2 ** 20),
    lagMs: Math.round(lag.percentile(99) / 1e6),
    handles: process.getActiveResourcesInfo().filter((kind) => !/^(?:Pipe|TTY|FS)/u.test(kind)),
  };
}
