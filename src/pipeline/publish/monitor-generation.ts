import { REFUSED_CLOCK_MS } from "../../store/store-clock.ts";
import { withoutFuture } from "./without-future.ts";
import {
  findRemoved,
  type MonitorRemovals,
  type MonitorHistory,
  type Registry,
} from "./monitor-removals.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import type {
  MonitorClock,
  MonitorsState,
  PendingChanges,
  UptimeShard,
} from "../../model/monitor/uptime.ts";
import {
  type BadgeMaker,
  type MonitorOutput,
  toBadgeOutput,
  planOutput,
} from "../pages/monitor-outputs.ts";
import { cachedSignatures, joinOwned, type MonitoringMemory } from "./monitor-cache.ts";
import type { OwnedMonitors } from "./owner-generation.ts";
import type { GroupFamily } from "../../publish/object-groups.ts";
import {
  loadShards,
  type LoadedShards,
  recordsIn,
  applyJournalToShards,
  shardsOf,
  withChanges,
} from "../../state/monitor-shards.ts";
import { planRemovals, planRun } from "../../monitors/uptime/journal.ts";
import { toSlot } from "../../monitors/uptime/time-slots.ts";

export interface MonitoringDependencies {
  readonly stateStore: ObjectStore;
  /**
   * The current registry. It is read after the state in each attempt: an edit advances the state afterwards, so a run that began
   * before the edit cannot bring back a monitor that was switched off.
   */
  readonly readRegistry: () => Promise<Registry>;
  readonly badges: BadgeMaker;
  /** What is published of a public monitor in addition to its badges, by family. @default nothing */
  readonly outputsOf?: (state: State) => Promise<ReadonlyMap<string, MonitorOutput>>;
  /** As in `PublishSetup`. */
  readonly named?: ReadonlySet<string>;
  /** As in `PublishSetup`. */
  readonly removed?: ReadonlySet<string>;
  /** As in `PublishSetup`. */
  readonly latestMs?: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** The largest share of monitors that may be removed at once, 0–1, as for documents. */
  readonly maxRemovalShare: number;
  /** @default a new one, not shared */
  readonly memory?: MonitoringMemory;
}

/** The check results of one run, by id. */
export interface CheckedMonitors {
  readonly atMs: number;
  readonly results: ReadonlyMap<string, CheckResult>;
}

export interface AdvanceOptions {
  /** Absent: this generation counts no checks. */
  readonly checked?: CheckedMonitors;
  /** Documents of monitors stay, except removals and those of `named` monitors. */
  readonly areMonitorsLater?: boolean;
  /** Monitors that their owners have added. @default none */
  readonly owned?: OwnedMonitors;
  /** Ids of owned monitors that this generation erases. */
  readonly erasedIds?: ReadonlySet<string>;
}

/** The monitors of a generation: their part of the state, what is published, and how the journal is applied after it is won. */
export interface MonitoringAdvance {
  readonly monitors: MonitorsState;
  /** What is published of public monitors, by family. */
  readonly families: ReadonlyMap<string, GroupFamily>;
  readonly settle: () => Promise<MonitorsState>;
  /** The record of a monitor before this generation, and after it. */
  readonly checksBefore: MonitorHistory["recordOf"];
  readonly checksAfter: MonitorHistory["recordOf"];
  /** This run, or a later one, was counted before. */
  readonly isAlreadyCounted: boolean;
  /** As in `Registry`. */
  readonly problem?: string;
  /** Monitors that are missing from the registry, but are kept because so many at once may be a mistake. */
  readonly withheldRemovals: number;
}

export interface Monitoring {
  /** Throws `StateError`, `StoreError`. */
  readonly historyOf: (state: State) => Promise<MonitorHistory>;
  /** Computes the next generation. First applies a journal that an earlier writer left. Throws `StateError`, `StoreError`. */
  readonly advance: (
    state: State,
    nowMs: number,
    options?: AdvanceOptions,
  ) => Promise<MonitoringAdvance>;
}

