import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { onTestFinished, test, expect } from "vitest";
import type { FromWorker, ToWorker, WorkerSetup } from "../../../src/monitors/checks/messages.ts";
import { WORKER_URL } from "../../../src/monitors/checks/worker-pool.ts";
import { PLAIN_CONFIG } from "./run-pool.ts";

const SETUP: WorkerSetup = {
  config: PLAIN_CONFIG,
  pace: { lanes: 2, confirmations: 2, confirmDelaysMs: [] },
};

async function startWorker() {
  const worker = new Worker(WORKER_URL, { workerData: SETUP });
  onTestFinished(async () => void (await worker.terminate()));
  const next = async (): Promise<FromWorker> => (await once(worker, "message"))[0] as FromWorker;
  const send = (message: ToWorker): void => worker.postMessage(message, []);
  const first = await next();
  return { first, next, send };
}

test("a worker asks for targets at its start, and answers a stop while it has none", async () => {
  const { first, next, send } = await startWorker();
  expect(first).toEqual({ verdicts: [], backlog: 0, isLast: false });
  send({ kind: "stop", reason: "deadline" });
  expect(await next()).toEqual({ verdicts: [], backlog: 0, isLast: true });
});

test("a worker that is told to stop sends the results of a batch that is not full", async () => {
  const { next, send } = await startWorker();
  const target = { id: "odd", url: "file:///etc/passwd", lastState: "healthy", wasHealthy: true };
  send({ kind: "work", groups: [[{ ...target, lastState: "healthy" as const }]] });
  send({ kind: "stop", reason: "deadline" });
  const verdicts = [];
  for (let isLast = false; !isLast;) {
    const message = await next();
    verdicts.push(...message.verdicts);
    ({ isLast } = message);
  }
  expect(verdicts.map(([id]) => id)).toEqual(["odd"]);
});
