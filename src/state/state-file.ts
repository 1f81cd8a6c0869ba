import { decodeState, encodeState } from "./codec/state.ts";
import { type StoredKind, toPrivateObject } from "./codec/stored.ts";
import { EMPTY_STATE, type State } from "../model/state.ts";
import { writeIfUnchanged, type ETag, type ObjectStore, StoreError } from "../model/store.ts";

export const STATE_KEY = "state.json.gz";

/** The private state cannot be read. It is never overwritten: the operator decides what to do with it. */
export class StateError extends Error {
  override readonly name = "StateError";
}

/** Whether a store or a state failed, and not the program. */
export function isStateFailure(error: unknown): error is StoreError | StateError {
  return error instanceof StoreError || error instanceof StateError;
}

export interface LoadedState {
  readonly state: State;
  /** Undefined: there is no state yet. */
  readonly etag: ETag | undefined;
}

/** A stored value and its tag; undefined if there is none. Throws `StateError`, `StoreError`. */
export async function loadStored<Value>(
  { decode }: Pick<StoredKind<Value>, "decode">,
  store: ObjectStore,
  key: string,
): Promise<{ readonly value: Value; readonly etag: ETag } | undefined> {
  const found = await store.read(key);
  if (found === undefined) return undefined;
  const decoded = decode(found.body);
  if (decoded.kind === "invalid")
    throw new StateError(`${key} in ${store.name}: ${decoded.message}`);
  return { value: decoded.value, etag: found.etag };
}

/** The newest state, or the empty state if there is none yet. Throws `StateError`, `StoreError`. */
export async function loadState(store: ObjectStore): Promise<LoadedState> {
  const found = await loadStored({ decode: decodeState }, store, STATE_KEY);
  return { state: found?.value ?? EMPTY_STATE, etag: found?.etag };
}

/** Replaces the state if it still has the tag (undefined: if there is none yet). Throws `StoreError`. */
export function saveState(store: ObjectStore, state: State, etag: ETag | undefined) {
  return writeIfUnchanged(store, STATE_KEY, toPrivateObject(encodeState(state)), etag);
}
