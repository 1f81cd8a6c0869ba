import { onceFor } from "../../model/lists.ts";
import { addFolded, forgetFolded } from "../../model/folded-ids.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type {
  OwnedMonitor,
  OwnerEdit,
  OwnerShard,
  OwnersNews,
  OwnersState,
} from "../../model/monitor/owned-monitor.ts";
import { DAY_MS } from "../../model/time.ts";
import { channelsOf } from "../../monitors/ownership/apply-edit.ts";
import {
  foldEdits,
  type NotedGeneration,
  noteChanges,
} from "../../monitors/ownership/fold-edits.ts";
import { isChecked } from "../../monitors/ownership/owner-phase.ts";
import { shardOf } from "../../model/monitor/shard.ts";
import type { CommitDependencies } from "../../publish/generation.ts";
import type { OpenInbox } from "../../state/inbox.ts";
import { advanceShards, OWNERS, readShards, type ShardCache } from "../../state/shards.ts";

/** As for reports: an object may return for two days after its removal. Source: docs/publish/protocol.md, "The inbox". */
const FOLDED_KEPT = { keepMs: 2 * DAY_MS, maxRanges: 1_000 };

export interface OwnedMonitors {
  /** Those that are checked, and have a page if they are public. */
  readonly checked: readonly Monitor[];
  /** Those that are not: they have no page, and their history stays. */
  readonly dormantIds: ReadonlySet<string>;
}

type OwnerShards = ReadonlyMap<number, OwnerShard>;

/** Owned monitors in a generation: their part of the state, and how the journal is applied after it is won. */
export type OwnersAdvance = Awaited<ReturnType<typeof advanceOwners>>;

export interface OwnersMemory {
  owners?: ShardCache<OwnerShard>;
  owned?: OwnedMonitors;
}

export interface OwnersDependencies extends Pick<CommitDependencies, "stateStore" | "pause"> {
  readonly memory: OwnersMemory;
}

/** The owned monitors of a state. Throws `StateError`, `StoreError`. */
export async function findOwned(
  { stateStore, memory }: OwnersDependencies,
  { owners }: { readonly owners: OwnersState },
  nowMs: number,
): Promise<OwnedMonitors> {
  const shards = await readShards(OWNERS, stateStore, owners, (memory.owners ??= {}));
  return selectOwned(shards, nowMs, memory);
}

/** The next generation of the owned monitors, with the edits of the inbox. Throws as `advanceMonitors`. */
export async function advanceOwners(
  deps: OwnersDependencies,
  before: OwnersState,
  inbox: Pick<OpenInbox<OwnerEdit>, "take">,
  nowMs: number,
) {
  const { memory } = deps;
  const shards = await advanceShards(OWNERS, deps, before, (memory.owners ??= {}));
  const { ids, items } = await inbox.take(before.folded);
  const recordOf = (id: string) => shards.before.get(shardOf(id))?.owned.get(id);
  const known = { ...before, records: recordsOf(shards.before), recordOf };
  const { changes, blockedHosts } = foldEdits(known, items, nowMs);
  const sequence = Math.max(before.sequence + 1, nowMs);
  const folded = forgetFolded(addFolded(before.folded, ids, nowMs), nowMs, FOLDED_KEPT);
  const { journal, shards: records, settle } = shards.next({ sequence, changes });
  const owners = { ...before, ...journal, folded, blockedHosts };
  return {
    owners,
    /** Sequence of the journal before. */
    beforeSequence: before.sequence,
    records,
    /** The channels that a record had before this generation. */
    channelsBefore: (id: string) => channelsOf(recordOf(id)),
    owned: selectOwned(records, nowMs, memory),
    /** Erased by this generation: their history goes, too. */
    erasedIds: new Set([...changes].flatMap(([id, after]) => (after === null ? [id] : []))),
    settle: async (): Promise<OwnersState> => ({ ...owners, ...(await settle()) }),
  };
}

/** The outbox of a generation whose checks are known. */
export function noteOwnerChanges(
  { owners, records, channelsBefore }: OwnersAdvance,
  checks: Pick<NotedGeneration, "checksBefore" | "checksAfter">,
  nowMs: number,
): OwnersState {
  const noted = { records: recordsOf(records), channelsBefore, ...checks, nowMs };
  const changes = noteChanges(owners.changes, noted);
  return changes === owners.changes ? owners : { ...owners, changes };
}

function* recordsOf(shards: OwnerShards): Generator<readonly [id: string, owned: OwnedMonitor]> {
  for (const { owned } of shards.values()) yield* owned;
}

/** The same object as before if nothing has changed: caches depend on it. */
function selectOwned(shards: OwnerShards, nowMs: number, memory: OwnersMemory): OwnedMonitors {
  const checked: Monitor[] = [];
  const dormantIds = new Set<string>();
  for (const [id, owned] of recordsOf(shards)) {
    if (isChecked(owned, nowMs)) checked.push(asMonitor(owned));
    else dormantIds.add(id);
  }
  const known = memory.owned;
  const isSame =
    known?.checked.length === checked.length &&
    known.dormantIds.size === dormantIds.size &&
    known.checked.every((monitor, at) => monitor === checked[at]) &&
    [...dormantIds].every((id) => known.dormantIds.has(id));
  return (memory.owned = isSame ? known : { checked, dormantIds });
}

/** A record that did not change gives the same object. */
const asMonitor = onceFor(({ monitor, createdAtMs }: OwnedMonitor): Monitor => {
  return { ...monitor, ownedSinceMs: createdAtMs };
});

/** What a process has to learn of a generation, if it knows the journals up to this one; undefined: it knows nothing. */
export function newsOfOwners(
  { owners, beforeSequence, records }: OwnersAdvance,
  knownSequence: number | undefined,
): OwnersNews {
  const { folded, blockedHosts, pending } = owners;
  const isAll = beforeSequence !== knownSequence;
  const changed = isAll ? [...recordsOf(records)] : [...(pending?.changes ?? [])];
  return { isAll, records: changed, folded, blockedHosts };
}
