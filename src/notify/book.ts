import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "../model/time.ts";
import type { Ledger, LedgerFile } from "./ledger.ts";
import { type ChannelLedger, NEW_CHANNEL, pruneLedger } from "./rules/channel-ledger.ts";

/** Longer than a message takes, with the write after it. */
export const LEASE_MS: number = MINUTE_MS;

interface BookDependencies {
  readonly ledger: LedgerFile;
  /** Random name of this process. */
  readonly holder: string;
  readonly wallMs: () => number;
  /**
   * Least time between the beginnings of two writes, so that many messages share one: each write has all channels.
   * @default 0
   */
  readonly spacingMs?: number;
}

/** What a cycle knows, and writes down. */
export interface Book {
  readonly channels: () => ReadonlyMap<string, ChannelLedger>;
  /** Whether the lease lasts longer than a message takes. */
  readonly isHeld: () => boolean;
  readonly get: (channel: string) => ChannelLedger;
  readonly set: (channel: string, next: ChannelLedger) => void;
  readonly drop: (channel: string) => void;
  /** Writes everything down, with a lease of this length. False: another notifier has written. Throws `StoreError`. */
  readonly save: (leaseMs: number) => Promise<boolean>;
  /** As `save`, and joins the write that waits, if there is one. */
  readonly record: () => Promise<boolean>;
}

/** The ledger while a cycle works on it. Writes follow one another; each has everything that is known when it begins. */
export function openBook(
  taken: Ledger,
  { ledger, holder, wallMs, spacingMs = 0 }: BookDependencies,
): Book {
  const channels = new Map(taken.channels);
  let untilMs = 0;
  const spacing = createSpacing(spacingMs);
  let isLost = false;
  let saving: Promise<boolean> = Promise.resolve(true);
  let queued: Promise<boolean> | undefined;
  const write = async (leaseMs: number): Promise<boolean> => {
    if (isLost) return false;
    spacing.begin();
    const nextMs = wallMs() + leaseMs;
    const lease = { lease: { holder, untilMs: nextMs } };
    try {
      isLost = !(await ledger.save({ ...taken, ...lease, channels: new Map(channels) }));
    } catch (error) {
      // Nothing more is sent that could not be written down.
      isLost = true;
      throw error;
    }
    if (!isLost) untilMs = nextMs;
    return !isLost;
  };
  const save = (leaseMs: number): Promise<boolean> => {
    saving = saving.then(() => write(leaseMs));
    return saving;
  };
  return {
    channels: (): ReadonlyMap<string, ChannelLedger> => channels,
    isHeld: () => !isLost && wallMs() < untilMs - LEASE_MS / 2,
    get: (channel: string) => channels.get(channel) ?? NEW_CHANNEL,
    set: (channel: string, next: ChannelLedger): void => {
      const pruned = pruneLedger(next, wallMs());
      if (pruned === undefined) channels.delete(channel);
      else channels.set(channel, pruned);
    },
    drop: (channel: string): void => void channels.delete(channel),
    save,
    record: (): Promise<boolean> => {
      queued ??= Promise.all([saving, spacing.wait()]).then(() => {
        queued = undefined;
        return save(LEASE_MS);
      });
      return queued;
    },
  };
}

/** Waits until the last beginning is so long ago. */
function createSpacing(spacingMs: number) {
  let beganMs = Number.NEGATIVE_INFINITY;
  return {
    begin: (): void => void (beganMs = performance.now()),
    wait: async (): Promise<void> => {
      const waitMs = beganMs + spacingMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
    },
  };
}
