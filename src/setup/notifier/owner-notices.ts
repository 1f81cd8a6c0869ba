import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { deliver } from "../../notify/deliver.ts";
import { idsIn, type OwnerSource, readOwnerSource } from "../../notify/owners/owner-source.ts";
import { sendToOwner } from "../../notify/owners/send-to-owner.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { writeEdits } from "../../state/edit-inbox.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import type { Log } from "../log.ts";
import type { Io } from "../io.ts";
import type { NotifySource } from "./notify-cycle.ts";
import type { PushKeyPair } from "../files/push-key.ts";
import { contactOf, type ReadState } from "./state-reader.ts";

/** Messages at once: most of the time is spent waiting for receivers. */
const CONCURRENCY = 64;

/** What owners of monitors are told with. */
export interface OwnerNotices {
  readonly stateStore: ObjectStore;
  readonly keys: PushKeyPair;
  /** Refuses what a monitor may not have. */
  readonly probe: ProbeDependencies;
}

/** Owners of monitors, and what they are told. */
export function createOwnerNotices(
  { stateStore, keys, probe }: OwnerNotices,
  readState: ReadState,
  io: Io,
  log: Log,
): NotifySource {
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
