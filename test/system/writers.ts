import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bundleScript } from "../bundle.ts";
import type { Tally } from "./toy.ts";

const SCRIPT = new URL("writer-script.ts", import.meta.url);

/** `writer-script.ts` in a process of its own. */
export interface Writer {
  /** Resolves when it can take orders. */
  readonly ready: Promise<void>;
  /** Commits once. The value is what it answered. */
  readonly once: () => Promise<string>;
  /** Commits until it is killed. */
  readonly goOn: () => void;
  /** Ends it in the middle of whatever it does; the value is the answers that it gave since `goOn`. */
  readonly kill: () => Promise<readonly string[]>;
  /** Lets it end by itself. */
  readonly finish: () => Promise<Tally>;
}

/** Most of a round was the start of the script. */
export function buildWriter(folder: string): Promise<string> {
  return bundleScript(SCRIPT, folder);
}

/** @param script of `buildWriter`. */
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
