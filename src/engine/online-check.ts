import { SECOND_MS } from "../model/time.ts";

/** Between two rounds of anchors: a worker ends several batches a second, and must not load the anchors. */
const EVERY_MS = 5 * SECOND_MS;

/** Whether this machine is online. */
export interface OnlineCheck {
  /** As of some seconds ago. */
  readonly recent: () => Promise<boolean>;
  /** By a round that begins after the call. */
  readonly fresh: () => Promise<boolean>;
}

export interface OnlineCheckDependencies {
  /** Asks the anchors. Never rejects. */
  readonly ask: () => Promise<boolean>;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Asks the anchors for all batches together, at most once in five seconds. */
export function createOnlineCheck({ ask, now, sleep }: OnlineCheckDependencies): OnlineCheck {
  let known: { readonly sinceMs: number; readonly isOnline: Promise<boolean> } | undefined;
  let next: Promise<boolean> | undefined;
  const begin = (): Promise<boolean> => {
    known = { sinceMs: now(), isOnline: ask() };
    return known.isOnline;
  };
  const beginLater = async (): Promise<boolean> => {
    await sleep(Math.max(0, (known?.sinceMs ?? 0) + EVERY_MS - now()));
    next = undefined;
    return begin();
  };
  return {
    recent: () =>
      known !== undefined && now() - known.sinceMs <= EVERY_MS ? known.isOnline : begin(),
    fresh: () => {
      next ??= beginLater();
      return next;
    },
  };
}
