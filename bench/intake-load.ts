import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { decodeInbox } from "../src/reports/inbox.ts";

/*
 * `tsx bench/intake-load.ts [PER_SECOND] [SECONDS] [well|failing] [MIN_INTERVAL_MS]`: an intake in a process of its own, with a directory as
 * its store (or one that fails, so that all goes into the journal), and clients that post at a fixed rate, whether or not the
 * answers come. Prints how long the answers took from the moment at which the report was due, what was kept, and the memory
 * of the intake. It measures and judges nothing, except that a report that was lost is an error.
 */

const SERVER = fileURLToPath(new URL("intake-server.ts", import.meta.url));
const TICK_MS = 5;
const [perSecond = 1_000, seconds = 5] = process.argv.slice(2, 4).map(Number);
const [mood = "well", minIntervalMs = "0"] = process.argv.slice(4);

interface Answer {
  readonly status: number;
  readonly tookMs: number;
}

function post(url: string, agent: Agent, number: number, dueMs: number): Promise<Answer> {
  // Networks all over 256 blocks, some of them more than once.
  const address = `${(number % 223) + 1}.${(number * 7) % 256}.${(number * 13) % 256}.1`;
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/report/service-${number % 85}`, {
      method: "POST",
      agent,
      headers: { "X-Forwarded-For": address, "Content-Length": "0" },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      response.resume();
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, tookMs: performance.now() - dueMs }),
      );
    });
    sent.end();
  });
}

/** Posts at the rate, and waits for all answers. */
async function load(url: string): Promise<readonly Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const startMs = performance.now();
  const answers: Promise<Answer>[] = [];
  while (answers.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startMs) / 1_000) * perSecond);
    while (answers.length < due) {
      const dueMs = startMs + (answers.length / perSecond) * 1_000;
      answers.push(post(url, agent, answers.length, dueMs));
    }
    await sleep(TICK_MS);
  }
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}

function percentile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

async function countInbox(folder: string): Promise<readonly [objects: number, reports: number]> {
  const names = await readdir(join(folder, "state/inbox")).catch(() => []);
  let reports = 0;
  for (const name of names) {
    const found = decodeInbox(await readFile(join(folder, "state/inbox", name)));
    if (found.kind !== "ok") throw new Error(found.message);
    reports += found.reports.length;
  }
  return [names.length, reports];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-bench-"));
  const child = spawn(process.execPath, ["--import", "tsx", SERVER, folder, mood, minIntervalMs], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  try {
    const url = await nextLine();
    const answers = await load(url);
    child.stdin.end();
    const report = await nextLine();
    await once(child, "close");
    const accepted = answers.filter(({ status }) => status === 202).length;
    const times = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
    const [objects, kept] = await countInbox(folder);
    const percentiles = [0.5, 0.9, 0.99, 1].map((share) => percentile(times, share)).join(" / ");
    console.log(
      `${perSecond}/s for ${seconds} s, store ${mood}, at least ${minIntervalMs} ms between writes: ${answers.length} posts`,
    );
    console.log(`answers: ${accepted} of 202; p50 / p90 / p99 / max ${percentiles} ms`);
    console.log(`inbox: ${kept} reports in ${objects} objects; ${report}`);
    if (mood === "well" && kept !== accepted) throw new Error(`${accepted - kept} reports lost`);
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
