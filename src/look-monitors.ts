import { concludeChecks } from "./checks/conclude.ts";
import type { Way } from "./look-anchors.ts";
import type { Emit } from "./model/event.ts";
import type { CheckVerdict, Monitor, MonitorWarning } from "./model/monitor.ts";
import { SECOND_MS } from "./model/time.ts";

/** A monitor, and what its record says of it before this run. */
export type CheckTarget = Monitor & {
  /** What the last run that decided it found. */
  readonly lastState: "healthy" | "failing" | "unknown";
  /** It was healthy once, as far as its record remembers. */
  readonly wasHealthy: boolean;
  /** Of its last healthy check. */
  readonly warning?: MonitorWarning;
};

/** Checks monitors, apart from the services. Never rejects. What is not done when the signal comes is skipped. */
export type CheckMonitors = (
  targets: readonly CheckTarget[],
  signal: AbortSignal,
  told: {
    readonly onProgress: (done: number) => void;
    /** A sentence about what went wrong with the checking itself. */
    readonly onWarning: (message: string) => void;
  },
) => Promise<ReadonlyMap<string, CheckVerdict>>;

/** What checking monitors touches. */
export interface CheckDependencies {
  readonly checkMonitors: CheckMonitors;
  readonly emit: Emit;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/** By id; undefined when none was to be checked, or no check counts. */
export type Checks = ReadonlyMap<string, CheckVerdict> | undefined;

/** Thousands of verdicts a second need no line each in a log. */
const PROGRESS_EVERY_MS = SECOND_MS;

/** Checks the monitors, and tells how far it is. Never rejects. */
export async function checkAll(
  { checkMonitors, emit, now }: CheckDependencies,
  targets: readonly CheckTarget[],
  signal: AbortSignal,
): Promise<Checks> {
  if (targets.length === 0) return undefined;
  const startedMs = now();
  const total = targets.length;
  let toldMs = startedMs;
  emit({ event: "monitors-started", monitors: total });
  const verdicts = await checkMonitors(targets, signal, {
    onProgress: (done) => {
      if (done < total && now() - toldMs < PROGRESS_EVERY_MS) return;
      toldMs = now();
      emit({ event: "monitors-checked", done, total });
    },
    onWarning: (message) => emit({ event: "monitors-disturbed", message }),
  });
  emit({
    event: "monitors-finished",
    ...countVerdicts(verdicts),
    durationMs: Math.round(now() - startedMs),
  });
  return verdicts;
}

/** The checks that count: those that went on for long after the services need anchors of their own. */
export async function believe(
  { emit }: CheckDependencies,
  way: Way,
  targets: readonly CheckTarget[],
  verdicts: Checks,
  stop: AbortSignal,
): Promise<Checks> {
  if (verdicts === undefined || stop.aborted) return undefined;
  const { state, unreachable } = await way.lookAgain();
  if (state !== "offline") return concludeChecks(targets, verdicts, way.rounds(), emit);
  emit({ event: "run-offline", unreachable });
  return undefined;
}

/** How many monitors ended in each way. */
export function countVerdicts(
  verdicts: ReadonlyMap<string, CheckVerdict>,
): Readonly<Record<CheckVerdict["kind"], number>> {
  const counts = { healthy: 0, failing: 0, refused: 0, skipped: 0 };
  for (const { kind } of verdicts.values()) counts[kind] += 1;
  return counts;
}
