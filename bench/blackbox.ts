import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { MINUTE_MS } from "../src/model/time.ts";
import { hostOf, type Workspace } from "./monitor-workspace.ts";
import { cpuSecondsOf, startHelper } from "./processes.ts";

const PLACES = ["/usr/bin", "/usr/local/bin"].flatMap((folder) => [
  `${folder}/prometheus-blackbox-exporter`,
  `${folder}/blackbox_exporter`,
]);
const START_TRIES = 100;
const START_PAUSE_MS = 50;
const PROBE_TIMEOUT_MS = 30_000;

/** The cost of checks with the exporter. */
export interface BlackboxCost {
  readonly checks: number;
  readonly perSecond: number;
  /** CPU of the exporter per check. */
  readonly cpuMs: number;
}

/** Lets the exporter check sites. Undefined: it is not installed. Throws if a check fails. */
export async function measureBlackbox(
  workspace: Workspace,
  folder: string,
  checks: number,
  concurrency: number,
): Promise<BlackboxCost | undefined> {
  const program = PLACES.find((path) => existsSync(path));
  if (program === undefined) return undefined;
  const config = join(folder, "blackbox.json");
  await writeFile(config, JSON.stringify(configOf(workspace)));
  const port = await findFreePort();
  const args = [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`];
  const exporter = await startHelper(program, args, { timeoutMs: 10 * MINUTE_MS, isQuiet: true });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const ask = (path: string): Promise<string> => getText(port, path, agent);
  try {
    await untilHealthy(ask);
    await probeAll(ask, workspace, concurrency, concurrency);
    const cpuBefore = cpuSecondsOf(exporter.pid);
    const startMs = performance.now();
    await probeAll(ask, workspace, checks, concurrency);
    const seconds = (performance.now() - startMs) / 1_000;
    const cpuMs = ((cpuSecondsOf(exporter.pid) - cpuBefore) * 1_000) / checks;
    return { checks, perSecond: checks / seconds, cpuMs };
  } finally {
    agent.destroy();
    await exporter.stop();
  }
}

/** As JSON, which is valid YAML. Trusts the same root and verifies the same names as the program. */
function configOf({ rootCaFile }: Workspace): unknown {
  const http = { preferred_ip_protocol: "ip4", tls_config: { ca_file: rootCaFile } };
  return { modules: { http_2xx: { prober: "http", timeout: "20s", http } } };
}

async function probeAll(
  ask: (path: string) => Promise<string>,
  { port }: Workspace,
  checks: number,
  concurrency: number,
): Promise<void> {
  let next = 0;
  const target = encodeURIComponent(`https://127.0.0.1:${port}/`);
  const work = async (): Promise<void> => {
    while (next < checks) {
      const host = hostOf(next);
      next += 1;
      const answer = await ask(`/probe?module=http_2xx&target=${target}&hostname=${host}`);
      if (!answer.includes("\nprobe_success 1\n")) throw new Error(`${host}: ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function untilHealthy(ask: (path: string) => Promise<string>): Promise<void> {
  let failure: unknown;
  for (let attempt = 0; attempt < START_TRIES; attempt += 1) {
    try {
      await ask("/-/healthy");
      return;
    } catch (error) {
      failure = error;
      await delay(START_PAUSE_MS);
    }
  }
  throw failure;
}

async function getText(port: number, path: string, agent: Agent): Promise<string> {
  const request = get({ host: "127.0.0.1", port, path, agent, timeout: PROBE_TIMEOUT_MS });
  request.once("timeout", () => request.destroy(new Error(`${path}: no answer in time`)));
  const response = await new Promise<Parameters<typeof text>[0]>((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", reject);
  });
  return text(response);
}

/** The exporter binds it a moment later; no other process looks for ports during a bench. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
