import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Behaviour, DnsBehaviour } from "./behaviour.ts";
import type { HostStats } from "./directory.ts";
import type { WorldAddresses, WorldOptions } from "./world.ts";

/** One line of input of `main.ts`; the parts are done in this order. */
export interface WorldCommand {
  readonly set?: Readonly<Record<string, Behaviour>>;
  readonly setDns?: Readonly<Record<string, DnsBehaviour>>;
  /** Hosts to make `--connect-to` lines for. */
  readonly connectTo?: readonly string[];
  /** Host to tell about. */
  readonly stats?: string;
}

/** The answer to one command. */
export type WorldReply =
  | { readonly ok: true; readonly connectToLines?: readonly string[]; readonly stats?: HostStats }
  | { readonly ok: false; readonly error: string };

/** A world in a process of its own. Each function throws when the world refuses or is gone. */
export interface WorldProcess extends WorldAddresses {
  readonly pid: number;
  set(behaviours: Readonly<Record<string, Behaviour>>): Promise<void>;
  setDns(behaviours: Readonly<Record<string, DnsBehaviour>>): Promise<void>;
  connectToLines(hosts: readonly string[]): Promise<readonly string[]>;
  stats(host: string): Promise<HostStats>;
  /** Ends the process and waits until it is gone. */
  close(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

/** Starts `main.ts` with tsx and waits until it is ready. Its complaints go to our standard error. */
export async function startWorldProcess(options: WorldOptions = {}): Promise<WorldProcess> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-world-config-"));
  const config = join(folder, "world.json");
  await writeFile(config, JSON.stringify(options));
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, "--config", config]);
  child.stderr.pipe(process.stderr, { end: false });
  const exited = once(child, "exit");
  const ask = lineDialogue(child);
  try {
    // The first line comes by itself, and `main.ts` prints nothing else there than its addresses.
    const addresses = (await ask(undefined)) as WorldAddresses;
    return toWorldProcess(child, exited, addresses, ask);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toWorldProcess(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<unknown>,
  addresses: WorldAddresses,
  ask: (command: WorldCommand) => Promise<unknown>,
): WorldProcess {
  async function request(command: WorldCommand): Promise<Extract<WorldReply, { ok: true }>> {
    // The other end is `main.ts`, which answers each command with this type.
    const reply = (await ask(command)) as WorldReply;
    if (!reply.ok) throw new Error(reply.error);
    return reply;
  }
  return {
    ...addresses,
    pid: child.pid ?? 0,
    set: async (behaviours) => void (await request({ set: behaviours })),
    setDns: async (behaviours) => void (await request({ setDns: behaviours })),
    connectToLines: async (hosts) => (await request({ connectTo: hosts })).connectToLines ?? [],
    async stats(host) {
      const { stats } = await request({ stats: host });
      if (stats === undefined) throw new Error(`the world told nothing about ${host}`);
      return stats;
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Sends one line and gives the next line that comes back, in order. Throws when the process ends first. */
function lineDialogue(
  child: ChildProcessWithoutNullStreams,
): (command: WorldCommand | undefined) => Promise<unknown> {
  const waiting: { resolve(value: unknown): void; reject(error: Error): void }[] = [];
  let hasEnded = false;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => waiting.shift()?.resolve(JSON.parse(line)));
  lines.on("close", () => {
    hasEnded = true;
    for (const waiter of waiting.splice(0)) waiter.reject(new Error("the world has ended"));
  });
  child.stdin.on("error", () => {});
  return (command) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error("the world has ended"));
      waiting.push({ resolve, reject });
      if (command !== undefined) child.stdin.write(`${JSON.stringify(command)}\n`);
    });
}
