import { randomBytes } from "node:crypto";
import type { ReportLedger } from "../model/service/reports.ts";
import type { ObjectStore } from "../model/store.ts";
import { loadState } from "../state/state-file.ts";
import {
  supportsConcurrentWriters,
  checkConditionalWrites,
} from "../store/conditional-write-check.ts";
import { findSecret, putSecret, UnusableStoreError } from "./network-hash-key.ts";

/** What an intake needs from its state store before it publishes. */
export interface StoreHandshake {
  /** The key of the network hashes. */
  readonly secret: Uint8Array;
  readonly ledger: ReportLedger;
}

/**
 * Reads what an intake needs from a state store, and checks that writers can share it. Throws `UnusableStoreError`, `StoreError`,
 * `StateError`.
 *
 * @param copy the intake's own copy of the secret, for a store that has lost it.
 */
export async function handshakeWith(
  store: ObjectStore,
  copy: Uint8Array | undefined,
): Promise<StoreHandshake> {
  // First, because a plain read finds a store that is down the soonest.
  const found = await findSecret(store);
  await requireConcurrentWriters(store);
  const secret = found ?? (await putSecret(store, copy));
  const { state } = await loadState(store);
  return { secret, ledger: state.reports.ledger };
}

/** Runs and the intake publish concurrently: a store that ignores conditions would let the older write win. */
async function requireConcurrentWriters(store: ObjectStore): Promise<void> {
  const key = `intake/${randomBytes(8).toString("hex")}`;
  // Twice, for a request that was lost looks like one that was refused.
  if (supportsConcurrentWriters(await checkConditionalWrites(store, key))) return;
  if (supportsConcurrentWriters(await checkConditionalWrites(store, key))) return;
  throw new UnusableStoreError(
    "write",
    key,
    `${store.name}: this store ignores the conditions of writes, so only one program may write there. Use another --state for an intake that works in parallel to runs; doctor says more.`,
  );
}

/** Runs an action until it has succeeded once; concurrent calls share one attempt. Rejects as the action does. */
export function untilDone(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
