import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const CLI: string = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** Folder of bundled benchmark scripts, at the depth of the program, so that paths to shipped files are valid. */
export const BUNDLES: string = fileURLToPath(new URL("../dist/bench/", import.meta.url));
const USAGE_AT_EXIT = fileURLToPath(new URL("usage-at-exit.cjs", import.meta.url));

/** The cost of one run of the command line, from the start of its process to its exit. */
export interface Cost {
  readonly wallMs: number;
  /** User and system time of all threads. */
  readonly cpuMs: number;
  /** Peak resident memory. */
  readonly peakBytes: number;
}

/** The cost and the log of one run of the command line. */
export interface Measured extends Cost {
  /** Contains the log. */
  readonly stderr: string;
}

/** Runs the built command line once and measures the whole process. Throws if it does not exit with 0. */
export function measureCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  return measureProgram(CLI, args, env);
}

/** Runs a program for Node once and measures the whole process. Throws if it does not exit with 0. */
export async function measureProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ["--require", USAGE_AT_EXIT, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [wallMs, , stderr = "", usage = ""] = await Promise.all([
    once(child, "exit").then(() => performance.now() - startMs),
    // The three pipes of `stdio`, whose type also allows other values.
    ...[1, 2, 3].map((fd) => text(child.stdio[fd] as Readable)),
  ]);
  if (child.exitCode !== 0) throw new Error(`${file} ${args.join(" ")}: ${stderr}`);
  // `usage-at-exit.cjs` writes exactly this.
  const { cpuMs, maxRssKib } = JSON.parse(usage) as { cpuMs: number; maxRssKib: number };
  return { wallMs, cpuMs, peakBytes: maxRssKib * 1024, stderr };
}

/** Measures sequentially several times, after one warm-up. */
export async function measureRepeatedly(
  times: number,
  measure: () => Promise<Cost>,
): Promise<readonly Cost[]> {
  await measure();
  const costs: Cost[] = [];
  for (let index = 0; index < times; index += 1) costs.push(await measure());
  return costs;
}
