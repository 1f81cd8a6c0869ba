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
  const ofBlock = largestGroup(waiting, ({ sender }) => blockOfSender(sender));
  return oldestOf(largestGroup(ofBlock, ({ sender }) => sender));
}

/** Of groups of equal size, the one whose oldest is older. */
function largestGroup<T extends Waiting>(
  waiting: readonly T[],
  keyOf: (one: T) => string,
): readonly T[] {
  const groups = [...groupBy(waiting, keyOf).values()];
  const most = groups.reduce((size, { length }) => Math.max(size, length), 0);
  const largest = groups.filter(({ length }) => length === most);
  const oldest = oldestOf(largest.flat());
  return largest.find((group) => group.some((one) => one === oldest)) ?? [];
}

function oldestOf<T extends Waiting>(waiting: readonly T[]): T | undefined {
  return waiting.reduce<T | undefined>(
    (oldest, one) => (oldest === undefined || one.sinceMs < oldest.sinceMs ? one : oldest),
    undefined,
  );
}
