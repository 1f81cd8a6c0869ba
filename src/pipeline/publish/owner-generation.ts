import { addFolded, forgetFolded } from "../../model/folded-ids.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type {
  OwnedMonitor,
  OwnersNews,
  OwnersState,
  PendingOwnerChanges,
} from "../../model/monitor/owned-monitor.ts";
import type { ObjectStore } from "../../model/store.ts";
import { DAY_MS } from "../../model/time.ts";
import { channelsOf } from "../../monitors/ownership/apply-edit.ts";
import {
  foldEdits,
  type NotedGeneration,
  noteChanges,
} from "../../monitors/ownership/fold-edits.ts";
import { isChecked } from "../../monitors/ownership/owner-phase.ts";
import { shardOf } from "../../model/monitor/shard.ts";
import type { OpenEdits } from "../../state/edit-inbox.ts";
import {
  applyOwnerJournal,
  type LoadedOwners,
  loadOwnerShards,
  ownerShardsOf,
  withOwnerChanges,
} from "../../state/owner-shards.ts";

/** As for reports: an object may return for two days after its removal. Source: docs/publish/protocol.md, "The inbox". */
const FOLDED_KEPT = { keepMs: 2 * DAY_MS, maxRanges: 1_000 };

/** The owned monitors as a run sees them. */
export interface OwnedMonitors {
  /** Those that are checked, and have a page if they are public. */
  readonly checked: readonly Monitor[];
  /** Those that are not: they have no page, and their history stays. */
  readonly dormantIds: ReadonlySet<string>;
}

/** Owned monitors in a generation: their part of the state, and how the journal is applied after it is won. */
export interface OwnersAdvance {
  readonly owners: OwnersState;
  readonly owned: OwnedMonitors;
  /** Sequence of the journal before. */
  readonly beforeSequence: number;
  readonly records: LoadedOwners["shards"];
  /** Ids of the channels that a record had before this generation. */
  readonly channelsBefore: (id: string) => ReadonlySet<string>;
  /** Erased by this generation: their history goes, too. */
  readonly erasedIds: ReadonlySet<string>;
  readonly settle: () => Promise<OwnersState>;
}

/** What a process keeps from one publish to the next. */
export interface OwnersMemory {
  loadedOwners?: { readonly key: string; readonly shards: LoadedOwners };
  owned?: OwnedMonitors;
}

export interface OwnersDependencies {
  readonly stateStore: ObjectStore;
  readonly pause: (ms: number) => Promise<void>;
  readonly memory: OwnersMemory;
}

/** The owned monitors of a state. Throws `StateError`, `StoreError`. */
export async function findOwned(
  deps: OwnersDependencies,
  { owners }: { readonly owners: OwnersState },
  nowMs: number,
): Promise<OwnedMonitors> {
  const { shards } = await load(deps, owners);
  return selectOwned(withOwnerChanges(shards, owners.pending), nowMs, deps.memory);
}

/**
 * The next generation of the owned monitors, with the edits of the inbox. First applies a journal that an earlier writer left. Throws
 * `StateError`, `StoreError`.
 */
export async function advanceOwners(
  deps: OwnersDependencies,
  before: OwnersState,
  inbox: Pick<OpenEdits, "take">,
  nowMs: number,
): Promise<OwnersAdvance> {
  const loaded = await applyEarlierJournal(deps, before, await load(deps, before));
  const { ids, edits } = await inbox.take(before.folded);
  const { changes, blockedHosts } = foldEdits(
    {
      records: recordsOf(loaded.shards),
      recordOf: (id) => loaded.shards.get(shardOf(id))?.owned.get(id),
      blockedHosts: before.blockedHosts,
    },
    edits,
    nowMs,
  );
  const sequence = changes.size === 0 ? before.sequence : Math.max(before.sequence + 1, nowMs);
  const pending = changes.size === 0 ? null : { sequence, changes };
  const folded = forgetFolded(addFolded(before.folded, ids, nowMs), nowMs, FOLDED_KEPT);
  const shards = [...loaded.shards.keys()].toSorted((a, b) => a - b);
  const owners = { ...before, sequence, pending, shards, folded, blockedHosts };
  const records = withOwnerChanges(loaded.shards, pending);
  return {
    owners,
    beforeSequence: before.sequence,
    records,
    channelsBefore: (id) => channelIdsOf(loaded.shards.get(shardOf(id))?.owned.get(id)),
    owned: selectOwned(records, nowMs, deps.memory),
    erasedIds: new Set([...changes].flatMap(([id, after]) => (after === null ? [id] : []))),
    settle: async () => ({
      ...owners,
      pending: null,
      shards: pending === null ? shards : await applyJournal(deps, loaded, pending),
    }),
  };
}

