import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";
import { type CliOptions, type RunningCli, startCli } from "./cli.ts";
import { readTree } from "./stage.ts";
import { startToyS3, type ToyS3 } from "./toy-s3.ts";

/** The commands that run until they are stopped. */
export type LongCommand = "intake" | "serve" | "watch";

/** A folder with a catalogue, a store whose requests can be held, and ports that are free: all that a start needs. */
export interface StartLab {
  readonly folder: string;
  readonly s3: ToyS3;
  readonly port: number;
  readonly operationsPort: number;
  /** Options by which a command uses the store of this lab, and its ports if it has any. */
  readonly optionsOf: (command: LongCommand) => readonly string[];
  /** Of an option given twice the last one counts, so a case can replace each of `optionsOf`. */
  readonly start: (
    command: LongCommand,
    args?: readonly string[],
    options?: Partial<CliOptions>,
  ) => RunningCli;
  /** Everything that readers can see, or that verdicts and counts are made from; not what a start leaves for itself. */
  readonly published: () => Promise<ReadonlyMap<string, string>>;
  readonly write: (name: string, body: string | Uint8Array) => Promise<void>;
  /** Where all hosts of the catalogue are to be found. At first nobody listens there, so every probe fails at once. */
  readonly connectTo: (port: number) => Promise<void>;
  readonly atEnd: AtEnd;
}

type AtEnd = (close: () => Promise<void> | void) => void;

/**
 * Of a test in a lab: what hangs has to show, and a machine that is busy with twenty other programs must not. A start takes a second
 * where there is nothing else to do.
 */
export const LONGEST_MS = 300_000;
const MARGIN_MS = 20_000;

const SECRET_BYTES = 32;
/** What an earlier intake left beside its journal. */
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

/** Opens a lab that is closed at the end of its test, with so many services in its catalogue. */
export async function openStartLab(atEnd: AtEnd, services = 1): Promise<StartLab> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-start-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const write: StartLab["write"] = (name, body) => writeFile(join(folder, name), body);
  await write("catalogue.json", JSON.stringify(catalogueOf(services)));
  const s3 = await startToyS3(atEnd);
  const port = await findFreePort();
  const operationsPort = await findFreePort();
  const closedPort = await findFreePort();
  const connectTo: StartLab["connectTo"] = (to) =>
    write("hosts.txt", HOSTS.map((host) => `${host}:443:127.0.0.1:${to}`).join("\n"));
  await connectTo(closedPort);
  const stores = ["--store", s3.url("public"), "--state", s3.url("state")];
  const always = ["--catalogue", "catalogue.json", ...stores, "--log", "json"];
  const optionsOf: StartLab["optionsOf"] = (command) => {
    if (command === "watch") return [...always, "--connect-to", "@hosts.txt", "--confirm", "none"];
    const operations = command === "intake" ? ["--operations-port", `${operationsPort}`] : [];
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
        timeoutMs: LONGEST_MS - MARGIN_MS,
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

/** Holds the requests of a store that match, until it is opened. */
export interface Gate {
  /** Resolves when the first of them has come. */
  readonly reached: Promise<void>;
  /** How many have come. */
  readonly requests: () => number;
  readonly open: () => void;
}

/** A gate before requests such as `GET state/state.json.gz`; a request for what lies below a path matches as well. */
export function closeGate({ moods }: ToyS3, request: string): Gate {
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

/** Listens on a port of the loopback, as another program would; 0 is any that is free. Rejects when it is taken. */
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

/** Whether nobody listens on the port. Does not take it, not even for a moment. */
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
