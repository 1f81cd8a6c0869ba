import { findGone, type Departures, type MonitorHistory, type Registry } from "./departures.ts";
import type { CheckVerdict } from "./model/monitor.ts";
import type { State } from "./model/state.ts";
import type { ObjectStore } from "./model/store.ts";
import type { MonitorClock, MonitorsState, PendingChanges, UptimeShard } from "./model/uptime.ts";
import { type BadgeMaker, type MonitorPart, toBadgePart, wantPart } from "./monitor-parts.ts";
import { type MonitoringMemory, recallSignatures } from "./monitoring-memory.ts";
import type { GroupFamily } from "./publish/groups.ts";
import {
  loadShards,
  type LoadedShards,
  recordsIn,
  settleShards,
  shardsOf,
  withChanges,
} from "./shards.ts";
import { planRemovals, planRun } from "./uptime/plan.ts";
import { toSlot } from "./uptime/slots.ts";

export interface MonitoringDependencies {
  readonly stateStore: ObjectStore;
  /**
   * The registry as it is now. Asked anew after each look at the state: who edits it advances the state afterwards, so that a
   * run which began before cannot bring back what was switched off since.
   */
  readonly readRegistry: () => Promise<Registry>;
  readonly badges: BadgeMaker;
  /** What is published of a public monitor beside its badges, by family. @default nothing */
  readonly partsOf?: (state: State) => Promise<ReadonlyMap<string, MonitorPart>>;
  /** Ids that somebody asked for by name: what is to become of these is no mistake. */
  readonly named?: ReadonlySet<string>;
  /** Those of them that somebody took out of the registry. */
  readonly removed?: ReadonlySet<string>;
  readonly pause: (ms: number) => Promise<void>;
  /** As for documents: the largest share that may leave at once. */
  readonly maxRemovalShare: number;
  /** @default a new one, for this monitoring alone */
  readonly memory?: MonitoringMemory;
}

/** The checks of one run: verdicts by id. */
export interface CheckedMonitors {
  readonly atMs: number;
  readonly verdicts: ReadonlyMap<string, CheckVerdict>;
}

export interface AdvanceOptions {
  /** Absent: this generation counts no run. */
  readonly checked?: CheckedMonitors;
  /** What is published of monitors stays as it is, but for what has to go or was named. */
  readonly areMonitorsLater?: boolean;
}

/** What a generation makes of monitors: its part of the state, what is published, and what has to be settled once it is won. */
export interface MonitoringAdvance {
  readonly monitors: MonitorsState;
  /** What is published of public monitors, by family. */
  readonly families: ReadonlyMap<string, GroupFamily>;
  readonly settle: () => Promise<MonitorsState>;
  /** The run was counted before, or a later one was. */
  readonly isAlreadyCounted: boolean;
  /** As in `Registry`. */
  readonly problem?: string;
  /** Monitors that are missing from the registry, but so many at once that it may be a mistake. */
  readonly heldBack: number;
}

/** Monitors beside the services: their history, what is published of them, and the journal between both and the state. */
export interface Monitoring {
  /** Throws `StateError`, `StoreError`. */
  readonly historyOf: (state: State) => Promise<MonitorHistory>;
  /** The next generation's part. Settles what an earlier writer left first. Throws `StateError`, `StoreError`. */
  readonly advance: (
    state: State,
    nowMs: number,
    what?: AdvanceOptions,
  ) => Promise<MonitoringAdvance>;
}

/** Monitoring over a state store. What it read it remembers until it meets a later journal. */
export function createMonitoring(deps: MonitoringDependencies): Monitoring {
  const { stateStore, memory = {} } = deps;
  const load = async (state: State): Promise<LoadedShards> => {
    const { sequence, pending, shards } = state.monitors;
    // Shards change only with the journals. What is older than it seems shows when it is written over.
    const key = [stateStore.identity, sequence, pending === null, ...shards].join(" ");
    if (memory.loaded?.key === key) return memory.loaded.shards;
    const loaded = await loadOf(stateStore, state);
    memory.loaded = { key, shards: loaded };
    return loaded;
  };
  return {
    historyOf: async (state) => asOf(state, await load(state)),
    advance: async (state, nowMs, what = {}) => {
      const loaded = await load(state);
      const settled = await settleEarlier(deps, state, loaded);
      if (settled !== loaded) delete memory.loaded;
      return advanceMonitors({ ...deps, memory }, state, settled, nowMs, what);
    },
  };
}

/** What a state says of monitors. Throws `StateError`, `StoreError`. */
export async function loadMonitorHistory(
  stateStore: ObjectStore,
  state: State,
): Promise<MonitorHistory> {
  return asOf(state, await loadOf(stateStore, state));
}

function loadOf(stateStore: ObjectStore, { monitors }: State): Promise<LoadedShards> {
  const { shards, pending } = monitors;
  // Shards that only the journal speaks of may exist already: its writer may have died half-way.
  const numbers = new Set([...shards, ...(pending === null ? [] : shardsOf(pending))]);
  return loadShards(stateStore, [...numbers]);
}

function asOf({ monitors }: State, { shards }: LoadedShards): MonitorHistory {
  return toHistory(monitors.clock, withChanges(shards, monitors.pending));
}

