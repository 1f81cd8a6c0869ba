/** What became of an item: the result of the write that it was part of, or `overloaded` when too many wait. */
export interface GroupCommit<Item, Result> {
  /** Resolves when the write that the item is part of has ended, and rejects as that does. */
  readonly add: (item: Item) => Promise<Result | "overloaded">;
  /** Resolves when everything that was added has been written. Never rejects. */
  readonly drain: () => Promise<void>;
}

export interface GroupCommitOptions {
  /** At most so many items a write. */
  readonly maxItems: number;
  /** No item waits longer for its write to begin, however slow the ones before it are. */
  readonly maxWaitMs: number;
  /**
   * So long after the beginning of one write the next begins at the earliest, so that a quick store is not asked for hundreds
   * of small ones.
   * @default 0
   */
  readonly minIntervalMs?: number;
  /** Items that may be waiting or in a write; more are refused, so that memory stays bounded. */
  readonly maxPending: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes items together: a write begins at once when none is under way, and what arrives meanwhile joins the next. So a
 * quiet hour waits for nothing, and a flood costs as few writes as the store is slow. A full batch, or one whose first item
 * has waited `maxWaitMs`, does not wait for the write before it to end, nor for the interval.
 */
export function createGroupCommit<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result>,
  { maxItems, maxWaitMs, minIntervalMs = 0, maxPending }: GroupCommitOptions,
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let pending = 0;
  let timer: NodeJS.Timeout | undefined;
  let begunMs = Number.NEGATIVE_INFINITY;
  const running = new Set<Promise<() => void>>();

  function beginSoon(): void {
    const waitMs = running.size > 0 ? maxWaitMs : begunMs + minIntervalMs - performance.now();
    if (waitMs <= 0) return void begin();
    clearTimeout(timer);
    timer = setTimeout(() => void begin(), waitMs);
  }

  async function begin(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    begunMs = performance.now();
    const batch = waiting;
    waiting = [];
    const written = attempt(batch, write);
    running.add(written);
    const tell = await written;
    running.delete(written);
    pending -= batch.length;
    tell();
    if (running.size === 0 && waiting.length > 0) beginSoon();
  }

  return {
    add: (item) => {
      if (pending >= maxPending) return Promise.resolve("overloaded");
      pending += 1;
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (waiting.length >= maxItems) void begin();
        else if (timer === undefined) beginSoon();
      });
    },
    drain: async () => {
      while (running.size > 0 || waiting.length > 0) {
        if (waiting.length > 0) void begin();
        await Promise.all(running);
      }
    },
  };
}

/** Writes the batch; what is given back tells everybody how that ended. */
async function attempt<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  write: (items: readonly Item[]) => Promise<Result>,
): Promise<() => void> {
  try {
    const result = await write(batch.map(({ item }) => item));
    return () => batch.forEach(({ resolve }) => resolve(result));
  } catch (error) {
    return () => batch.forEach(({ reject }) => reject(error));
  }
}
