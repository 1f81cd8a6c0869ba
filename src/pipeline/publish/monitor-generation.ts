import { notAhead } from "./without-future.ts";
import {
  cachedSignatures,
  findRemoved,
  joinOwned,
  type MonitorRecords,
  type PublishMemory,
  type Registry,
} from "./monitor-removals.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { mapValues } from "../../model/lists.ts";
import type { MonitorClock, MonitorsState, UptimeShard } from "../../model/monitor/uptime.ts";
import { type MonitorOutput, planOutput } from "../pages/monitor-outputs.ts";
import type { OwnersAdvance } from "./owner-generation.ts";
import type { CommitDependencies } from "../../publish/generation.ts";
import type { FamilyName } from "../../publish/object-groups.ts";
import { advanceShards, readShards, recordsIn, UPTIMES } from "../../state/shards.ts";
import { toSlot } from "../../monitors/uptime/time-slots.ts";
import { planRemovals, planRun } from "../../monitors/uptime/journal.ts";

export interface MonitoringDependencies extends Pick<
  CommitDependencies,
  "stateStore" | "pause" | "maxRemovalShare"
> {
  /**
   * The current registry. It is read after the state in each attempt: an edit advances the state afterwards, so a run that began
   * before the edit cannot bring back a monitor that was switched off.
   */
  readonly readRegistry: () => Promise<Registry>;
  readonly badges: MonitorOutput;
  /** Ids of monitors that the command line names. Changes of these are deliberate. */
  readonly named?: ReadonlySet<string>;
  /** Those of them that were removed from the registry: gone, even if it cannot be read completely. */
  readonly removed?: ReadonlySet<string>;
  /** The wall clock, after which no time is published. Absent: the command was given a time. */
  readonly latestMs?: () => number;
  /** For a process that publishes many times. */
  readonly memory?: PublishMemory;
  /** What is published of a public monitor in addition to its badges, by family. @default nothing */
  readonly outputsOf?: (state: State) => Promise<ReadonlyMap<FamilyName, MonitorOutput>>;
}

type Results = ReadonlyMap<string, CheckResult>;

export interface MonitorUpdate {
  /** The check results of one run, by id. Absent: this generation counts no checks. */
  readonly checked?: { readonly atMs: number; readonly results: Results } | undefined;
  /**
   * Documents of monitors stay, except removals and those of `named` monitors: the next generation is about to count their checks.
   */
  readonly areMonitorsLater?: boolean | undefined;
}

/** The monitors of a generation: their part of the state, what is published, and how the journal is applied after it is won. */
export type MonitoringAdvance = Awaited<ReturnType<typeof advanceMonitors>>;

/** The monitors of a state. Throws `StateError`, `StoreError`. */
export async function loadMonitorHistory(
  stateStore: ObjectStore,
  { monitors }: State,
  memory: PublishMemory = {},
): Promise<MonitorRecords> {
  const shards = await readShards(UPTIMES, stateStore, monitors, (memory.uptimes ??= {}));
  return toHistory(monitors.clock, shards);
}

function toHistory(clock: MonitorClock, shards: ReadonlyMap<number, UptimeShard>): MonitorRecords {
  const ids = () => [...shards.values()].flatMap(({ records }) => [...records.keys()]);
  return { clock, recordOf: recordsIn(shards), ids };
}

const NONE: ReadonlySet<string> = new Set();

/** The next generation of the monitors, after a journal that an earlier writer left. Throws `StateError`, `StoreError`. */
export async function advanceMonitors(
  deps: MonitoringDependencies,
  state: State,
  nowMs: number,
  { checked, areMonitorsLater = false }: MonitorUpdate,
  ownership?: Pick<OwnersAdvance, "owned" | "erasedIds">,
) {
  const { removed = NONE, maxRemovalShare, memory = {} } = deps;
  const known = await advanceShards(UPTIMES, deps, state.monitors, (memory.uptimes ??= {}));
  const erasedIds = ownership?.erasedIds ?? NONE;
  const registry = joinOwned(await deps.readRegistry(), ownership?.owned, memory);
  const before = toHistory(state.monitors.clock, known.before);
  const gone = new Set([...removed, ...erasedIds]);
  const removals = findRemoved(registry, maxRemovalShare, before, gone);
  const sequence = Math.max(state.monitors.sequence + 1, nowMs);
  const plan = planChanges(before, sequence, removals.removedIds, registry, nowMs, checked);
  const { clock } = plan;
  const { journal, shards, settle } = known.next(plan.pending);
  const monitors = { clock, ...journal };
  const slot = Math.max(toSlot(nowMs), clock.lastSlot);
  const signedFrom = [registry, shards, clock.runs, slot, state.baseUrl];
  const after = toHistory(clock, shards);
  const sources = {
    registry,
    history: asShown(after, deps.latestMs?.()),
    removals,
    // What an owner removes or hides is deliberate.
    named: new Set([...(deps.named ?? NONE), ...erasedIds, ...(registry.dormantIds ?? NONE)]),
    areMonitorsLater,
    groups: state.publication.groups,
    nowMs,
    signatureById: cachedSignatures(memory, signedFrom),
  };
  const others = (await deps.outputsOf?.(state)) ?? [];
  const outputs = new Map<FamilyName, MonitorOutput>([["", deps.badges], ...others]);
  return {
    monitors,
    /** What is published of public monitors, by family. */
    families: mapValues(outputs, (output, family) => planOutput(output, family, sources)),
    /** The record of a monitor before this generation, and after it. */
    checksBefore: before.recordOf,
    checksAfter: after.recordOf,
    /** This run, or a later one, was counted before. */
    isAlreadyCounted: plan.isAlreadyCounted,
    /** Monitors that are missing from the registry, but are kept because so many at once may be a mistake. */
    withheldRemovals: removals.withheldRemovals,
    problem: registry.problem,
    settle: async (): Promise<MonitorsState> => ({ ...monitors, ...(await settle()) }),
  };
}

function asShown(history: MonitorRecords, latestMs: number | undefined): MonitorRecords {
  const recordOf: MonitorRecords["recordOf"] = (id) => {
    const record = history.recordOf(id);
    return record && notAhead(record, record.sinceMs, latestMs);
  };
  return { ...history, recordOf };
}

function planChanges(
  history: MonitorRecords,
  sequence: number,
  removedIds: readonly string[],
  { monitors }: Registry,
  nowMs: number,
  checked: MonitorUpdate["checked"],
) {
  const { clock, recordOf } = history;
  if (checked !== undefined) {
    const { atMs, results } = checked;
    const ids = new Set([...history.ids(), ...monitors.map(({ id }) => id)]);
    const verdicts = completeResults(recordOf, ids, results);
    const publicIds = new Set(monitors.filter((one) => one.isPublic).map(({ id }) => id));
    const run = { sequence, atMs, verdicts, publicIds, removedIds };
    const planned = planRun(clock, recordOf, run);
    if (planned !== "already-counted") return { ...planned, isAlreadyCounted: false };
  }
  const pending = planRemovals(clock, sequence, nowMs, removedIds);
  return { clock, pending, isAlreadyCounted: checked !== undefined };
}

/** A known monitor without a result would count as healthy, so it gets the result `skipped`. */
function completeResults(
  recordOf: MonitorRecords["recordOf"],
  ids: Iterable<string>,
  results: Results,
): Results {
  const complete = new Map<string, CheckResult>();
  for (const id of ids) {
    const result = results.get(id);
    if (result !== undefined) complete.set(id, result);
    else if (recordOf(id) !== undefined) complete.set(id, { kind: "skipped" });
  }
  return complete;
}
