import { randomBytes } from "node:crypto";
import type { Emit } from "../model/event.ts";
import type { ReportLedger } from "../model/reports.ts";
import type { ObjectStore } from "../model/store.ts";
import { loadState } from "../state.ts";
import { canShare, probeAbilities } from "../store/abilities.ts";
import { findSecret, putSecret, UnusableStoreError } from "./intake-secret.ts";

/** What an intake has to know of its state store before it publishes. */
export interface MetStore {
  /** The key of the networks' hashes. */
  readonly secret: Uint8Array;
  readonly ledger: ReportLedger;
}

/**
 * Asks a state store for what an intake needs, and tries whether it can be shared. Throws `UnusableStoreError`, `StoreError`,
 * `StateError`.
 *
 * @param copy the intake's own copy of the secret, for a store that has lost it.
 */
export async function meetStore(
  store: ObjectStore,
  copy: Uint8Array | undefined,
  emit: Emit,
): Promise<MetStore> {
  // First, for a store that is down says so soonest to a plain read.
  const found = await findSecret(store);
  await refuseToShare(store);
  const secret = found ?? (await putSecret(store, copy));
  const { state } = await loadState(store, emit);
  return { secret, ledger: state.reports.ledger };
}

/** Runs and the intake publish at once: a store that ignores conditions would let the older one win. */
async function refuseToShare(store: ObjectStore): Promise<void> {
  const key = `intake/${randomBytes(8).toString("hex")}`;
  // Twice, for a request that was lost looks like one that was refused.
  if (canShare(await probeAbilities(store, key))) return;
  if (canShare(await probeAbilities(store, key))) return;
  throw new UnusableStoreError(
    "write",
    key,
    `${store.name}: this store ignores the conditions of writes, so only one program may write there. Use another --state for an intake beside runs; doctor says more.`,
  );
}

/** The act, done again with each call until it has succeeded once, and by one call at a time. Rejects as it does. */
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
