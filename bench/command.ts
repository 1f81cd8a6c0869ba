import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** Where scripts of benchmarks are bundled: as deep as the program, so that they find what ships. */
export const BUNDLES: string = fileURLToPath(new URL("../dist/bench/", import.meta.url));
const USAGE_AT_EXIT = fileURLToPath(new URL("usage-at-exit.cjs", import.meta.url));

/** What one run of the command line cost, from the start of its process to its exit. */
export interface Cost {
  readonly wallMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  /** Peak resident memory. */
  readonly peakBytes: number;
}

/** What one run of the command line cost and said. */
export interface Measured extends Cost {
  /** Standard error, where the log goes. */
  readonly stderr: string;
}

/** Runs the built command line once and measures it whole. Throws when it does not exit with 0. */
export async function measureCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ["--require", USAGE_AT_EXIT, CLI, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [wallMs, , stderr = "", usage = ""] = await Promise.all([
    once(child, "exit").then(() => performance.now() - startMs),
    // The three pipes asked for above; the type allows for what else could have been asked for.
    ...[1, 2, 3].map((fd) => text(child.stdio[fd] as Readable)),
  ]);
  if (child.exitCode !== 0) throw new Error(`status-snapshot ${args.join(" ")}: ${stderr}`);
  // `usage-at-exit.cjs` writes exactly this.
  const { cpuMs, maxRssKib } = JSON.parse(usage) as { cpuMs: number; maxRssKib: number };
  return { wallMs, cpuMs, peakBytes: maxRssKib * 1024, stderr };
}

/** The same several times, one after the other, after one that does not count. */
export async function measureRepeatedly(
  times: number,
  measure: () => Promise<Cost>,
): Promise<readonly Cost[]> {
  await measure();
  const costs: Cost[] = [];
  for (let index = 0; index < times; index += 1) costs.push(await measure());
  return costs;
}
