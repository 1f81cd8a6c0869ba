import type { ObjectStore } from "../../model/store.ts";
import type { Source } from "../../notify/deliver.ts";
import { idsIn, readOwnerOutbox } from "../../notify/owners/owner-outbox.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { writeEdits } from "../../state/inbox.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import type { Log } from "../log.ts";
import type { Io } from "../io.ts";
import type { PushKeyPair } from "../files/push-key.ts";
import { contactOf, type ReadState, websiteUrlOf } from "./state-reader.ts";

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
): Source {
  return {
    ledgerKey: "owners.json.gz",
    read: async (ledger) => {
      const state = await readState();
      return readOwnerOutbox(stateStore, state, ledger, {
        probe,
        signal: io.stop,
        keys: { ...keys, contact: contactOf(state) },
        websiteUrl: websiteUrlOf(state),
        wallMs: io.wallMs,
      });
    },
    stopChannel: (key) => stopChannel(key, stateStore, io.wallMs(), log),
    onFailed: (key, reason, tries) =>
      log.emit({ event: "notice-failed", monitor: idsIn(key).monitorId, reason, tries }),
    concurrency: CONCURRENCY,
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