function channelIdsOf(owned: OwnedMonitor | undefined): ReadonlySet<string> {
  return new Set(owned === undefined ? [] : channelsOf(owned).map(({ id }) => id));
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

async function load(
  { stateStore, memory }: OwnersDependencies,
  { sequence, pending, shards }: OwnersState,
): Promise<LoadedOwners> {
  // Shards that only the journal names may exist: its writer may have died half-way.
  const numbers = new Set([...shards, ...(pending === null ? [] : ownerShardsOf(pending))]);
  const key = [stateStore.identity, sequence, pending === null, ...numbers].join(" ");
  if (memory.loadedOwners?.key !== key)
    memory.loadedOwners = { key, shards: await loadOwnerShards(stateStore, [...numbers]) };
  return memory.loadedOwners.shards;
}

/** Our own journal will replace the stored one, so that one has to be in the shards first. */
async function applyEarlierJournal(
  deps: OwnersDependencies,
  { pending }: OwnersState,
  loaded: LoadedOwners,
): Promise<LoadedOwners> {
  if (pending === null) return loaded;
  return loadOwnerShards(deps.stateStore, await applyJournal(deps, loaded, pending));
}

function applyJournal(
  { stateStore, pause }: OwnersDependencies,
  loaded: LoadedOwners,
  pending: PendingOwnerChanges,
): Promise<readonly number[]> {
  return applyOwnerJournal(stateStore, loaded, pending, pause);
}

function* recordsOf(
  shards: LoadedOwners["shards"],
): Generator<readonly [id: string, owned: OwnedMonitor]> {
  for (const { owned } of shards.values()) yield* owned;
}

/** The same object as before if nothing has changed: caches depend on it. */
function selectOwned(
  shards: LoadedOwners["shards"],
  nowMs: number,
  memory: OwnersMemory,
): OwnedMonitors {
  const checked: Monitor[] = [];
  const dormantIds = new Set<string>();
  for (const [id, owned] of recordsOf(shards)) {
    if (isChecked(owned, nowMs)) checked.push(asMonitor(owned));
    else dormantIds.add(id);
  }
  const known = memory.owned;
  const isSame =
    known !== undefined &&
    known.checked.length === checked.length &&
    known.dormantIds.size === dormantIds.size &&
    known.checked.every((monitor, at) => monitor === checked[at]) &&
    [...dormantIds].every((id) => known.dormantIds.has(id));
  memory.owned = isSame ? known : { checked, dormantIds };
  return memory.owned;
}

const monitors = new WeakMap<OwnedMonitor, Monitor>();

/** Cached, so that equal records give the same object. */
function asMonitor(owned: OwnedMonitor): Monitor {
  const monitor = monitors.get(owned) ?? { ...owned.monitor, ownedSinceMs: owned.createdAtMs };
  monitors.set(owned, monitor);
  return monitor;
}

/**
 * What a process has to learn of a generation.
 *
 @param knownSequence of the last journal that the process knows; undefined: it knows nothing.
 */
export function newsOfOwners(
  { owners, beforeSequence, records }: OwnersAdvance,
  knownSequence: number | undefined,
): OwnersNews {
  const { folded, blockedHosts, pending } = owners;
  const isAll = beforeSequence !== knownSequence;
  const changed = isAll ? [...recordsOf(records)] : [...(pending?.changes ?? [])];
  return { isAll, records: changed, folded, blockedHosts };
}
