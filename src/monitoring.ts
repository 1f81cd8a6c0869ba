import type {
  BadgeLooks,
  CheckVerdict,
  Monitor,
  UptimeCount,
  UptimeWindow,
} from "./model/monitor.ts";
import type { Document } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import type { ObjectStore } from "./model/store.ts";
import type { MonitorClock, MonitorsState, PendingChanges, UptimeShard } from "./model/uptime.ts";
import type { WantedBadges } from "./publish/badges.ts";
import { isTooMany } from "./publish/plan.ts";
import {
  loadShards,
  type LoadedShards,
  recordsIn,
  type RecordOf,
  settleShards,
  shardsOf,
  withChanges,
} from "./shards.ts";
import { planRemovals, planRun } from "./uptime/plan.ts";
import { uptimeOf } from "./uptime/count.ts";

/** The registry as a run finds it. */
export interface Registry {
  readonly monitors: readonly Monitor[];
  /** Ids of entries that cannot be used as they are written: they are not checked, but what is known of them stays. */
  readonly rejectedIds: readonly string[];
  /** False when it could not be read whole: nothing is concluded from who is missing. */
  readonly isComplete: boolean;
  /** Why it is not as it is written, for the log; absent when it is. */
  readonly problem?: string;
}

/** How the badges of a monitor look and what their objects are. */
export interface BadgeMaker {
  readonly looksOf: (
    counts: Readonly<Record<UptimeWindow, UptimeCount>>,
    monitor: Monitor,
  ) => BadgeLooks;
  /** Short, and different for badges that differ in a byte. */
  readonly signatureOf: (looks: BadgeLooks) => string;
  readonly keysOf: (id: string) => readonly string[];
  readonly build: (id: string, looks: BadgeLooks) => Promise<readonly Document[]>;
}

export interface MonitoringDependencies {
  readonly stateStore: ObjectStore;
  /**
   * The registry as it is now. Asked anew after each look at the state: who edits it advances the state afterwards, so that a
   * run which began before cannot bring back what was switched off since.
   */
  readonly readRegistry: () => Promise<Registry>;
  readonly badges: BadgeMaker;
  readonly pause: (ms: number) => Promise<void>;
  /** As for documents: the largest share that may leave at once. */
  readonly maxRemovalShare: number;
}

/** What a state says of monitors, its journal taken in. */
export interface MonitorHistory {
  readonly clock: MonitorClock;
  readonly ids: () => Iterable<string>;
  readonly recordOf: RecordOf;
}

/** The checks of one run: verdicts by id. */
export interface CheckedMonitors {
  readonly atMs: number;
  readonly verdicts: ReadonlyMap<string, CheckVerdict>;
}

/** What a generation makes of monitors: its part of the state, the badges, and what has to be settled once it is won. */
export interface MonitoringAdvance {
  readonly monitors: MonitorsState;
  readonly badges: WantedBadges;
  readonly settle: () => Promise<MonitorsState>;
  /** As in `Registry`. */
  readonly problem?: string;
  /** Monitors that are missing from the registry, but so many at once that it may be a mistake. */
  readonly heldBack: number;
}

/** Monitors beside the services: their history, their badges, and the journal between both and the state. */
export interface Monitoring {
  /** Throws `StateError`, `StoreError`. */
  readonly historyOf: (state: State) => Promise<MonitorHistory>;
  /**
   * The next generation's part. Settles what an earlier writer left first. Throws `StateError`, `StoreError`.
   *
   * @param checked absent: this generation counts no run.
   */
  readonly advance: (
    state: State,
    nowMs: number,
    checked?: CheckedMonitors,
  ) => Promise<MonitoringAdvance>;
}

