import { BlockList } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openIntakePorts } from "../../src/intake/intake-ports.ts";
import { ListenError } from "../../src/http-server/listen.ts";
import { findFreePort } from "../free-port.ts";
import { holdPort, isFree } from "../cli/start-harness.ts";
import { openClient } from "../http-server/raw-client.ts";
import { startHarness } from "../reports/intake/harness.ts";

const OPTIONS = {
  host: "127.0.0.1",
  port: 0,
  operationsPort: 0,
  proxies: new BlockList(),
};

async function openPorts() {
  const ports = await openIntakePorts(OPTIONS);
  onTestFinished(ports.close);
  return ports;
}

const report = (url: string): Promise<Response> =>
  fetch(`${url}/report/sberbank`, { method: "POST" });

test("if the second port is in use, the first one is freed at once", async () => {
  const taken = await holdPort(0);
  onTestFinished(taken.close);
  const port = await findFreePort();
  const opening = openIntakePorts({ ...OPTIONS, port, operationsPort: taken.port });
  await expect(opening).rejects.toThrow(ListenError);
  expect(await isFree(port)).toBe(true);
});

test("reports wait for the intake, and health and metrics say that it starts", async () => {
  const { intake } = await startHarness();
  const ports = await openPorts();
  const url = ports.operations?.url ?? "";
  const early = report(ports.reports.url);
  for (const path of ["/healthz", "/metrics"]) {
    const answer = await fetch(`${url}${path}`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ error: "starting" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  }
  ports.serve(intake);
  expect((await early).status).toBe(202);
  expect((await report(ports.reports.url)).status).toBe(202);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("a report that waits for an intake that never comes is refused", async () => {
  const ports = await openPorts();
  const answer = report(ports.reports.url);
  // It has to arrive before the port is closed.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await ports.close();
  expect((await answer).status).toBe(503);
});

test("connections are counted by the intake, also those from before it", async () => {
  const { intake } = await startHarness();
  const ports = await openPorts();
  const early = await openClient(ports.reports.url);
  ports.serve(intake);
  const shown = async (): Promise<string> =>
    (await fetch(`${ports.operations?.url ?? ""}/metrics`)).text();
  await expect.poll(shown).toMatch(/^status_snapshot_intake_connections 1$/mu);
  const refused = 'status_snapshot_intake_refused_total{reason="bad-request"}';
  expect(await shown()).toContain(`${refused} 0\n`);
  early.send("what?\r\n\r\n");
  await expect.poll(shown).toContain(`${refused} 1\n`);
});

test("without operationsPort there is no such port", async () => {
  const ports = await openIntakePorts({ ...OPTIONS, operationsPort: undefined });
  onTestFinished(ports.close);
  expect(ports.operations).toBe(undefined);
});

test("closing twice is allowed, and frees both ports", async () => {
  const ports = await openPorts();
  await Promise.all([ports.close(), ports.close()]);
  await ports.close();
  for (const url of [ports.reports.url, ports.operations?.url ?? ""]) {
    expect(await isFree(Number(new URL(url).port))).toBe(true);
  }
});