/** Monitoring over a state store. Shards are cached until a later journal changes them. */
export function createMonitoring(deps: MonitoringDependencies): Monitoring {
  const { stateStore, memory = {} } = deps;
  const load = async (state: State): Promise<LoadedShards> => {
    const { sequence, pending, shards } = state.monitors;
    // Shards change only with the journals. A stale shard is detected by its ETag when it is written.
    const key = [stateStore.identity, sequence, pending === null, ...shards].join(" ");
    if (memory.loaded?.key === key) return memory.loaded.shards;
    const loaded = await loadOf(stateStore, state);
    memory.loaded = { key, shards: loaded };
    return loaded;
  };
  return {
    historyOf: async (state) => historyAt(state, await load(state)),
    advance: async (state, nowMs, options = {}) => {
      const loaded = await load(state);
      const current = await applyEarlierJournal(deps, state, loaded);
      if (current !== loaded) delete memory.loaded;
      return advanceMonitors({ ...deps, memory }, state, current, nowMs, options);
    },
  };
}

/** The monitors of a state. Throws `StateError`, `StoreError`. */
export async function loadMonitorHistory(
  stateStore: ObjectStore,
  state: State,
): Promise<MonitorHistory> {
  return historyAt(state, await loadOf(stateStore, state));
}

function loadOf(stateStore: ObjectStore, { monitors }: State): Promise<LoadedShards> {
  const { shards, pending } = monitors;
  // Shards that only the journal names may exist: its writer may have died half-way.
  const numbers = new Set([...shards, ...(pending === null ? [] : shardsOf(pending))]);
  return loadShards(stateStore, [...numbers]);
}

function historyAt({ monitors }: State, { shards }: LoadedShards): MonitorHistory {
  return toHistory(monitors.clock, withChanges(shards, monitors.pending));
}

function toHistory(clock: MonitorClock, shards: ReadonlyMap<number, UptimeShard>): MonitorHistory {
  const ids = function* (): Iterable<string> {
    for (const { records } of shards.values()) yield* records.keys();
  };
  return { clock, recordOf: recordsIn(shards), ids };
}

/** Our own journal will replace the stored one, so that one has to be in the shards first. */
async function applyEarlierJournal(
  { stateStore, pause }: MonitoringDependencies,
  { monitors }: State,
  loaded: LoadedShards,
): Promise<LoadedShards> {
  if (monitors.pending === null) return loaded;
  const numbers = await applyJournalToShards(stateStore, loaded, monitors.pending, pause);
  return loadShards(stateStore, numbers);
}

const NONE: ReadonlySet<string> = new Set();

type AdvanceDependencies = MonitoringDependencies & { readonly memory: MonitoringMemory };

async function advanceMonitors(
  deps: AdvanceDependencies,
  state: State,
  loaded: LoadedShards,
  nowMs: number,
  { checked, areMonitorsLater = false, owned, erasedIds = NONE }: AdvanceOptions,
): Promise<MonitoringAdvance> {
  const registry = joinOwned(await deps.readRegistry(), owned, deps.memory);
  const before = toHistory(state.monitors.clock, loaded.shards);
  const removed = new Set([...(deps.removed ?? NONE), ...erasedIds]);
  const removals = findRemoved(registry, deps.maxRemovalShare, before, removed);
  const next = Math.max(state.monitors.sequence + 1, nowMs);
  const plan = planChanges(before, next, removals, registry, nowMs, checked);
  const { clock } = plan;
  const pending = plan.pending.changes.size === 0 ? null : plan.pending;
  const sequence = pending === null ? state.monitors.sequence : next;
  const changed = withChanges(loaded.shards, pending);
  const sources = { registry, removals, erasedIds, clock, shards: changed, nowMs };
  const shards = [...loaded.shards.keys()].toSorted((a, b) => a - b);
  return {
    monitors: { clock, sequence, pending, shards },
    families: await planFamilies(deps, state, sources, areMonitorsLater),
    checksBefore: before.recordOf,
    checksAfter: recordsIn(changed),
    isAlreadyCounted: plan.isAlreadyCounted,
    withheldRemovals: removals.withheldRemovals,
    ...(registry.problem === undefined ? {} : { problem: registry.problem }),
    settle: async () => ({
      clock,
      sequence,
      pending: null,
      shards:
        pending === null
          ? shards
          : await applyJournalToShards(deps.stateStore, loaded, pending, deps.pause),
    }),
  };
}

