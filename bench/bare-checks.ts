import { once } from "node:events";
import { createSecureContext } from "node:tls";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { getBarely, getByNodeHttp } from "./bare-client.ts";
import { hostOf } from "./monitor-workspace.ts";

/*
 * A bundled program: `bare-checks.ts CLIENT PORT CHECKS CONCURRENCY THREADS WARM_UP`. Exchanges with the sites of the benchmark of
 * monitors by Node alone, in as many threads as a run has: the least that a check by Node can cost. A client is `bare`, or `http` for
 * Node's own. Prints exchanges per second, and milliseconds of CPU for each, both without the start of the threads and the exchanges
 * of each thread before it counts (WARM_UP).
 */

/** Of the answer of `monitor-targets.ts`. */
const BODY_BYTES = 2_000;

interface Share {
  readonly client: string;
  readonly port: number;
  readonly checks: number;
  readonly concurrency: number;
  readonly warmUp: number;
}

async function exchange({ client, port, concurrency }: Share, checks: number): Promise<void> {
  const context = createSecureContext();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < checks) {
      next += 1;
      const host = hostOf(next);
      if (client === "http") await getByNodeHttp(host, port, context);
      else await getBarely(host, port, context, BODY_BYTES, true);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Entry of a thread: tells when it is ready, and exchanges its share when it is told to. */
async function serve(share: Share): Promise<void> {
  await exchange(share, share.warmUp);
  parentPort?.postMessage("ready", []);
  if (parentPort !== null) await once(parentPort, "message");
  await exchange(share, share.checks);
  parentPort?.close();
}

async function main([client = "", ...numbers]: readonly string[]): Promise<void> {
  const [port = 0, checks = 0, concurrency = 1, count = 1, warmUp = 0] = numbers.map(Number);
  const share: Share = {
    client,
    port,
    checks: Math.ceil(checks / count),
    concurrency: Math.ceil(concurrency / count),
    warmUp,
  };
  const workers = Array.from({ length: count }, () => {
    return new Worker(fileURLToPath(import.meta.url), { workerData: share });
  });
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const [cpuBefore, startMs] = [process.cpuUsage(), performance.now()];
  const exits = workers.map((worker) => once(worker, "exit"));
  for (const worker of workers) worker.postMessage("begin", []);
  await Promise.all(exits);
  const { user, system } = process.cpuUsage(cpuBefore);
  const done = share.checks * count;
  const perSecond = (done * 1_000) / (performance.now() - startMs);
  process.stdout.write(`${JSON.stringify({ perSecond, cpuMs: (user + system) / 1_000 / done })}\n`);
}

// Started with a `Share`, by `main`.
if (isMainThread) await main(process.argv.slice(2));
else await serve(workerData as Share);
