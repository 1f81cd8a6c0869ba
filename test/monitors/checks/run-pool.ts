import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { WORKER_URL } from "../../../src/monitors/checks/worker-pool.ts";
import type { CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import type { ProbeConfig } from "../../../src/probe/probe-config.ts";
import { BLOCKPAGES_FILE } from "../../../src/probe/answer/fingerprints.ts";
import { bundleScript } from "../../run-script.ts";
import { carryOut } from "./carry-out.ts";
import type { PoolOrder, PoolReply, PlainOptions } from "./pool-order.ts";

const FINGERPRINTS: unknown = JSON.parse(readFileSync(BLOCKPAGES_FILE, "utf8"));

export const PLAIN_CONFIG: ProbeConfig = {
  allowPrivate: [],
  ownAddresses: [],
  connectTo: [],
  roots: { everywhere: [], national: [] },
  allowedPorts: [],
  fingerprints: FINGERPRINTS,
};

export interface PoolTrial {
  readonly targets: readonly CheckTarget[];
  readonly config?: Partial<ProbeConfig>;
  readonly options?: Partial<PlainOptions>;
  readonly workerUrl?: URL;
  readonly abortAfterDone?: number;
  /** PEM file of a root that the whole process trusts. */
  readonly rootCaFile?: string;
}

/** Runs a pool in a process of its own, which trusts the given root and can be measured. Throws if it does not end by itself. */
export async function runPool(trial: PoolTrial): Promise<PoolReply> {
  const script = await bundleScript(new URL("pool-script.ts", import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: trial.rootCaFile ?? "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(orderOf(trial)));
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`the pool ended with code ${code}`);
  // Printed by our own script.
  return JSON.parse(answer) as PoolReply;
}

/** Runs a pool in this process, which trusts the root of all simulations. Handles and growth include those of other tests. */
export function runPoolHere(trial: PoolTrial): Promise<Omit<PoolReply, "handles" | "grownMb">> {
  return carryOut(orderOf(trial));
}

function orderOf(trial: PoolTrial): PoolOrder {
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

/** Number of results of each kind: `healthy`, `skipped`, or a code. */
export function countVerdicts({
  verdicts,
}: Pick<PoolReply, "verdicts">): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [, verdict] of verdicts) {
    const word = "code" in verdict ? verdict.code : verdict.kind;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
