import { createHash } from "node:crypto";
import { type CheckTarget, hostOf } from "../monitors/checks/check-target.ts";

/** Targets of a batch, unless one host has more. A worker is done with it in some seconds. */
export const BATCH_TARGETS = 500;

/** Of a batch as JSON, before it is packed: well below a message, even of texts that do not pack. */
const BATCH_BYTES = 700_000;

/**
 * Divides the targets into batches, whole hosts together, those that failed last time at the end. The order of the hosts depends on
 * the slot alone: it differs from run to run, so a different part is skipped in each run that has no time left, and two publishers
 * of one slot send the same batches. Pure.
 *
 * @param most targets of a batch, unless one host has more.
 */
export function planBatches(
  targets: readonly CheckTarget[],
  slot: number,
  most: number = BATCH_TARGETS,
): readonly (readonly CheckTarget[])[] {
  const batches: CheckTarget[][] = [];
  let batch: CheckTarget[] = [];
  let bytes = 0;
  const close = (): void => {
    if (batch.length > 0) batches.push(batch);
    batch = [];
    bytes = 0;
  };
  for (const group of inOrder(targets, slot)) {
    if (batch.length > 0 && batch.length + group.length > most) close();
    for (const target of group) {
      const size = sizeOf(target);
      if (bytes + size > BATCH_BYTES) close();
      batch.push(target);
      bytes += size;
    }
  }
  close();
  return batches;
}

/** An upper bound of its JSON, if keys have less than 20 characters and numbers less than 6. */
function sizeOf(target: CheckTarget): number {
  let size = 0;
  for (const value of Object.values(target)) {
    if (typeof value === "string") size += 3 * value.length;
    else if (Array.isArray(value)) size += 6 * value.length;
    size += 30;
  }
  return size;
}

function inOrder(targets: readonly CheckTarget[], slot: number): readonly CheckTarget[][] {
  const groups = new Map<string, CheckTarget[]>();
  for (const target of targets) {
    const key = `${target.lastState === "failing" ? "1" : "0"} ${hostOf(target.url)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [target]);
    else group.push(target);
  }
  const keyed = [...groups].map(([key, group]) => ({ place: placeOf(key, slot), group }));
  return keyed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ group }) => group);
}

/** Like a random number, and the same for everybody. */
function placeOf(key: string, slot: number): string {
  return key.charAt(0) + createHash("md5").update(`${slot} ${key}`).digest("hex");
}
