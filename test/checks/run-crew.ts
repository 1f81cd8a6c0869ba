import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { WORKER_URL, type CrewOptions } from "../../src/checks/crew.ts";
import type { CheckTarget } from "../../src/checks/target.ts";
import type { CheckVerdict } from "../../src/model/monitor.ts";
import type { ProbeConfig } from "../../src/probe/config.ts";
import { BLOCKPAGES_FILE } from "../../src/probe/fingerprints.ts";
import { carryOut } from "./carry-out.ts";

type PlainOptions = Pick<CrewOptions, "concurrency" | "threads" | "confirmDelaysMs" | "deadlineMs">;

export interface CrewOrder {
  readonly targets: readonly CheckTarget[];
  readonly config: ProbeConfig;
  readonly options: PlainOptions;
  readonly workerUrl: string;
  /** Stopped when so many targets have their verdict. */
  readonly abortAfterDone?: number;
}

export interface CrewReply {
  readonly verdicts: readonly (readonly [id: string, verdict: CheckVerdict])[];
  readonly warnings: readonly string[];
  readonly progress: readonly number[];
  readonly tookMs: number;
  /** How much the process grew at most, all threads together. */
  readonly grownMb: number;
  /** How late the main thread was, 99th percentile. */
  readonly lagMs: number;
  /** What the process still held when everything was over. */
  readonly handles: readonly string[];
}

const FINGERPRINTS: unknown = JSON.parse(readFileSync(BLOCKPAGES_FILE, "utf8"));

export const PLAIN_CONFIG: ProbeConfig = {
  allowPrivate: [],
  ownAddresses: [],
  connectTo: [],
  roots: { everywhere: [], national: [] },
  allowedPorts: [],
  fingerprints: FINGERPRINTS,
};

export interface CrewTrial {
  readonly targets: readonly CheckTarget[];
  readonly config?: Partial<ProbeConfig>;
  readonly options?: Partial<PlainOptions>;
  readonly workerUrl?: URL;
  readonly abortAfterDone?: number;
  /** PEM file of a root that the whole process trusts. */
  readonly rootCaFile?: string;
}

/** Runs a crew in a process of its own, which trusts the given root and can be weighed. Throws when it does not end by itself. */
export async function runCrew(trial: CrewTrial): Promise<CrewReply> {
  const file = fileURLToPath(new URL("crew-script.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: trial.rootCaFile ?? "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(orderOf(trial)));
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`the crew ended with code ${code}`);
  // Our own script prints it.
  return JSON.parse(answer) as CrewReply;
}

/** Runs a crew in this process, which trusts the root of all worlds. What it holds and how it grows is that of other tests as well. */
export function runCrewHere(trial: CrewTrial): Promise<Omit<CrewReply, "handles" | "grownMb">> {
  return carryOut(orderOf(trial));
}

function orderOf(trial: CrewTrial): CrewOrder {
  if (!existsSync(WORKER_URL)) throw new Error("dist is not built: npm run build");
  const options = { concurrency: 32, threads: 2, confirmDelaysMs: [], deadlineMs: 3_600_000 };
  return {
    targets: trial.targets,
    config: { ...PLAIN_CONFIG, ...trial.config },
    options: { ...options, ...trial.options },
    workerUrl: (trial.workerUrl ?? WORKER_URL).href,
    ...(trial.abortAfterDone === undefined ? {} : { abortAfterDone: trial.abortAfterDone }),
  };
}

/** How many verdicts there are of each sort: `healthy`, `skipped`, or a code. */
export function countVerdicts({
  verdicts,
}: Pick<CrewReply, "verdicts">): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [, verdict] of verdicts) {
    const word = "code" in verdict ? verdict.code : verdict.kind;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
