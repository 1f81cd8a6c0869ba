import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bundleScript } from "../bundle.ts";
import type { Tally } from "./counter-program.ts";

const SCRIPT = new URL("writer-script.ts", import.meta.url);

/** A process of `writer-script.ts`. */
export interface Writer {
  /** Resolves when it accepts commands. */
  readonly ready: Promise<void>;
  /** Commits once; resolves to the answer. */
  readonly once: () => Promise<string>;
  /** Commits until it is killed. */
  readonly goOn: () => void;
  /** Kills it at any point; resolves to its answers since `goOn`. */
  readonly kill: () => Promise<readonly string[]>;
  /** Ends its input, and resolves to its counts. */
  readonly finish: () => Promise<Tally>;
}

/** Bundled, because loading the script would take most of a round. */
export function buildWriter(folder: string): Promise<string> {
  return bundleScript(SCRIPT, folder);
}

/** @param script from `buildWriter`. */
export function startWriter(
  script: string,
  publicUrl: string,
  stateUrl: string,
  env: Readonly<Record<string, string>>,
): Writer {
  const child = spawn(process.execPath, [script, publicUrl, stateUrl], {
    env: { ...process.env, NODE_NO_WARNINGS: "1", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next(line);
  });
  const read = (): Promise<string> => {
    const line = lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    const answer = new Promise<string>((resolve) => waiting.push(resolve));
    return Promise.race([answer, ended.then(() => failUnlessKilled(child))]);
  };
  const order = (text: string): void => void child.stdin.write(`${text}\n`);
  const ready = read().then(() => undefined);
  return {
    ready,
    once() {
      order("once");
      return read();
    },
    goOn: () => order("on"),
    async kill() {
      child.kill("SIGKILL");
      await ended;
      return lines;
    },
    async finish() {
      child.stdin.end();
      const text = await read();
      await ended;
      // `writer-script.ts` writes exactly this.
      return JSON.parse(text.slice("met ".length)) as Tally;
    },
  };
}

function failUnlessKilled({ exitCode, signalCode }: ChildProcess): string {
  throw new Error(`a writer ended by itself (${exitCode ?? signalCode}): see above`);
}
