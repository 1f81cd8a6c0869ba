import type { State } from "../../model/state.ts";
import type { ETag, ObjectStore } from "../../model/store.ts";
import { deliver } from "../../notify/deliver.ts";
import { idsIn, type OwnerSource, readOwnerSource } from "../../notify/owners/owner-source.ts";
import { sendToOwner } from "../../notify/owners/send-to-owner.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { writeEdits } from "../../state/edit-inbox.ts";
import { loadState, STATE_KEY } from "../../state/state-file.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import type { Log } from "../log/log.ts";
import type { Io } from "../options/io.ts";
import type { NotifySource } from "./notify-cycle.ts";
import type { PushKeyPair } from "./push-key.ts";

/** Messages at once: most of the time is spent waiting for receivers. */
const CONCURRENCY = 64;

/** What owners of monitors are told with. */
export interface OwnerNotices {
  readonly stateStore: ObjectStore;
  readonly keys: PushKeyPair;
  /** Refuses what a monitor may not have. */
  readonly probe: ProbeDependencies;
}

/** Owners of monitors, and what they are told. The state is read again only if it has changed. */
export function createOwnerNotices(
  { stateStore, keys, probe }: OwnerNotices,
  io: Io,
  log: Log,
): NotifySource {
  const readState = createStateReader(stateStore, log);
  return {
    ledgerKey: "owners.json.gz",
    deliver: ({ ledger, holder }) => {
      let source: OwnerSource | undefined;
      let state: State | undefined;
      return deliver({
        ledger,
        holder,
        readSource: async (taken) => {
          state = await readState();
          source = await readOwnerSource(stateStore, state, taken, io.wallMs());
          return source;
        },
        send: async (key, message) => {
          const receiver = source?.channels.get(key);
          if (receiver === undefined || state === undefined)
            return { kind: "failed", reason: "no such channel" };
          return sendToOwner(receiver, message, {
            probe,
            signal: io.stop,
            keys: { ...keys, contact: contactOf(state) },
            websiteUrl: state.baseUrl?.replace(/\/+$/u, ""),
            wallMs: io.wallMs,
          });
        },
        stopChannel: (key) => stopChannel(key, stateStore, io.wallMs(), log),
        onFailed: (key, reason, tries) =>
          log.emit({ event: "notice-failed", monitor: idsIn(key).monitorId, reason, tries }),
        wallMs: io.wallMs,
        signal: io.stop,
        concurrency: CONCURRENCY,
      });
    },
  };
}

async function stopChannel(
  key: string,
  stateStore: ObjectStore,
  atMs: number,
  log: Log,
): Promise<void> {
  const { monitorId: id, channelId } = idsIn(key);
  log.emit({ event: "channel-stopped", monitor: id });
  await writeEdits(stateStore, createInboxId(atMs), [
    { kind: "channel-stopped", id, channelId, atMs },
  ]);
}

function createStateReader(stateStore: ObjectStore, log: Log): () => Promise<State> {
  let known: { readonly etag: ETag; readonly state: State } | undefined;
  return async () => {
    if (known !== undefined && (await stateStore.find(STATE_KEY)) === known.etag)
      return known.state;
    const { state, etag } = await loadState(stateStore, log.emit);
    known = etag === undefined ? undefined : { etag, state };
    return state;
  };
}

/** Whom the service of a browser can ask about us. */
function contactOf({ siteSettings, baseUrl }: State): string {
  const { contact } = siteSettings.people;
  if (contact !== undefined && /^(?:mailto:|https:)/u.test(contact)) return contact;
  const host = baseUrl === null ? "localhost" : new URL(baseUrl).hostname;
  return `mailto:status-snapshot@${host}`;
}
