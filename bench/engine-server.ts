import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connect } from "@nats-io/transport-node";
import { connectEngine } from "../src/engine/connection.ts";
import { serveBatches } from "../src/engine/serve-batches.ts";
import { MINUTE_MS } from "../src/model/time.ts";
import { findFreePort } from "../test/free-port.ts";
import { type Helper, startHelper } from "./processes.ts";

const BUILD = fileURLToPath(new URL("../test/system/go-tool.sh", import.meta.url));
const LIFE_MS = 90 * MINUTE_MS;
const TRIES = 100;
const PAUSE_MS = 50;

/** A NATS server for a measurement. */
export interface EngineServer extends Helper {
  readonly url: string;
}

/** Starts a server with its store in the folder. Throws what is missing to build it. */
export async function startEngineServer(folder: string): Promise<EngineServer> {
  const { stdout } = await promisify(execFile)(BUILD, ["nats-server"]);
  const port = await findFreePort();
  const store = join(folder, "nats");
  await mkdir(store, { recursive: true });
  const file = join(folder, "nats.conf");
  await writeFile(file, `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${store}" }\n`);
  const helper = await startHelper(stdout.trim(), ["--config", file], {
    timeoutMs: LIFE_MS,
    isQuiet: true,
  });
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const isReady = await connect({ servers: `127.0.0.1:${port}` }).then(
      (connection) => connection.close().then(() => true),
      () => false,
    );
    if (isReady) return { ...helper, url: `nats://127.0.0.1:${port}` };
    await delay(PAUSE_MS);
  }
  throw new Error("nats-server does not answer");
}

/** A worker in this process, to which every site is healthy after `checkMs`: what is left is the cost of handing over. */
export async function startWorker(
  url: string,
  checkMs: number,
): Promise<{ stop: () => Promise<void> }> {
  let underWay = 0;
  const stopped = new AbortController();
  const connection = await connectEngine({ url }, { vantage: "main" }, true);
  const served = serveBatches({
    connection,
    vantage: "main",
    crew: {
      check: async (targets) => {
        underWay += 1;
        if (checkMs > 0) await delay(checkMs);
        underWay -= 1;
        return new Map(targets.map(({ id }) => [id, { kind: "healthy", totalMs: 42 }]));
      },
      isHungry: () => underWay === 0,
      close: async () => undefined,
    },
    online: { recent: async () => true, fresh: async () => true },
    sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    onEnd: () => undefined,
    onWarning: () => undefined,
    signal: stopped.signal,
  });
  return {
    stop: async () => {
      stopped.abort();
      await connection.close();
      await served.catch(() => undefined);
    },
  };
}
