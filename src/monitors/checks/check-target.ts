import { setImmediate } from "node:timers/promises";
import type { CheckedMonitor } from "../../model/monitor/monitor.ts";
import type { EngineCounts } from "../../model/run-event.ts";
import { monitorLimits } from "../../probe/limits.ts";
import type { ProbeTarget } from "../../probe/probe.ts";

/** A monitor as the workers need it. */
export interface CheckTarget extends CheckedMonitor {
  /** Result of its last decided check. */
  readonly lastState: "healthy" | "failing" | "unknown";
  /** It was healthy before, so a refusal is a failure of its site. @default false */
  readonly wasHealthy?: boolean;
}

/** Hears of the checks of a run. */
export interface CheckObserver {
  readonly onProgress: (done: number) => void;
  /** A sentence about a fault of the checking itself. */
  readonly onWarning: (message: string) => void;
  /** The checks were made by workers elsewhere. */
  readonly onDone: (counts: EngineCounts) => void;
}

/** From this status on, an answer is not healthy by default. Source: docs/probe/measurement.md, "Monitors". */
const HEALTHY_BELOW = 400;

/** The probe of a monitor, with limits of its own. */
export function toProbeTarget({ url, expect, timeoutMs, body }: CheckTarget): ProbeTarget {
  return {
    url,
    trust: "public",
    // Its owner defines healthy by statuses and texts.
    works: "answer",
    ...(expect === undefined ? { healthyBelow: HEALTHY_BELOW } : { expect }),
    ...(body === undefined ? {} : { body }),
    limits: monitorLimits(timeoutMs, body !== undefined),
  };
}

/** Host of a URL; first checks of one host never run concurrently. Empty if the text is not a URL. */
export function hostOfTarget(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** Monitors of one host, to be checked one after another. Never empty. */
export type HostGroup = readonly CheckTarget[];

/** Number of URLs that are parsed before this thread handles other events: about a millisecond. */
const STRIDE = 500;

/**
 * Groups the targets by host, in random order, so that a different part is skipped in each run that runs out of time. Targets that
 * failed last time come last, in groups of their own: they will probably take their whole timeout again, and should not delay
 * others, even on the same host.
 * @param random uniform in [0, 1).
 */
export async function planGroups(
  targets: readonly CheckTarget[],
  random: () => number,
): Promise<readonly HostGroup[]> {
  const alive = new Map<string, CheckTarget[]>();
  const dead = new Map<string, CheckTarget[]>();
  for (const [index, target] of shuffle(targets, random).entries()) {
    const groups = target.lastState === "failing" ? dead : alive;
    const host = hostOfTarget(target.url);
    const group = groups.get(host);
    if (group === undefined) groups.set(host, [target]);
    else group.push(target);
    if (index % STRIDE === STRIDE - 1) await setImmediate();
  }
  return [...alive.values(), ...dead.values()];
}

/** Fisher–Yates shuffle. */
function shuffle<T>(items: readonly T[], random: () => number): readonly T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [mixed[at], mixed[other]];
    if (one !== undefined && two !== undefined) [mixed[at], mixed[other]] = [two, one];
  }
  return mixed;
}
