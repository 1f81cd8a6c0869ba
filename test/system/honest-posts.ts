import { setTimeout as delay } from "node:timers/promises";
import type { RunningIntake } from "../cli/running-intake.ts";
import { ask } from "./ask.ts";

const EVERY_MS = 40;
/** Blocks of addresses of the clients: with few networks per block, all are counted. */
const BLOCKS = 40;

export interface Posted {
  /** 0: no answer. */
  readonly status: number;
  readonly tookMs: number;
}

/** Posts at a fixed rate, each on its own connection from its own network. */
export async function postHonestly(
  { url }: RunningIntake,
  firstNetwork: number,
  count: number,
): Promise<readonly Posted[]> {
  const startMs = performance.now();
  const answers: Promise<Posted>[] = [];
  const post = async (network: number): Promise<Posted> => {
    const sentMs = performance.now();
    const from = `127.${200 + (network % BLOCKS)}.${Math.floor(network / BLOCKS)}.1`;
    const asked = ask(new URL(url), "/report/alpha", { method: "POST", from });
    const status = await asked.then((answer) => answer.status).catch(() => 0);
    return { status, tookMs: performance.now() - sentMs };
  };
  for (let number = 0; number < count; number += 1) {
    await delay(Math.max(0, startMs + number * EVERY_MS - performance.now()));
    answers.push(post(firstNetwork + number));
  }
  return Promise.all(answers);
}

/** Milliseconds: p50, p95, p99 and the longest. */
export function timesOf(posted: readonly Posted[]): readonly number[] {
  const sorted = posted.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return [0.5, 0.95, 0.99, 1].map((share) =>
    Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN),
  );
}
