import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";
import { type CliOptions, type RunningCli, startCli } from "./cli.ts";
import { readTree } from "./workspace.ts";
import { startLoopbackS3, type LoopbackS3 } from "./loopback-s3.ts";

/** Commands that run until they are stopped. */
export type LongCommand = "intake" | "serve" | "watch";

/** A folder with a catalogue, a store whose requests can be held, and free ports. */
export interface StartHarness {
  readonly folder: string;
  readonly s3: LoopbackS3;
  readonly port: number;
  readonly operationsPort: number;
  /** Options for the store and the ports of this harness. */
  readonly optionsOf: (command: LongCommand) => readonly string[];
  /** `args` can replace options of `optionsOf`, because the last one counts. */
  readonly start: (
    command: LongCommand,
    args?: readonly string[],
    options?: Partial<CliOptions>,
  ) => RunningCli;
  /** All objects and public files, except the intake's own (`state/intake…`). */
  readonly published: () => Promise<ReadonlyMap<string, string>>;
  readonly write: (name: string, body: string | Uint8Array) => Promise<void>;
  /** The port of all hosts of the catalogue. At first nothing listens there, so every probe fails at once. */
  readonly connectTo: (port: number) => Promise<void>;
  readonly atEnd: AtEnd;
}

type AtEnd = (close: () => Promise<void> | void) => void;

/** Timeout of a test: long enough for a very busy machine. On an idle one, a start takes a second. */
export const MAX_MS = 300_000;
const MARGIN_MS = 20_000;

const SECRET_BYTES = 32;
/** The secret that an earlier intake left in the folder of its journal. */
export const SECRET: Uint8Array = Buffer.alloc(SECRET_BYTES, 7);

const HOSTS = ["d1", "d2", "d3", "d4", "f1", "f2", "f3", "alpha"].map((name) => `${name}.example`);

function catalogueOf(services: number): unknown {
  return {
    categories: [{ id: "all", name: "Все" }],
    anchors: HOSTS.slice(0, 7).map((host, index) => ({
      url: `https://${host}/`,
      scope: index < 4 ? "domestic" : "foreign",
      network: `net ${index}`,
    })),
    services: Array.from({ length: services }, (_, index) => ({
      slug: index === 0 ? "alpha" : `alpha-${index}`,
      name: `Сервис ${index}`,
      category: "all",
      endpoints: [{ url: `https://alpha.example/${index}`, what: "site" }],
    })),
  };
}

/** Opens a harness that is closed at the end of its test. */
export async function openStartHarness(atEnd: AtEnd, services = 1): Promise<StartHarness> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-start-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const write: StartHarness["write"] = (name, body) => writeFile(join(folder, name), body);
  await write("catalogue.json", JSON.stringify(catalogueOf(services)));
  const s3 = await startLoopbackS3(atEnd);
  const port = await findFreePort();
  const operationsPort = await findFreePort();
  const closedPort = await findFreePort();
  const connectTo: StartHarness["connectTo"] = (to) =>
    write("hosts.txt", HOSTS.map((host) => `${host}:443:127.0.0.1:${to}`).join("\n"));
  await connectTo(closedPort);
  const stores = ["--store", s3.url("public"), "--state", s3.url("state")];
  const always = ["--catalogue", "catalogue.json", ...stores, "--log", "debug"];
  const optionsOf: StartHarness["optionsOf"] = (command) => {
    if (command === "watch")
      return [...always, "--connect-to", "@hosts.txt", "--set", "confirm=none"];
    const operations = command === "intake" ? ["--set", `operationsPort=${operationsPort}`] : [];
    return [...always, "--port", `${port}`, ...operations];
  };
  return {
    folder,
    s3,
    port,
    operationsPort,
    optionsOf,
    start: (command, args = [], options = {}) => {
      const env = { ...s3.env, ...options.env };
      const running = startCli([command, ...optionsOf(command), ...args], {
        cwd: folder,
        timeoutMs: MAX_MS - MARGIN_MS,
        ...options,
        env,
      });
      atEnd(() => void running.child.kill("SIGKILL"));
      return running;
    },
    published: async () => {
      const stored = [...s3.objects].filter(([key]) => !key.startsWith("state/intake"));
      const files = [...(await readTree(join(folder, "public")))];
      return new Map([
        ...stored.map(([key, body]) => [key, body.toString("latin1")] as const),
        ...files,
      ]);
    },
    write,
    connectTo,
    atEnd,
  };
}

/** Holds the matching requests of a store until it is opened. */
export interface Gate {
  /** Resolves with the first request. */
  readonly reached: Promise<void>;
  /** The number of requests. */
  readonly requests: () => number;
  readonly open: () => void;
}

/** A gate before requests such as `GET state/state.json.gz`; a request below a path matches as well. */
export function closeGate({ moods }: LoopbackS3, request: string): Gate {
  let [tellReached, open] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>((resolve) => (tellReached = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  let requests = 0;
  moods.hold = (method, key) => {
    if (!`${method} ${key}`.startsWith(request)) return undefined;
    requests += 1;
    tellReached();
    return opened;
  };
  return { reached, requests: () => requests, open };
}

/** Listens on a port of the loopback; 0 for any. Rejects if it is in use. */
export async function holdPort(
  port: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("not a TCP server");
  return {
    port: bound.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Whether nothing listens on the port. Never binds it. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
}
