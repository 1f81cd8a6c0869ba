import { decodeState, encodeState } from "./history/codec.ts";
import type { Emit } from "./model/event.ts";
import { EMPTY_STATE, type State } from "./model/state.ts";
import type { ETag, ObjectStore, WriteResult } from "./model/store.ts";

export const STATE_KEY = "state.json.gz";

/** The private state cannot be read. It is never overwritten: whoever runs us decides what becomes of it. */
export class StateError extends Error {
  override readonly name = "StateError";
}

export interface LoadedState {
  readonly state: State;
  /** Undefined: there is no state yet. */
  readonly etag: ETag | undefined;
}

/** The newest state, or the empty one before the first. Throws `StateError`, `StoreError`. */
export async function loadState(store: ObjectStore, emit: Emit): Promise<LoadedState> {
  const found = await store.read(STATE_KEY);
  if (found === undefined) return { state: EMPTY_STATE, etag: undefined };
  const decoded = decodeState(found.body);
  if (decoded.kind === "invalid") {
    throw new StateError(`${STATE_KEY} in ${store.name}: ${decoded.message}`);
  }
  if (decoded.migratedFrom !== undefined) {
    emit({ event: "state-migrated", fromVersion: decoded.migratedFrom });
  }
  return { state: decoded.state, etag: found.etag };
}

/**
 * Replaces the state in one step if it is still the one of the tag (undefined: if there is none yet). Throws `StoreError`.
 */
export function saveState(
  store: ObjectStore,
  state: State,
  etag: ETag | undefined,
): Promise<WriteResult> {
  return store.write(
    STATE_KEY,
    { body: encodeState(state), contentType: "application/gzip", cacheControl: "no-store" },
    etag === undefined ? { kind: "absent" } : { kind: "unchanged", etag },
  );
}
