import { setImmediate } from "node:timers/promises";
import { hostOf, type CheckTarget } from "./target.ts";

/** Monitors of one host, to be checked one after another. Never empty. */
export type HostGroup = readonly CheckTarget[];

/** So many URLs are parsed before others get their turn on this thread: about a millisecond. */
const STRIDE = 500;

/**
 * Groups the targets by host. Hosts of which every monitor failed last time go last: they will probably take their whole
 * time-outs again, and nobody shall wait for them.
 */
export async function planGroups(targets: readonly CheckTarget[]): Promise<readonly HostGroup[]> {
  const byHost = new Map<string, CheckTarget[]>();
  for (const [index, target] of targets.entries()) {
    const host = hostOf(target.url);
    const group = byHost.get(host);
    if (group === undefined) byHost.set(host, [target]);
    else group.push(target);
    if (index % STRIDE === STRIDE - 1) await setImmediate();
  }
  const alive: HostGroup[] = [];
  const dead: HostGroup[] = [];
  for (const group of byHost.values()) (isDead(group) ? dead : alive).push(group);
  return [...alive, ...dead];
}

function isDead(group: HostGroup): boolean {
  return group.every(({ lastState }) => lastState === "failing");
}
