import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SCRIPT = fileURLToPath(new URL("ceph.sh", import.meta.url));

/** A pair of keys of one user of the store. */
export interface CephKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How to reach a running store. Plain data, so that vitest can hand it from the set-up to the tests. */
export interface CephAddress extends CephKeys {
  /** `http://127.0.0.1:<port>`; buckets in the path (`forcePathStyle`). */
  readonly endpoint: string;
  readonly region: string;
  /** Everything of this store lies here, the logs of its daemons in `log/`. */
  readonly folder: string;
  /** To stop, freeze or kill single daemons in a test. */
  readonly pids: {
    readonly gateway: number;
    readonly mon: number;
    readonly osd: number;
    readonly watchdog: number;
  };
}

/** A running store. The keys are those of the user `publisher`, who owns no bucket yet and may make some. */
export interface Ceph extends CephAddress {
  /** Makes one more user, who may do nothing in the buckets of others until their policy says so. Takes about 0.1 s. */
  readonly createUser: (name: string) => Promise<CephKeys>;
  /** Ends every process of the store and removes its folder. A second call does nothing. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts Ceph's S3 gateway with a monitor and an OSD in memory, on free ports of 127.0.0.1; takes about 4 s.
 * Should this process end without `stop`, even by kill -9, the store ends and its folder goes within 2 s.
 * Throws when Ceph is not installed or does not come up, after its complaints went to our standard error.
 */
export async function startCeph(): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-ceph-"));
  try {
    const answer = await runStart(folder);
    // One line of JSON, in the shape that `ceph.sh` documents.
    const address = { ...(JSON.parse(answer) as Omit<CephAddress, "folder">), folder };
    return {
      ...address,
      createUser: (name) => createCephUser(address, name),
      stop: () => stopCeph(folder),
    };
  } catch (error) {
    await stopCeph(folder);
    throw error;
  }
}

/** As `Ceph.createUser`, for tests that only got the address. Throws when the name is taken or the store is gone. */
export async function createCephUser(
  { folder }: Pick<CephAddress, "folder">,
  name: string,
): Promise<CephKeys> {
  const { stdout } = await promisify(execFile)(SCRIPT, ["user", folder, name]);
  return JSON.parse(stdout) as CephKeys;
}

async function runStart(folder: string): Promise<string> {
  // A group of its own: if we are killed now, the watchdog ends the group, with whatever the script is waiting for.
  const child = spawn(SCRIPT, ["start", folder, "--parent", String(process.pid)], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`ceph.sh start ended with ${String(code)}: see above`);
  return answer;
}

async function stopCeph(folder: string): Promise<void> {
  await promisify(execFile)(SCRIPT, ["stop", folder]);
  await rm(folder, { recursive: true, force: true });
}
