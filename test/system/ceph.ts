import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SCRIPT = fileURLToPath(new URL("ceph.sh", import.meta.url));

/** The keys of one user of the store. */
export interface CephKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Address and keys of any store. */
export interface StoreAddress extends CephKeys {
  /** `http://127.0.0.1:<port>`; the bucket is in the path (`forcePathStyle`). */
  readonly endpoint: string;
  readonly region: string;
}

/** Address of a running Ceph. Plain data, because vitest passes it from the setup to the tests. */
export interface CephAddress extends StoreAddress {
  /** Contains all files of this store; the logs of its daemons are in `log/`. */
  readonly folder: string;
  /** To stop, freeze or kill single daemons in a test. */
  readonly pids: {
    readonly gateway: number;
    readonly mon: number;
    readonly osd: number;
    readonly watchdog: number;
  };
}

/** A running store. The keys belong to the user `publisher`, who may create buckets and has none yet. */
export interface Ceph extends CephAddress {
  /** Creates a user without rights in the buckets of others until their policies grant some. Takes about 0.1 s. */
  readonly createUser: (name: string) => Promise<CephKeys>;
  /** Ends every process of the store and removes its folder. A second call does nothing. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts Ceph's S3 gateway with a monitor and an in-memory OSD, on free ports of 127.0.0.1; takes about 4 s.
 * If this process ends without `stop`, even by kill -9, the store ends and its folder is removed within 2 s.
 * Throws if Ceph is not installed or does not start; its errors are on standard error.
 */
export async function startCeph(): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-ceph-"));
  try {
    const answer = await runStart(folder);
    // One line of JSON, as documented in `ceph.sh`.
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

/** Like `Ceph.createUser`, for tests that have only the address. Throws if the name is taken or the store does not run. */
export async function createCephUser(
  { folder }: Pick<CephAddress, "folder">,
  name: string,
): Promise<CephKeys> {
  const { stdout } = await promisify(execFile)(SCRIPT, ["user", folder, name]);
  return JSON.parse(stdout) as CephKeys;
}

async function runStart(folder: string): Promise<string> {
  // Its own process group: if this process is killed now, the watchdog ends the group, with the child that the script waits for.
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
