import pLimit from "p-limit";
import * as z from "zod";
import {
  writeIfUnchanged,
  type ETag,
  type ObjectStore,
  STORE_CONCURRENCY,
} from "../model/store.ts";
import {
  type ChannelLedger,
  CHANNEL_LEDGER,
  NEW_CHANNEL,
  pruneLedger,
} from "./rules/channel-ledger.ts";
import { storedAs, toPrivateObject } from "../state/codec/stored.ts";
import { setTimeout as delay } from "node:timers/promises";
import { mapOf } from "../model/stored-maps.ts";
import { MINUTE_MS } from "../model/time.ts";
import { INSTANT } from "./rules/change.ts";

const LEDGER = z.strictObject({
  /** Number of the first change of the outbox that was not taken yet; absent before the first cycle. */
  cursor: z.exactOptional(z.int().min(1)),
  /** The right to send, held until it ends by the notifier with this random name. */
  lease: z.exactOptional(z.strictObject({ holder: z.string(), untilMs: INSTANT })),
  /** By key of the channel; one without news has none. */
  channels: mapOf(CHANNEL_LEDGER),
});

/** What a notifier knows between two cycles. */
export type Ledger = Readonly<z.output<typeof LEDGER>>;

/** A ledger of the longest outage stays far below 256 MiB. */
const STORED = storedAs<Ledger>(
  {
    name: "the ledger",
    format: "status-snapshot/ledger",
    maxMiB: 256,
  },
  LEDGER,
);

/** The ledger cannot be read. It is never overwritten: the operator decides what to do with it. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

/** The ledger as bytes: gzip over JSON. Throws if it does not fit its own layout. */
export const encodeLedger: (ledger: Ledger) => Uint8Array = STORED.encode;

/** The ledger in the bytes. Throws `LedgerError`. */
export function decodeLedger(bytes: Uint8Array, name: string): Ledger {
  const decoded = STORED.decode(bytes);
  if (decoded.kind === "ok") return decoded.value;
  throw new LedgerError(
    `${name} is not a ledger of this program, or damaged. Restore it from a copy, or remove it: then only changes of the last quarter of an hour are sent.`,
  );
}

export type LedgerFile = Awaited<ReturnType<typeof openLedger>>;

/** Objects of the ledgers of one audience. */
export type LedgerKeys = readonly [first: string, ...others: readonly string[]];

export type Ledgers = readonly [first: LedgerFile, ...others: readonly LedgerFile[]];

/**
 * Opens the ledger under a key, written only over the version that was read or written last. Throws `LedgerError`, `StoreError`.
 *
 * @param channels of a ledger that is not there yet.
 */
export async function openLedger(
  store: ObjectStore,
  key: string,
  channels: Ledger["channels"] = new Map(),
) {
  const found = await store.read(key);
  const name = `${key} in ${store.name}`;
  let ledger: Ledger = found === undefined ? { channels } : decodeLedger(found.body, name);
  let etag: ETag | undefined = found?.etag;
  const findOwn = async (body: Uint8Array): Promise<ETag | undefined> => {
    const stored = await store.read(key);
    return stored !== undefined && Buffer.from(stored.body).equals(body) ? stored.etag : undefined;
  };
  return {
    current: () => ledger,
    /** Whether it was read or written. */
    isStored: () => etag !== undefined,
    /** False: another notifier has written it. Throws `StoreError`. */
    save: async (next: Ledger): Promise<boolean> => {
      const body = encodeLedger(next);
      const result = await writeIfUnchanged(store, key, toPrivateObject(body), etag);
      // After an unclear answer only the content shows whose write it was; a lease has the name of its holder.
      const written = result.kind === "written" ? result.etag : await findOwn(body);
      if (written === undefined) {
        if (result.kind === "unknown") throw result.error;
        return false;
      }
      etag = written;
      ledger = next;
      return true;
    },
  };
}

/**
 * Opens the ledgers of one audience. The first has what all share; another that is not there yet begins with the channels of the first,
 * which may have been the only one until now. Throws `LedgerError`, `StoreError`.
 */
export async function openLedgers(
  store: ObjectStore,
  [first, ...others]: LedgerKeys,
): Promise<Ledgers> {
  const head = await openLedger(store, first);
  const { channels } = head.current();
  const rest = await pLimit(STORE_CONCURRENCY).map(others, (key) =>
    openLedger(store, key, channels),
  );
  return [head, ...rest];
}

/** Longer than a message takes, with the write after it. */
export const LEASE_MS: number = MINUTE_MS;

export interface Turn {
  readonly ledgers: Ledgers;
  readonly holder: string;
  readonly wallMs: () => number;
  readonly signal: AbortSignal;
}

export type Book = ReturnType<typeof openBook>;

/** Writes follow one another, at least `spacingMs` apart; each has all channels as they are when it begins. */
export function openBook(
  taken: Ledger,
  ledger: LedgerFile,
  { holder, wallMs }: Pick<Turn, "holder" | "wallMs">,
  spacingMs = 0,
) {
  const channels = new Map(taken.channels);
  let untilMs = 0;
  let beganMs = Number.NEGATIVE_INFINITY;
  let isLost = false;
  let saving: Promise<boolean> = Promise.resolve(true);
  let queued: Promise<boolean> | undefined;
  const write = async (leaseMs: number): Promise<boolean> => {
    if (isLost) return false;
    beganMs = performance.now();
    const lease = { holder, untilMs: wallMs() + leaseMs };
    try {
      isLost = !(await ledger.save({ ...taken, lease, channels: new Map(channels) }));
    } catch (error) {
      // Nothing more is sent that could not be written down.
      isLost = true;
      throw error;
    }
    if (!isLost) ({ untilMs } = lease);
    return !isLost;
  };
  const save = (leaseMs: number): Promise<boolean> => {
    saving = saving.then(() => write(leaseMs));
    return saving;
  };
  return {
    /** Whether the lease lasts longer than a message takes. */
    isHeld: () => !isLost && wallMs() < untilMs - LEASE_MS / 2,
    get: (channel: string) => channels.get(channel) ?? NEW_CHANNEL,
    set: (channel: string, next: ChannelLedger): void => {
      const pruned = pruneLedger(next, wallMs());
      if (pruned === undefined) channels.delete(channel);
      else channels.set(channel, pruned);
    },
    drop: (channel: string) => void channels.delete(channel),
    /** Writes everything down, with a lease of this length. False: another notifier has written. Throws `StoreError`. */
    save,
    /** As `save`, and joins the write that waits, if there is one. */
    record: (): Promise<boolean> => {
      queued ??= Promise.all([saving, waitUntil(beganMs + spacingMs)]).then(() => {
        queued = undefined;
        return save(LEASE_MS);
      });
      return queued;
    },
  };
}

async function waitUntil(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now();
  if (waitMs > 0) await delay(waitMs);
}
