import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadState } from "../src/state/state-file.ts";
import { eventsNamed } from "../test/cli/cli.ts";
import { loadIntake } from "./intake-load.ts";
import { cpuSecondsOf, residentBytesOf } from "./processes.ts";
import type { Figure } from "./report.ts";
import {
  describePublishes,
  describeStatuses,
  type Part,
  percentiles,
  timesOf,
} from "./reports-figures.ts";
import { openIntake, type Place } from "./reports-place.ts";

const HEAP_OVER_TIME = fileURLToPath(new URL("heap-over-time.cjs", import.meta.url));
const GOAL_MS = 50;
const MB = 1_000_000;
const SAMPLE_EVERY_MS = 200;
const SAMPLES_IN_10_S = 50;
/** For the last publish and garbage collection. */
const SETTLE_MS = 5_000;

export interface Flood {
  readonly perSecond: number;
  readonly seconds: number;
  /**
   * Networks that post in turn.
   * @default one for each post
   */
  readonly networks?: number;
}

/** A flood of reports: response times, losses, publishes, and memory over time. */
export async function benchFlood(
  place: Place,
  cwd: string,
  slugs: readonly string[],
  flood: Flood,
): Promise<Part> {
  const intake = await openIntake(place, cwd, `--require ${HEAP_OVER_TIME}`);
  const beforeBytes = residentBytesOf(intake.pid);
  const cpuBefore = cpuSecondsOf(intake.pid);
  const samples: number[] = [];
  const sample = (): void => void samples.push(residentBytesOf(intake.pid));
  const sampler = setInterval(sample, SAMPLE_EVERY_MS);
  try {
    const answers = await loadIntake(intake, { ...flood, slugs });
    clearInterval(sampler);
    const cpu = cpuSecondsOf(intake.pid) - cpuBefore;
    await sleep(SETTLE_MS);
    const publishes = await describePublishes(intake, answers.length);
    await intake.stop();
    const accepted = new Set(answers.flatMap(({ status, pair }) => (status === 202 ? [pair] : [])));
    const counted = await countPublished(place, slugs);
    const { perSecond, seconds, networks } = flood;
    const title = `${place.name}, ${perSecond}/s for ${seconds} s${networks === undefined ? "" : ` from ${networks} networks`}`;
    const inMb = (what: string, bytes: number): Figure => {
      return { what: `${title}: ${what}`, values: [bytes / MB], unit: "MB", digits: 0 };
    };
    return {
      figures: [
        ...percentiles(`${title}: answer`, timesOf(answers), GOAL_MS),
        inMb("memory before", beforeBytes),
        inMb("memory after 10 s", highestIn(samples, 1)),
        inMb("memory at its peak", Math.max(...samples)),
        inMb("memory in the last 10 s", highestIn(samples, samples.length / SAMPLES_IN_10_S)),
      ],
      notes: [
        `${title}: answers: ${describeStatuses(answers)}; the state has ${counted.state}, the documents ${counted.documents}: lost ${accepted.size - counted.documents}. CPU ${cpu.toFixed(0)} s. ${publishes}`,
        `${title}: MB every 10 s, resident: ${overTime(samples.filter((_, at) => at % SAMPLES_IN_10_S === 0))}; heap of the main thread: ${overTime(heapsOf(intake.log(), true))}; of the publisher thread: ${overTime(heapsOf(intake.log(), false))}.`,
      ],
    };
  } finally {
    clearInterval(sampler);
    if (intake.child.exitCode === null) await intake.kill();
  }
}

/** The maximum of the samples in the ten seconds before `tens` × 10 s. */
function highestIn(samples: readonly number[], tens: number): number {
  const end = Math.min(samples.length, Math.round(tens * SAMPLES_IN_10_S));
  return Math.max(...samples.slice(Math.max(0, end - SAMPLES_IN_10_S), end));
}

function heapsOf(log: string, ofMain: boolean): readonly number[] {
  return eventsNamed(log, "heap")
    .filter(({ isMainThread }) => isMainThread === ofMain)
    .map(({ bytes }) => Number(bytes));
}

function overTime(bytes: readonly number[]): string {
  return bytes.map((one) => (one / MB).toFixed(0)).join(", ");
}

async function countPublished(
  { publicStore, stateStore }: Place,
  slugs: readonly string[],
): Promise<{ readonly state: number; readonly documents: number }> {
  const { state } = await loadState(stateStore);
  const rows = [...state.reports.ledger.services.values()].flatMap(({ minutes }) => minutes);
  let documents = 0;
  for (const slug of slugs) {
    const found = await publicStore.read(`api/v1/status/${slug}`);
    documents += reportsDayOf(found?.body);
  }
  return { state: rows.reduce((sum, [, accepted]) => sum + accepted, 0), documents };
}

function reportsDayOf(body: Uint8Array | undefined): number {
  if (body === undefined) return 0;
  const { reportsDay } = Object(JSON.parse(new TextDecoder().decode(body)));
  return Number(reportsDay);
}