/** The monitors after this generation. */
interface MonitorSources {
  readonly registry: Registry;
  readonly removals: MonitorRemovals;
  readonly erasedIds: ReadonlySet<string>;
  readonly clock: MonitorClock;
  readonly shards: ReadonlyMap<number, UptimeShard>;
  readonly nowMs: number;
}

/** As it is published: after a clock was ahead, a record can have times that are yet to come. */
function notAhead(history: MonitorHistory, latestMs = Number.POSITIVE_INFINITY): MonitorHistory {
  return {
    ...history,
    recordOf: (id) => {
      const record = history.recordOf(id);
      return record === undefined || record.sinceMs <= latestMs + REFUSED_CLOCK_MS
        ? record
        : withoutFuture(record, latestMs);
    },
  };
}

async function planFamilies(
  { memory, badges, outputsOf, latestMs, named: ofCommand = NONE }: AdvanceDependencies,
  state: State,
  { registry, removals, erasedIds, clock, shards, nowMs }: MonitorSources,
  areMonitorsLater: boolean,
): Promise<ReadonlyMap<string, GroupFamily>> {
  const { runs, lastSlot } = clock;
  const slot = Math.max(toSlot(nowMs), lastSlot);
  const { baseUrl } = state;
  const signatureById = cachedSignatures(memory, { registry, shards, runs, slot, baseUrl });
  const history = notAhead(toHistory(clock, shards), latestMs?.());
  // What an owner removes or hides is deliberate.
  const named = new Set([...ofCommand, ...erasedIds, ...(registry.dormantIds ?? NONE)]);
  const sources = { registry, history, removals, named, nowMs, signatureById };
  const outputs = new Map([["", toBadgeOutput(badges)], ...((await outputsOf?.(state)) ?? [])]);
  return new Map(
    [...outputs].map(([family, output]) => [
      family,
      planOutput(output, family, sources, state, areMonitorsLater),
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
  { removedIds }: MonitorRemovals,
  registry: Registry,
  nowMs: number,
  checked: CheckedMonitors | undefined,
): ChangePlan {
  const { clock, recordOf } = history;
  if (checked !== undefined) {
    const verdicts = completeResults(history, registry, new Set(removedIds), checked.results);
    const planned = planRun(clock, recordOf, {
      sequence,
      atMs: checked.atMs,
      verdicts,
      publicIds: new Set(registry.monitors.filter((one) => one.isPublic).map(({ id }) => id)),
      removedIds,
    });
    if (planned !== "already-counted") return { ...planned, isAlreadyCounted: false };
  }
  const pending = planRemovals(clock, sequence, nowMs, removedIds);
  return { clock, pending, isAlreadyCounted: checked !== undefined };
}

/** A known monitor without a result would count as healthy, so it gets the result `skipped`. */
function completeResults(
  history: MonitorHistory,
  { monitors }: Registry,
  removed: ReadonlySet<string>,
  results: ReadonlyMap<string, CheckResult>,
): ReadonlyMap<string, CheckResult> {
  const ids = new Set([...history.ids(), ...monitors.map(({ id }) => id)]);
  const complete = new Map<string, CheckResult>();
  for (const id of ids) {
    const result = results.get(id);
    if (removed.has(id)) continue;
    if (result !== undefined) complete.set(id, result);
    else if (history.recordOf(id) !== undefined) complete.set(id, { kind: "skipped" });
  }
  return complete;
}
