import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect } from "vitest";
import { type RunningCli, until } from "./cli.ts";
import { closeGate, isFree, MAX_MS, openStartHarness, type StartHarness } from "./start-harness.ts";

/**
 * Sends a report to an intake whose start waits for its store; then `go` decides how the start ends. Expects the status, with
 * `Retry-After` if it is 503.
 */
export async function expectEarlyReport(
  go: (openStore: () => void, running: RunningCli) => void,
  status: 202 | 503,
  atEnd: StartHarness["atEnd"],
): Promise<void> {
  const harness = await openStartHarness(atEnd);
  const { reached, open } = closeGate(harness.s3, "GET state/intake-secret.bin");
  const running = harness.start("intake");
  await reached;
  const health = await fetch(`http://127.0.0.1:${harness.operationsPort}/healthz`);
  expect([health.status, await health.json()]).toEqual([503, { error: "starting" }]);
  const report = request(`http://127.0.0.1:${harness.port}/report/alpha`, {
    method: "POST",
    agent: false,
    // The server answers it when it has the head of the request.
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
  await until("the port is free", () => isFree(harness.port), MAX_MS);
}
