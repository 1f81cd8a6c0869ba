import { decodeState, encodeState } from "./codec/state.ts";
import { EMPTY_STATE, type State } from "../model/state.ts";
import {
  type ConditionalWriteResult,
  writeIfUnchanged,
  type ETag,
  type ObjectStore,
} from "../model/store.ts";

export const STATE_KEY = "state.json.gz";

/** The private state cannot be read. It is never overwritten: the operator decides what to do with it. */
export class StateError extends Error {
  override readonly name = "StateError";
}

export interface LoadedState {
  readonly state: State;
  /** Undefined: there is no state yet. */
  readonly etag: ETag | undefined;
}

/** The newest state, or the empty state if there is none yet. Throws `StateError`, `StoreError`. */
export async function loadState(store: ObjectStore): Promise<LoadedState> {
  const found = await store.read(STATE_KEY);
  if (found === undefined) return { state: EMPTY_STATE, etag: undefined };
  const decoded = decodeState(found.body);
  if (decoded.kind === "invalid") {
    throw new StateError(`${STATE_KEY} in ${store.name}: ${decoded.message}`);
  }
  return { state: decoded.value, etag: found.etag };
}

/** Replaces the state if it still has the tag (undefined: if there is none yet). Throws `StoreError`. */
export function saveState(
  store: ObjectStore,
  state: State,
  etag: ETag | undefined,
): Promise<ConditionalWriteResult> {
  const body = encodeState(state);
  const object = { body, contentType: "application/gzip", cacheControl: "no-store" };
  return writeIfUnchanged(store, STATE_KEY, object, etag);
}