/** Monitoring over a state store. What it read of a generation it remembers until it meets another. */
export function createMonitoring(deps: MonitoringDependencies): Monitoring {
  let known: { readonly generation: number; readonly loaded: LoadedShards } | undefined;
  const load = async (state: State): Promise<LoadedShards> => {
    const { generation } = state.publication;
    if (known?.generation === generation) return known.loaded;
    const loaded = await loadOf(deps.stateStore, state);
    known = { generation, loaded };
    return loaded;
  };
  return {
    historyOf: async (state) => asOf(state, await load(state)),
    advance: async (state, nowMs, checked) => {
      const loaded = await load(state);
      const settled = await settleEarlier(deps, state, loaded);
      if (settled !== loaded) known = undefined;
      return advanceMonitors(deps, state, settled, nowMs, checked);
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

async function advanceMonitors(
  deps: MonitoringDependencies,
  state: State,
  loaded: LoadedShards,
  nowMs: number,
  checked: CheckedMonitors | undefined,
): Promise<MonitoringAdvance> {
  const registry = await deps.readRegistry();
  const before = toHistory(state.monitors.clock, loaded.shards);
  const departures = findGone(registry, deps.maxRemovalShare, before);
  const sequence = Math.max(state.monitors.sequence + 1, nowMs);
  const plan = planChanges(before, sequence, departures, registry, nowMs, checked);
  const pending = plan.pending.changes.size === 0 ? null : plan.pending;
  const after = toHistory(plan.clock, withChanges(loaded.shards, pending));
  const shards = [...loaded.shards.keys()].toSorted((a, b) => a - b);
  return {
    monitors: { clock: plan.clock, sequence, pending, shards },
    badges: wantBadges(deps.badges, registry, state, after, departures, nowMs),
    heldBack: departures.heldBack,
    ...(registry.problem === undefined ? {} : { problem: registry.problem }),
    settle: async () => ({
      clock: plan.clock,
      sequence,
      pending: null,
      shards:
        pending === null
          ? shards
          : await settleShards(deps.stateStore, loaded, pending, deps.pause),
    }),
  };
}

interface Departures {
  readonly goneIds: readonly string[];
  readonly heldBack: number;
  /** Whether a monitor that is not in the registry keeps what it has: nobody knows that it is gone. */
  readonly isKept: (id: string) => boolean;
}

/** Monitors that left the registry, unless there are so many of them that it looks like a mistake. */
function findGone(
  registry: Registry,
  maxRemovalShare: number,
  history: MonitorHistory,
): Departures {
  if (!registry.isComplete) return { goneIds: [], heldBack: 0, isKept: () => true };
  const rejected = new Set(registry.rejectedIds);
  const listed = new Set(registry.monitors.map(({ id }) => id));
  const ids = [...history.ids()];
  const missing = ids.filter((id) => !listed.has(id) && !rejected.has(id));
  if (!isTooMany(missing.length, ids.length, maxRemovalShare)) {
    return { goneIds: missing, heldBack: 0, isKept: (id) => rejected.has(id) };
  }
  const held = new Set(missing);
  return {
    goneIds: [],
    heldBack: missing.length,
    isKept: (id) => rejected.has(id) || held.has(id),
  };
}

interface ChangePlan {
  readonly clock: MonitorClock;
  readonly pending: PendingChanges;
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
    const planned = planRun(clock, recordOf, { sequence, atMs: checked.atMs, verdicts, goneIds });
    if (planned !== "already-counted") return planned;
  }
  return { clock, pending: planRemovals(clock, sequence, nowMs, goneIds) };
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

function wantBadges(
  badges: BadgeMaker,
  registry: Registry,
  { publication }: State,
  history: MonitorHistory,
  { isKept }: Departures,
  nowMs: number,
): WantedBadges {
  const monitors = new Map(registry.monitors.map((monitor) => [monitor.id, monitor]));
  const looksOf = (monitor: Monitor): BadgeLooks => {
    const record = history.recordOf(monitor.id);
    const count = (window: UptimeWindow) => uptimeOf(record, history.clock, window, nowMs);
    return badges.looksOf(
      { "24h": count("24h"), "7d": count("7d"), "30d": count("30d"), "90d": count("90d") },
      monitor,
    );
  };
  const signatures = new Map<string, string>();
  for (const [id, { digest }] of publication.badges) {
    if (digest !== null && !monitors.has(id) && isKept(id)) signatures.set(id, digest);
  }
  for (const [id, monitor] of monitors) {
    if (monitor.isPublic) signatures.set(id, badges.signatureOf(looksOf(monitor)));
  }
  return {
    signatures,
    keysOf: badges.keysOf,
    build: async (id) => {
      const monitor = monitors.get(id);
      return monitor === undefined ? [] : badges.build(id, looksOf(monitor));
    },
  };
}