function toHistory(clock: MonitorClock, shards: ReadonlyMap<number, UptimeShard>): MonitorHistory {
  const ids = function* (): Iterable<string> {
    for (const { records } of shards.values()) yield* records.keys();
  };
  return { clock, recordOf: recordsIn(shards), ids };
}

/** Our own journal will take the place of the one that lies there: so that must be in the shards first. */
async function settleEarlier(
  { stateStore, pause }: MonitoringDependencies,
  { monitors }: State,
  loaded: LoadedShards,
): Promise<LoadedShards> {
  if (monitors.pending === null) return loaded;
  const numbers = await settleShards(stateStore, loaded, monitors.pending, pause);
  return loadShards(stateStore, numbers);
}

type AdvanceDependencies = MonitoringDependencies & { readonly memory: MonitoringMemory };

async function advanceMonitors(
  deps: AdvanceDependencies,
  state: State,
  loaded: LoadedShards,
  nowMs: number,
  { checked, areMonitorsLater = false }: AdvanceOptions,
): Promise<MonitoringAdvance> {
  const registry = await deps.readRegistry();
  const before = toHistory(state.monitors.clock, loaded.shards);
  const departures = findGone(registry, deps.maxRemovalShare, before, deps.removed ?? new Set());
  const next = Math.max(state.monitors.sequence + 1, nowMs);
  const plan = planChanges(before, next, departures, registry, nowMs, checked);
  const { clock } = plan;
  const pending = plan.pending.changes.size === 0 ? null : plan.pending;
  const sequence = pending === null ? state.monitors.sequence : next;
  const changed = withChanges(loaded.shards, pending);
  const known = { registry, departures, clock, shards: changed, nowMs };
  const shards = [...loaded.shards.keys()].toSorted((a, b) => a - b);
  return {
    monitors: { clock, sequence, pending, shards },
    families: await wantFamilies(deps, state, known, areMonitorsLater),
    isAlreadyCounted: plan.isAlreadyCounted,
    heldBack: departures.heldBack,
    ...(registry.problem === undefined ? {} : { problem: registry.problem }),
    settle: async () => ({
      clock,
      sequence,
      pending: null,
      shards:
        pending === null
          ? shards
          : await settleShards(deps.stateStore, loaded, pending, deps.pause),
    }),
  };
}

/** What is known of monitors once this generation is won. */
interface KnownMonitors {
  readonly registry: Registry;
  readonly departures: Departures;
  readonly clock: MonitorClock;
  readonly shards: ReadonlyMap<number, UptimeShard>;
  readonly nowMs: number;
}

async function wantFamilies(
  { memory, badges, partsOf, named = new Set() }: AdvanceDependencies,
  state: State,
  { registry, departures, clock, shards, nowMs }: KnownMonitors,
  areMonitorsLater: boolean,
): Promise<ReadonlyMap<string, GroupFamily>> {
  const { runs, lastSlot } = clock;
  const slot = Math.max(toSlot(nowMs), lastSlot);
  const { baseUrl } = state;
  const signatureById = recallSignatures(memory, { registry, shards, runs, slot, baseUrl });
  const history = toHistory(clock, shards);
  const sources = { registry, history, departures, named, nowMs, signatureById };
  const parts = new Map([["", toBadgePart(badges)], ...((await partsOf?.(state)) ?? [])]);
  return new Map(
    [...parts].map(([family, part]) => [
      family,
      wantPart(part, family, sources, state, areMonitorsLater),
    ]),
  );
}

interface ChangePlan {
  readonly clock: MonitorClock;
  readonly pending: PendingChanges;
  readonly isAlreadyCounted: boolean;
}

function planChanges(
  history: MonitorHistory,
  sequence: number,
  { goneIds }: Departures,
  registry: Registry,
  nowMs: number,
  checked: CheckedMonitors | undefined,
): ChangePlan {
  const { clock, recordOf } = history;
  if (checked !== undefined) {
    const verdicts = completeVerdicts(history, registry, new Set(goneIds), checked.verdicts);
    const planned = planRun(clock, recordOf, {
      sequence,
      atMs: checked.atMs,
      verdicts,
      publicIds: publicIdsOf(registry),
      goneIds,
    });
    if (planned !== "already-counted") return { ...planned, isAlreadyCounted: false };
  }
  const pending = planRemovals(clock, sequence, nowMs, goneIds);
  return { clock, pending, isAlreadyCounted: checked !== undefined };
}

function publicIdsOf({ monitors }: Registry): ReadonlySet<string> {
  return new Set(monitors.filter(({ isPublic }) => isPublic).map(({ id }) => id));
}

/** Silence about a monitor would count as a healthy check: who is known and was not checked is said to be skipped. */
function completeVerdicts(
  history: MonitorHistory,
  { monitors }: Registry,
  gone: ReadonlySet<string>,
  verdicts: ReadonlyMap<string, CheckVerdict>,
): ReadonlyMap<string, CheckVerdict> {
  const ids = new Set([...history.ids(), ...monitors.map(({ id }) => id)]);
  const complete = new Map<string, CheckVerdict>();
  for (const id of ids) {
    const verdict = verdicts.get(id);
    if (gone.has(id)) continue;
    if (verdict !== undefined) complete.set(id, verdict);
    else if (history.recordOf(id) !== undefined) complete.set(id, { kind: "skipped" });
  }
  return complete;
}
