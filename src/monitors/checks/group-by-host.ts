import { setImmediate } from "node:timers/promises";
import { hostOf, type CheckTarget } from "./check-target.ts";

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
    const byHost = target.lastState === "failing" ? dead : alive;
    const host = hostOf(target.url);
    const group = byHost.get(host);
    if (group === undefined) byHost.set(host, [target]);
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
