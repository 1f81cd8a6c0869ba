import { once } from "node:events";
import { createSecureContext } from "node:tls";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { getBarely } from "./bare-client.ts";
import { hostOf } from "./monitor-workspace.ts";

/*
 * A bundled program: `bare-checks.ts PORT CHECKS CONCURRENCY THREADS`. Exchanges with the sites of the benchmark of monitors by bare
 * Node, in as many threads as a run has: the least that a check by Node can cost. Prints exchanges per second, and milliseconds of
 * CPU for each, both without the start of the threads and a warm-up.
 */

/** Of the answer of `monitor-targets.ts`. */
const BODY_BYTES = 2_000;
/** In each thread; by then V8 has compiled what it ever will. */
const WARM_UP = 5_000;

interface Share {
  readonly port: number;
  readonly checks: number;
  readonly concurrency: number;
}

async function exchange({ port, checks, concurrency }: Share): Promise<void> {
  const context = createSecureContext();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < checks) {
      next += 1;
      await getBarely(hostOf(next), port, context, BODY_BYTES, true);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Entry of a thread: tells when it is warm, and exchanges its share when it is told to. */
async function serve(share: Share): Promise<void> {
  await exchange({ ...share, checks: WARM_UP });
  parentPort?.postMessage("warm");
  if (parentPort !== null) await once(parentPort, "message");
  await exchange(share);
  parentPort?.close();
}

async function main([port, checks, concurrency, threads]: readonly number[]): Promise<void> {
  const count = threads ?? 1;
  const share: Share = {
    port: port ?? 0,
    checks: Math.ceil((checks ?? 0) / count),
    concurrency: Math.ceil((concurrency ?? 1) / count),
  };
  const workers = Array.from({ length: count }, () => {
    return new Worker(fileURLToPath(import.meta.url), { workerData: share });
  });
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const [cpuBefore, startMs] = [process.cpuUsage(), performance.now()];
  const exits = workers.map((worker) => once(worker, "exit"));
  for (const worker of workers) worker.postMessage("begin");
  await Promise.all(exits);
  const { user, system } = process.cpuUsage(cpuBefore);
  const done = share.checks * count;
  const perSecond = (done * 1_000) / (performance.now() - startMs);
  process.stdout.write(`${JSON.stringify({ perSecond, cpuMs: (user + system) / 1_000 / done })}\n`);
}

// Started with a `Share`, by `main`.
if (isMainThread) await main(process.argv.slice(2).map(Number));
else await serve(workerData as Share);
