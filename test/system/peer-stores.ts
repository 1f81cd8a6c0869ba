import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { StoreAddress } from "./ceph.ts";

const SCRIPT = fileURLToPath(new URL("peer-stores.sh", import.meta.url));

/** By name in `peer-stores.sh`: the output that contains its address. */
const SAYS_WHERE = {
  moto: /Running on http:\/\/127\.0\.0\.1:(\d+)/u,
  s3mock: /started on ports \d+ \(https\), (\d+) \(http\)/u,
} as const;

/** A new, empty object store, in memory or in a temporary folder. */
export interface PeerStore {
  /** Any keys: both stores accept all. */
  readonly address: StoreAddress;
  readonly stop: () => Promise<void>;
}

/**
 * Installs the store if necessary, and starts it on a free port of 127.0.0.1. It ends after ten minutes, even if this process is
 * killed. Throws with the missing packages if it cannot be installed, and with its output if it does not start.
 */
export async function startPeerStore(name: keyof typeof SAYS_WHERE): Promise<PeerStore> {
  await promisify(execFile)(SCRIPT, ["install"]);
  // Its own process group, so that `timeout` and its child end together.
  const folder = await mkdtemp(join(tmpdir(), `status-snapshot-${name}-`));
  const child = spawn(SCRIPT, ["start", name, folder], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let said = "";
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on("line", (line) => {
        said += `${line}\n`;
        const found = SAYS_WHERE[name].exec(line)?.[1];
        if (found !== undefined) resolve(found);
      });
    void ended.then(() => reject(new Error(`${name} did not start: ${said}`)));
  });
  return {
    address: {
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      accessKeyId: "publisher",
      secretAccessKey: "any-secret-will-do",
    },
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
