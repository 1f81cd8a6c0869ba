import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../free-port.ts";
import { PATIENCE_MS } from "../patience.ts";
import { buildGoTool } from "./go-tool.ts";
import type { FrontCertificate } from "./front-certificate.ts";

/** Ends a server that was not stopped. */
const TIMEOUT_MS = 290_000;

/** A NATS server on the loopback, with JetStream in a folder of its own. */
export interface NatsServer {
  readonly url: string;
  /** kill -9. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP, and SIGCONT. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Starts it again, with what is on its disk. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server. Throws what is missing to build it.
 *
 * @param configuration in addition, in the server's language.
 * @param certificate in the place of the files that the configuration names.
 * @param storeFolder for its streams, if not one of its own.
 */
export async function startNats(
  configuration = "",
  certificate?: FrontCertificate,
  storeFolder?: string,
): Promise<NatsServer> {
  const program = await buildGoTool("nats-server");
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-nats-"));
  const port = await findFreePort();
  const file = join(folder, "nats.conf");
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${storeFolder ?? join(folder, "store")}" }\n${configuration.replaceAll("/etc/nats", folder)}\n`,
  );
  if (certificate !== undefined) {
    writeFileSync(join(folder, "certificate.pem"), certificate.certificatePem);
    writeFileSync(join(folder, "key.pem"), certificate.keyPem);
  }
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  };
  const server: NatsServer = {
    url: certificate === undefined ? `nats://127.0.0.1:${port}` : `tls://localhost:${port}`,
    kill: () => end("SIGKILL"),
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    start: async () => {
      let log = "";
      const started = spawn(program, ["--config", file], { timeout: TIMEOUT_MS });
      child = started;
      started.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
      const startedMs = performance.now();
      while (!log.includes("Server is ready")) {
        if (started.exitCode !== null || performance.now() - startedMs > PATIENCE_MS)
          throw new Error(`nats-server did not start: ${log}`);
        await delay(20);
      }
    },
    close: async () => {
      child?.kill("SIGCONT");
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
