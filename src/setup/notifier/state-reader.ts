import type { State } from "../../model/state.ts";
import type { ETag, ObjectStore } from "../../model/store.ts";
import { loadState, STATE_KEY } from "../../state/state-file.ts";

/** The newest state. Throws `StateError`, `StoreError`. */
export type ReadState = () => Promise<State>;

/** Reads a state again only if it has changed. */
export function createStateReader(stateStore: ObjectStore): ReadState {
  let known: { readonly etag: ETag; readonly state: State } | undefined;
  return async () => {
    if (known !== undefined && (await stateStore.find(STATE_KEY)) === known.etag)
      return known.state;
    const { state, etag } = await loadState(stateStore);
    known = etag === undefined ? undefined : { etag, state };
    return state;
  };
}

/** Whom the service of a browser can ask about our messages. */
export function contactOf({ siteSettings, baseUrl }: State): string {
  const { contact } = siteSettings.people;
  if (contact !== undefined && /^(?:mailto:|https:)/u.test(contact)) return contact;
  const host = baseUrl === null ? "localhost" : new URL(baseUrl).hostname;
  return `mailto:status-snapshot@${host}`;
}

/** The website without a slash at its end; undefined: there is none. */
export function websiteUrlOf({ baseUrl }: State): string | undefined {
  return baseUrl?.replace(/\/+$/u, "");
}
