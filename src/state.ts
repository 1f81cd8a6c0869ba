import { decodeState, encodeState } from "./history/codec.ts";
import type { Emit } from "./model/event.ts";
import { EMPTY_STATE, type State } from "./model/state.ts";
import type { ObjectStore } from "./model/store.ts";

const STATE_KEY = "state.json.gz";

/** The private state cannot be read. It is never overwritten: whoever runs us decides what becomes of it. */
export class StateError extends Error {
  override readonly name = "StateError";
}

/** The state of the last run, or the empty one before the first. Throws `StateError`, `StoreError`. */
export async function loadState(store: ObjectStore, emit: Emit): Promise<State> {
  const bytes = await store.read(STATE_KEY);
  if (bytes === undefined) return EMPTY_STATE;
  const decoded = decodeState(bytes);
  if (decoded.kind === "invalid") {
    throw new StateError(`${STATE_KEY} in ${store.name}: ${decoded.message}`);
  }
  if (decoded.migratedFrom !== undefined)
    emit({ event: "state-migrated", fromVersion: decoded.migratedFrom });
  return decoded.state;
}

/** Replaces the state in one step, and gives the bytes it is stored as. Throws `StoreError`. */
export async function saveState(store: ObjectStore, state: State): Promise<Uint8Array> {
  const body = encodeState(state);
  await store.write(STATE_KEY, { body, contentType: "application/gzip", cacheControl: "no-store" });
  return body;
}

/** Whether the stored state is still the one of these bytes. Throws `StoreError`. */
export async function isStored(store: ObjectStore, bytes: Uint8Array): Promise<boolean> {
  const held = await store.read(STATE_KEY);
  return held !== undefined && Buffer.compare(held, bytes) === 0;
}
