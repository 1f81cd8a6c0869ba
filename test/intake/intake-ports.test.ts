import { BlockList } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openIntakePorts } from "../../src/intake/intake-ports.ts";
import { ListenError } from "../../src/http-server/listen.ts";
import { findFreePort } from "../free-port.ts";
import { holdPort, isFree } from "../cli/start-harness.ts";
import { startHarness } from "../reports/intake/harness.ts";

const OPTIONS = {
  host: "127.0.0.1",
  port: 0,
  operationsPort: 0,
  isBehindFront: false,
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
