import { setImmediate } from "node:timers/promises";
import { hostOf, type CheckTarget } from "./target.ts";

/** Monitors of one host, to be checked one after another. Never empty. */
export type HostGroup = readonly CheckTarget[];

/** So many URLs are parsed before others get their turn on this thread: about a millisecond. */
const STRIDE = 500;

/**
 * Groups the targets by host, in an order of chance, so that whoever is skipped for want of time is somebody else in each run.
 * What failed last time goes last, in groups of its own: it will probably take its whole time-out again, and nobody shall wait
 * for it, not even its neighbours on the same host.
 *
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

/** Fisher and Yates. */
function shuffle<T>(items: readonly T[], random: () => number): readonly T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [mixed[at], mixed[other]];
    if (one !== undefined && two !== undefined) [mixed[at], mixed[other]] = [two, one];
  }
  return mixed;
}
