import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../free-port.ts";

const DEPLOY = fileURLToPath(new URL("../../deploy", import.meta.url));
const READY_WITHIN_MS = 60_000;

export type FrontName = "nginx" | "varnish" | "caddy" | "nginx-directory";

/** What a front reads from: a bucket for the first three, a directory for the last. */
export interface FrontSource {
  /** `http://127.0.0.1:<port>` of the store. */
  readonly endpoint: string;
  /** The bucket, and the folder in it if the documents have one: `status/public`. */
  readonly bucket: string;
  /** The public folder of a directory store. */
  readonly directory: string;
}

export interface FrontOptions {
  /** Changes of the shipped file besides addresses and paths: what must be there, and what stands there instead. */
  readonly edits?: readonly Edit[];
}

export type Edit = readonly [from: string, to: string];

/** A running front. */
export interface Front {
  readonly url: URL;
  readonly pid: number;
  /** Ends it and removes its folder. A second call does nothing. */
  readonly stop: () => Promise<void>;
}

interface Launch {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Recipe {
  readonly file: string;
  /** From the values of the shipped file to those of the test. */
  readonly edits: (source: FrontSource, port: number, folder: string) => readonly Edit[];
  readonly launch: (file: string, port: number, folder: string) => Promise<Launch>;
}

const RECIPES: Readonly<Record<FrontName, Recipe>> = {
  nginx: {
    file: "nginx.conf",
    edits: ({ endpoint, bucket }, port, folder) => [
      ["listen 80;", `listen 127.0.0.1:${port};`],
      ["127.0.0.1:7480", new URL(endpoint).host],
      ['"/status"', `"/${bucket}"`],
      ["/var/cache/nginx/status", join(folder, "cache")],
    ],
    launch: launchNginx,
  },
  "nginx-directory": {
    file: "nginx-directory.conf",
    edits: ({ directory }, port) => [
      ["listen 80;", `listen 127.0.0.1:${port};`],
      ["/var/lib/status-snapshot/public", directory],
    ],
    launch: launchNginx,
  },
  varnish: {
    file: "varnish.vcl",
    edits: ({ endpoint, bucket }) => [
      ["127.0.0.1:7480", new URL(endpoint).host],
      ['.port = "7480"', `.port = "${new URL(endpoint).port}"`],
      ['"/status/api', `"/${bucket}/api`],
      ['"/status" + bereq.url', `"/${bucket}" + bereq.url`],
    ],
    launch: launchVarnish,
  },
  caddy: {
    file: "Caddyfile",
    edits: ({ endpoint, bucket }, port) => [
      ["\nstatus.example {", `\nhttp://127.0.0.1:${port} {`],
      ["http://127.0.0.1:7480", endpoint],
      ["/status/{re", `/${bucket}/{re`],
      ["/status/404.html?", `/${bucket}/404.html?`],
    ],
    launch: launchCaddy,
  },
};

/**
 * Starts the server for real, from the file in `deploy/` with its addresses and paths replaced, on a free port of 127.0.0.1 and
 * with every file of its own in one temporary folder. It ends with the process that called, even after kill -9.
 * Throws when a replacement finds nothing to replace, when the server is not installed, or when it does not come up.
 */
export async function startFront(
  name: FrontName,
  source: FrontSource,
  { edits = [] }: FrontOptions = {},
): Promise<Front> {
  const { file, edits: place, launch } = RECIPES[name];
  const shipped = await readFile(join(DEPLOY, file), "utf8");
  return startServer(async (port, folder) => {
    const target = join(folder, file);
    await writeFile(target, replaceAll(shipped, [...place(source, port, folder), ...edits]));
    return launch(target, port, folder);
  });
}

/** A configuration that is not shipped, to compare with: its text for a port and a folder. */
export type PlainConfig = (port: number, folder: string) => string;

/** Starts the server of a front with another configuration. Throws as `startFront` does. */
export async function startPlain(
  name: Exclude<FrontName, "nginx-directory">,
  config: PlainConfig,
): Promise<Front> {
  const { file, launch } = RECIPES[name];
  return startServer(async (port, folder) => {
    const target = join(folder, file);
    await writeFile(target, config(port, folder));
    return launch(target, port, folder);
  });
}

async function startServer(
  prepare: (port: number, folder: string) => Promise<Launch>,
): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-front-"));
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child !== undefined) await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await findFreePort();
    const { args, env = {} } = await prepare(port, folder);
    // The kernel tells the server when this process ends, should it be killed before `stop`. Source: setpriv(1), prctl(2).
    child = spawn("setpriv", ["--pdeathsig", "TERM", ...args], {
      env: {
        ...process.env,
        PATH: `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin`,
        ...env,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const url = new URL(`http://127.0.0.1:${port}`);
    await waitUntilReady(child, url);
    return { url, pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Replaces every occurrence. Throws when there is none: the shipped file changed, and the test would test another. */
function replaceAll(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`the shipped file has no ${JSON.stringify(from)}`);
    return edited.replaceAll(from, () => to);
  }, text);
}

async function launchNginx(file: string, _port: number, folder: string): Promise<Launch> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  // What a distribution's nginx.conf has around the shipped file. As root its workers would be "nobody", and shut out here.
  const main = `
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
      include ${file};
    }`;
  await writeFile(join(folder, "main.conf"), main);
  return { args: ["nginx", "-p", folder, "-c", join(folder, "main.conf"), "-e", "stderr"] };
}

async function launchVarnish(file: string, port: number, folder: string): Promise<Launch> {
  const work = join(folder, "work");
  await mkdir(work);
  const options = ["-F", "-j", "none", "-s", "malloc,64m", "-n", work, "-f", file];
  return { args: ["varnishd", ...options, "-a", `127.0.0.1:${port}`] };
}

async function launchCaddy(file: string, _port: number, folder: string): Promise<Launch> {
  return {
    args: ["caddy", "run", "--adapter", "caddyfile", "--config", file],
    // Its own folders, and its own port for administration: a Caddy of the machine has the usual ones.
    env: {
      HOME: folder,
      XDG_DATA_HOME: join(folder, "data"),
      XDG_CONFIG_HOME: join(folder, "config"),
      CADDY_ADMIN: `127.0.0.1:${await findFreePort()}`,
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: URL): Promise<void> {
  let complaints = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-4_000);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      reject(new Error(`${child.spawnargs.join(" ")} ended with ${String(code)}: ${complaints}`));
    });
  });
  // Later it may end without anybody waiting.
  failed.catch(() => undefined);
  const untilMs = performance.now() + READY_WITHIN_MS;
  while (!(await Promise.race([isAnswering(url), failed]))) {
    if (performance.now() > untilMs) throw new Error(`${url.href} does not answer: ${complaints}`);
    await sleep(50);
  }
}

/** Asks for what needs no store, so that the store sees nothing of it. */
async function isAnswering(url: URL): Promise<boolean> {
  return fetch(new URL("/api/not-there", url)).then(
    async (response) => {
      await response.arrayBuffer();
      return true;
    },
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

/** The folder of a key of a directory store, made. */
export async function writeFileAt(path: string, body: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, body);
}
