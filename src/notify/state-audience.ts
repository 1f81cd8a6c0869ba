import type { Emit } from "../model/run-event.ts";
import type { State } from "../model/state.ts";
import type { ETag, ObjectStore } from "../model/store.ts";
import type { ProbeDependencies } from "../probe/probe.ts";
import { loadState, STATE_KEY } from "../state/state-file.ts";
import type { PushClient } from "./channels/push.ts";

/** With what those are told who hear of a state: owners of monitors, and visitors. */
export interface StateAudience {
  readonly stateStore: ObjectStore;
  readonly readState: ReturnType<typeof createStateReader>;
  readonly push: PushClient;
  /** Refuses what a monitor may not have. */
  readonly probe: ProbeDependencies;
  readonly wallMs: () => number;
  readonly stop: AbortSignal;
  readonly emit: Emit;
}

/** Gives the newest state, which is read again only if it has changed. The reader throws `StateError`, `StoreError`. */
export function createStateReader(stateStore: ObjectStore): () => Promise<State> {
  let known: { readonly etag: ETag; readonly state: State } | undefined;
  return async () => {
    if (known !== undefined && (await stateStore.find(STATE_KEY)) === known.etag)
      return known.state;
    const { state, etag } = await loadState(stateStore);
    known = etag === undefined ? undefined : { etag, state };
    return state;
  };
}

export type NoticeDependencies = ReturnType<typeof sendingOf>;

/** How notices about this state are sent. */
export function sendingOf(
  state: Pick<State, "siteSettings" | "baseUrl">,
  { push, probe, stop }: StateAudience,
) {
  return {
    probe,
    signal: stop,
    push,
    /** Whom the service of a browser can ask about our messages. */
    contact: contactOf(state),
    /** Of the website, without a slash at its end; "": it is not known. */
    baseUrl: state.baseUrl?.replace(/\/+$/u, "") ?? "",
  };
}

function contactOf({ siteSettings, baseUrl }: Pick<State, "siteSettings" | "baseUrl">): string {
  const { contact } = siteSettings.people;
  if (contact !== undefined && /^(?:mailto:|https:)/u.test(contact)) return contact;
  const host = baseUrl === null ? "localhost" : new URL(baseUrl).hostname;
  return `mailto:status-snapshot@${host}`;
}
