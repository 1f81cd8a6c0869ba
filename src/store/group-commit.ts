export type GroupCommit<Item, Result> = ReturnType<typeof createGroupCommit<Item, Result>>;

export interface GroupCommitOptions {
  readonly maxItems: number;
  /** Longest time until the write of an item begins, however slow earlier writes are. */
  readonly maxWaitMs: number;
  /** Least time between the starts of two writes, so that a fast store does not get hundreds of small ones. */
  readonly minIntervalMs: number;
  /** Most items that wait or are being written; more are refused, so that memory is bounded. */
  readonly maxPending: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes items in batches: a write begins at once if none is running, and items that arrive meanwhile join the next. So a single
 * item never waits, and a slow store gets fewer, larger writes. A full batch, or one whose first item has waited `maxWaitMs`, waits
 * neither for the running write nor for the interval.
 */
export function createGroupCommit<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result>,
  { maxItems, maxWaitMs, minIntervalMs, maxPending }: GroupCommitOptions,
) {
  let waiting: Waiting<Item, Result>[] = [];
  let pending = 0;
  let timer: NodeJS.Timeout | undefined;
  let startedMs = Number.NEGATIVE_INFINITY;
  const running = new Set<Promise<() => void>>();

  function beginSoon(): void {
    const waitMs = running.size > 0 ? maxWaitMs : startedMs + minIntervalMs - performance.now();
    if (waitMs <= 0) return void begin();
    clearTimeout(timer);
    timer = setTimeout(() => void begin(), waitMs);
  }

  async function begin(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    startedMs = performance.now();
    const batch = waiting;
    waiting = [];
    const written = attempt(batch, write);
    running.add(written);
    const settle = await written;
    running.delete(written);
    pending -= batch.length;
    settle();
    if (running.size === 0 && waiting.length > 0) beginSoon();
  }

  return {
    /** Resolves with the result of the write that has the item, or `refused` if too many wait. Rejects as the write does. */
    add: (item: Item): Promise<Result | "refused"> => {
      if (pending >= maxPending) return Promise.resolve("refused");
      pending += 1;
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (waiting.length >= maxItems) void begin();
        else if (timer === undefined) beginSoon();
      });
    },
    /** Resolves when everything that was added has been written. Never rejects. */
    drain: async (): Promise<void> => {
      while (running.size > 0 || waiting.length > 0) {
        if (waiting.length > 0) void begin();
        await Promise.all(running);
      }
    },
  };
}

/** Writes the batch, and returns a function that settles the promises of its items. */
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
