import { groupBy } from "../../model/lists.ts";

/**
 * Who asked for a challenge: the keyed hashes of a network and of the block around it, with a dot between them, as one text. Challenges
 * of older versions have the network alone, which is then a block of its own.
 */
export function senderOf({
  network,
  block,
}: Readonly<Record<"network" | "block", string>>): string {
  return `${network}.${block}`;
}

/** The block of a sender. */
export function blockOfSender(sender: string): string {
  return sender.split(".")[1] ?? sender;
}

export interface Waiting {
  readonly sender: string;
  readonly sinceMs: number;
}

/**
 * Which of those that wait gives its place to a new one: of the block that has most, of the network in it that has most, the oldest. So
 * a stranger with many networks of one block displaces his own, and needs as many blocks as there are places to displace another.
 * Undefined: nothing waits. Pure.
 */
export function chooseDisplaced<T extends Waiting>(waiting: readonly T[]): T | undefined {
  const oldestFirst = waiting.toSorted((a, b) => a.sinceMs - b.sinceMs);
  const ofBlock = largestGroup(oldestFirst, ({ sender }) => blockOfSender(sender));
  return largestGroup(ofBlock, ({ sender }) => sender)[0];
}

/** Of groups of equal size, the one that begins first in the list. */
function largestGroup<T>(items: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const groups = [...groupBy(items, keyOf).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}
