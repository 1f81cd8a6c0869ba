import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../free-port.ts";
import { ask } from "./ask.ts";
import { FRONT_HOST, getFrontCertificate } from "./front-certificate.ts";

const READY_WITHIN_MS = 60_000;

/** A running front. */
export interface Front {
  /** Its address: over TLS, unless it was started without. */
  readonly url: URL;
  /** The address that redirects readers without TLS. */
  readonly plainUrl: URL;
  readonly pid: number;
  /** Ends it and removes its folder; idempotent. */
  readonly stop: () => Promise<void>;
}

/** Ports and files of a front. */
export interface Room {
  /** Port of `Front.url`. */
  readonly port: number;
  /** Port of `Front.plainUrl`. */
  readonly plainPort: number;
  readonly folder: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Whether `port` is without TLS. */
  readonly isPlain: boolean;
}

/** One program of a front. */
export interface Program {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the programs of a front, the server first. They end with this process, even after kill -9. */
export async function startServer(
  isPlain: boolean,
  prepare: (room: Room) => Promise<readonly Program[]>,
): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-front-"));
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const room = await furnish(folder, isPlain);
    for (const program of await prepare(room)) children.push(launch(program));
    const url = new URL(
      isPlain ? `http://127.0.0.1:${room.port}` : `https://${FRONT_HOST}:${room.port}`,
    );
    await waitUntilReady(children, url);
    const plainUrl = new URL(`http://${FRONT_HOST}:${room.plainPort}`);
    return { url, plainUrl, pid: children[0]?.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function furnish(folder: string, isPlain: boolean): Promise<Room> {
  const { certificatePem, keyPem } = await getFrontCertificate();
  const certificateFile = join(folder, "certificate.pem");
  const keyFile = join(folder, "key.pem");
  await writeFile(certificateFile, certificatePem);
  await writeFile(keyFile, keyPem, { mode: 0o600 });
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  return { port, plainPort, folder, certificateFile, keyFile, isPlain };
}

function launch({ args, env = {} }: Program): ChildProcess {
  // If this process is killed before `stop`, the kernel signals the server. Source: setpriv(1), prctl(2).
  return spawn("setpriv", ["--pdeathsig", "TERM", ...args], {
    env: {
      ...process.env,
      PATH: `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin`,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function waitUntilReady(children: readonly ChildProcess[], url: URL): Promise<void> {
  let complaints = "";
  const failures = children.map((child) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaints = (complaints + text).slice(-4_000);
    });
    return new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => {
        reject(new Error(`${child.spawnargs.join(" ")} ended with ${String(code)}: ${complaints}`));
      });
    });
  });
  const failed = Promise.race(failures);
  // Prevents unhandled rejections if they end later.
  for (const failure of [failed, ...failures]) failure.catch(() => undefined);
  const untilMs = performance.now() + READY_WITHIN_MS;
  while (!(await Promise.race([isAnswering(url), failed]))) {
    if (performance.now() > untilMs) throw new Error(`${url.href} does not answer: ${complaints}`);
    await sleep(50);
  }
}

/** Requests a path that needs no request to the store. */
function isAnswering(url: URL): Promise<boolean> {
  return ask(url, "/api/not-there").then(
    () => true,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(late);
}
