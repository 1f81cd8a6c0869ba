import type { CheckResult } from "../model/monitor/monitor.ts";
import type { EngineCounts } from "../model/run-event.ts";
import { createSignal } from "../model/stopping.ts";
import { SECOND_MS } from "../model/time.ts";
import type { CheckTarget } from "../monitors/checks/check-target.ts";
import { type Handling, packWork, unpackResults } from "./batches.ts";
import type { BatchName } from "./names.ts";

/** A vantage that is silent for so long after another one is done is not waited for. */
const PATIENCE_MS = 30 * SECOND_MS;

export type DispatchLedger = ReturnType<typeof openDispatchLedger>;

/** What was sent, and what has come back. `now` is monotonic; `onAnswered` gets the monitors that the first vantage answered. */
export function openDispatchLedger(
  batches: readonly (readonly CheckTarget[])[],
  vantages: readonly string[],
  now: () => number,
  onAnswered: (monitors: number) => void,
) {
  const packed = batches.map((batch) => ({ ...packWork(batch), ids: batch.map(({ id }) => id) }));
  const answers = new Map<string, ReadonlyMap<string, CheckResult>>();
  const tally = createTally(now);
  const waiting = waitForVantages(vantages, packed.length);
  let [monitors, isClosed] = [0, false];
  const isTaken = (name: BatchName, bytes: Uint8Array): boolean => {
    const batch = packed[name.number];
    const isWanted = batch !== undefined && vantages.includes(name.vantage);
    if (isClosed || !isWanted || answers.has(keyOf(name))) return false;
    const answer = unpackResults(bytes, batch.ids, batch.digest);
    if (answer === undefined) return false;
    answers.set(keyOf(name), new Map(answer.results));
    tally.answered(name, answer);
    if (name.vantage === vantages[0]) onAnswered((monitors += batch.ids.length));
    waiting.answered(name.vantage);
    return true;
  };
  const answersTo = (ids: readonly string[], number: number) => {
    const each = vantages.map((vantage) => answers.get(keyOf({ vantage, number })));
    return ids.map((id) => [id, mergeResults(each.map((one) => one?.get(id)))] as const);
  };
  return {
    /** The packed batches for each vantage, by their number. */
    work: packed.map(({ bytes }) => bytes),
    /** A batch is in the stream, as the message with this number. */
    sent: tally.sent,
    /** A worker gave back the message with this number; it may belong to another cell. */
    gaveBack: tally.gaveBack,
    accept: (name: BatchName | undefined, bytes: Uint8Array): void => {
      if (name === undefined || !isTaken(name, bytes)) tally.dropped();
    },
    /** Resolves when nothing is worth waiting for. */
    done: waiting.done,
    isComplete: () => answers.size === packed.length * vantages.length,
    /** What arrives from now on is dropped. */
    close: (): void => {
      isClosed = true;
      waiting.stop();
    },
    counts: (): EngineCounts => ({ ...tally.counts(), answered: answers.size }),
    /** A result for each target of the batches. */
    results: (): ReadonlyMap<string, CheckResult> =>
      new Map(packed.flatMap(({ ids }, number) => answersTo(ids, number))),
  };
}

/** Counts, and times since now. */
function createTally(now: () => number) {
  const startedMs = now();
  const sentAtMs = new Map<string, number>();
  const sequences = new Set<number>();
  let [redelivered, returned, dropped, lagMs, durationMs] = [0, 0, 0, 0, 0];
  return {
    sent: (name: BatchName, sequence: number): void => {
      sentAtMs.set(keyOf(name), now());
      sequences.add(sequence);
    },
    gaveBack: (sequence: number): void => {
      if (sequences.has(sequence)) returned += 1;
    },
    dropped: (): void => {
      dropped += 1;
    },
    answered: (name: BatchName, { delivery, checkMs }: Handling): void => {
      if (delivery > 1) redelivered += 1;
      const agoMs = now() - (sentAtMs.get(keyOf(name)) ?? now());
      lagMs = Math.max(lagMs, Math.round(agoMs - checkMs));
      durationMs = Math.round(now() - startedMs);
    },
    counts: () => ({ batches: sentAtMs.size, redelivered, returned, dropped, lagMs, durationMs }),
  };
}

function keyOf({ vantage, number }: Pick<BatchName, "vantage" | "number">): string {
  return `${vantage} ${number}`;
}

/** Each vantage owes an answer for every batch. */
function waitForVantages(vantages: readonly string[], batches: number) {
  const owed = new Map(vantages.map((vantage) => [vantage, batches]));
  let timer: NodeJS.Timeout | undefined;
  const [done, resolve] = createSignal<void>();
  if (batches === 0) resolve();
  return {
    done,
    answered: (vantage: string): void => {
      owed.set(vantage, (owed.get(vantage) ?? 0) - 1);
      const complete = [...owed.values()].filter((left) => left === 0).length;
      if (complete === vantages.length) resolve();
      clearTimeout(timer);
      if (complete > 0) timer = setTimeout(resolve, PATIENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** What several vantages say: it works if it works for one, and fails only if all that answered say so. Pure. */
export function mergeResults(results: readonly (CheckResult | undefined)[]): CheckResult {
  const told = results.filter((one) => one !== undefined && one.kind !== "skipped");
  return (
    told.find((one) => one.kind === "healthy") ??
    told.find((one) => one.kind === "failing") ??
    told[0] ?? { kind: "skipped" }
  );
}
