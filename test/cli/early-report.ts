import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect } from "vitest";
import { type RunningCli, until } from "./cli.ts";
import { closeGate, isFree, LONGEST_MS, openStartLab, type StartLab } from "./start-lab.ts";

/**
 * Sends a report to an intake that starts, and is held up by its store; then lets `go` decide what becomes of the start. Expects the
 * status, with `Retry-After` if it is 503.
 */
export async function expectEarlyReport(
  go: (openStore: () => void, running: RunningCli) => void,
  status: 202 | 503,
  atEnd: StartLab["atEnd"],
): Promise<void> {
  const lab = await openStartLab(atEnd);
  const { reached, open } = closeGate(lab.s3, "GET state/intake-secret.bin");
  const running = lab.start("intake");
  await reached;
  const health = await fetch(`http://127.0.0.1:${lab.operationsPort}/healthz`);
  expect([health.status, await health.json()]).toEqual([503, { error: "starting" }]);
  const report = request(`http://127.0.0.1:${lab.port}/report/alpha`, {
    method: "POST",
    agent: false,
    // The server says so when it has the head of the request.
    headers: { Expect: "100-continue", "Content-Length": "0" },
  });
  report.flushHeaders();
  await once(report, "continue");
  report.end();
  go(open, running);
  const [answer]: IncomingMessage[] = await once(report, "response");
  answer?.resume();
  expect(answer?.statusCode).toBe(status);
  expect(answer?.headers["retry-after"]).toBe(status === 503 ? "5" : undefined);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
  await until("the port is free", () => isFree(lab.port), LONGEST_MS);
}
