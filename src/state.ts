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

/** Replaces the state in one step. Throws `StoreError`. */
export async function saveState(store: ObjectStore, state: State): Promise<void> {
  await store.write(STATE_KEY, {
    body: encodeState(state),
    contentType: "application/gzip",
    cacheControl: "no-store",
  });
}
