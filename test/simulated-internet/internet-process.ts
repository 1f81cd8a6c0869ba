import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Behaviour, DnsBehaviour } from "./behaviour.ts";
import type { HostStats } from "./directory.ts";
import type { InternetAddresses, InternetOptions } from "./simulated-internet.ts";
import { bundleScript } from "../run-script.ts";

/** One line of input of `main.ts`; the parts are executed in this order. */
export interface InternetCommand {
  readonly set?: Readonly<Record<string, Behaviour>>;
  readonly setDns?: Readonly<Record<string, DnsBehaviour>>;
  /** Hosts that need `--connect-to` lines. */
  readonly connectTo?: readonly string[];
  /** The host whose counters to return. */
  readonly stats?: string;
}

/** The answer to one command. */
export type InternetReply =
  | { readonly ok: true; readonly connectToLines?: readonly string[]; readonly stats?: HostStats }
  | { readonly ok: false; readonly error: string };

/** A simulated internet in its own process. Each function throws if the process refuses the command or has ended. */
export interface InternetProcess extends InternetAddresses {
  readonly pid: number;
  set(behaviours: Readonly<Record<string, Behaviour>>): Promise<void>;
  setDns(behaviours: Readonly<Record<string, DnsBehaviour>>): Promise<void>;
  connectToLines(hosts: readonly string[]): Promise<readonly string[]>;
  stats(host: string): Promise<HostStats>;
  /** Ends the process and waits for its exit. */
  close(): Promise<void>;
}

const MAIN = new URL("main.ts", import.meta.url);

/** Starts `main.ts` and waits until it is ready. It inherits our standard error. */
export async function startInternetProcess(
  options: InternetOptions = {},
): Promise<InternetProcess> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-internet-config-"));
  const config = join(folder, "internet.json");
  await writeFile(config, JSON.stringify(options));
  const child = spawn(process.execPath, [await bundleScript(MAIN), "--config", config]);
  child.stderr.pipe(process.stderr, { end: false });
  const exited = once(child, "exit");
  const ask = lineDialogue(child);
  try {
    // `main.ts` prints its addresses as the first line, without a command.
    const addresses = (await ask(undefined)) as InternetAddresses;
    return toInternetProcess(child, exited, addresses, ask);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toInternetProcess(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<unknown>,
  addresses: InternetAddresses,
  ask: (command: InternetCommand) => Promise<unknown>,
): InternetProcess {
  async function request(command: InternetCommand): Promise<Extract<InternetReply, { ok: true }>> {
    // `main.ts` answers each command with this type.
    const reply = (await ask(command)) as InternetReply;
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
      if (stats === undefined) throw new Error(`the internet process gave no stats of ${host}`);
      return stats;
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Sends one line and resolves to the next line of output, in order. Rejects if the process ends first. */
function lineDialogue(
  child: ChildProcessWithoutNullStreams,
): (command: InternetCommand | undefined) => Promise<unknown> {
  const waiting: { resolve(value: unknown): void; reject(error: Error): void }[] = [];
  let hasEnded = false;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => waiting.shift()?.resolve(JSON.parse(line)));
  lines.on("close", () => {
    hasEnded = true;
    for (const waiter of waiting.splice(0))
      waiter.reject(new Error("the internet process has ended"));
  });
  child.stdin.on("error", () => {});
  return (command) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error("the internet process has ended"));
      waiting.push({ resolve, reject });
      if (command !== undefined) child.stdin.write(`${JSON.stringify(command)}\n`);
    });
}
