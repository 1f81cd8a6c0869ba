import { conclude, type ReadReports } from "./conclude.ts";
import type { Catalogue } from "./model/catalogue.ts";
import type { Emit } from "./model/event.ts";
import type { Document, Snapshot } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import type { ObjectStore } from "./model/store.ts";
import { publish, type PublishResult } from "./publish/publish.ts";
import { buildDocuments } from "./snapshot/documents.ts";
import { isStored, loadState, saveState } from "./state.ts";

/** What a release touches: both stores, the reports, a clock for durations. */
export interface ReleaseDependencies {
  readonly catalogue: Catalogue;
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  readonly readReports: ReadReports;
  readonly emit: Emit;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

export interface Released {
  readonly state: State;
  readonly snapshot: Snapshot;
  readonly published: PublishResult;
}

/** Runs that publish at the same moment settle after one more publication; more than a few would be a fight. */
const MAX_PUBLICATIONS = 5;

/**
 * Saves the state, then publishes what follows from it as of `nowMs`: a crash in between leaves a state that the next run
 * publishes. Should another run have saved a newer state meanwhile, that one is published as well, so that whoever
 * publishes last leaves the newest behind. Throws `StateError` and `StoreError`.
 *
 * @param isNew whether the state holds anything that is not stored yet.
 */
export async function release(
  deps: ReleaseDependencies,
  state: State,
  nowMs: number,
  isNew: boolean,
): Promise<Released> {
  const startedMs = deps.now();
  const prepared = await prepare(deps, state, nowMs);
  const saved = isNew ? await saveState(deps.stateStore, prepared.state) : undefined;
  const first = await publish(deps.publicStore, prepared.documents, prepared);
  const last =
    saved === undefined
      ? { prepared, published: first }
      : await followNewer(deps, saved, { prepared, published: first }, nowMs);
  const { removeKeys, snapshot } = last.prepared;
  if (removeKeys.length > 0) await disown(deps.stateStore, removeKeys);
  const { published } = last;
  deps.emit({ event: "published", ...published, durationMs: Math.round(deps.now() - startedMs) });
  return { state: last.prepared.state, snapshot, published };
}

interface Publication {
  readonly prepared: Prepared;
  readonly published: PublishResult;
}

/** Publishes what other runs have saved since, until what was published last is the newest. */
async function followNewer(
  deps: ReleaseDependencies,
  saved: Uint8Array,
  first: Publication,
  nowMs: number,
): Promise<Publication> {
  let last = first;
  for (let times = 1; times < MAX_PUBLICATIONS; times += 1) {
    if (await isStored(deps.stateStore, saved)) return last;
    const newest = await loadState(deps.stateStore, () => undefined);
    if (isSameMoment(newest, last.prepared.state)) return last;
    const prepared = await prepare(deps, newest, nowMs);
    const again = await publish(deps.publicStore, prepared.documents, prepared);
    const written = last.published.written + again.written;
    last = { prepared, published: { ...again, written } };
  }
  return last;
}

interface Prepared {
  readonly state: State;
  readonly snapshot: Snapshot;
  readonly documents: readonly Document[];
  readonly removeKeys: readonly string[];
}

async function prepare(deps: ReleaseDependencies, given: State, nowMs: number): Promise<Prepared> {
  const state = prune(given, deps.catalogue);
  const asOfMs = latestOf(state, nowMs);
  const reports = await deps.readReports(asOfMs);
  const updatedAtMs = state.history.updatedAtMs ?? asOfMs;
  const snapshot = conclude(deps.catalogue, state.history, reports, updatedAtMs, asOfMs);
  const documents = buildDocuments(snapshot);
  const keys = documents.map(({ key }) => key);
  const removeKeys = state.ownedKeys.filter((key) => !keys.includes(key));
  return {
    state: { ...state, ownedKeys: [...keys, ...removeKeys] },
    snapshot,
    documents,
    removeKeys,
  };
}

/** A replay of an older time, or a clock that was set back, must not bring back what was true then. */
function latestOf({ history, lastRun }: State, nowMs: number): number {
  return Math.max(nowMs, history.updatedAtMs ?? nowMs, lastRun?.startedAtMs ?? nowMs);
}

function isSameMoment(one: State, other: State): boolean {
  return (
    one.history.updatedAtMs === other.history.updatedAtMs &&
    one.lastRun?.startedAtMs === other.lastRun?.startedAtMs
  );
}

/** Forgets keys whose objects were removed, in the state as it is now: another run may have saved one since. */
async function disown(stateStore: ObjectStore, removedKeys: readonly string[]): Promise<void> {
  const state = await loadState(stateStore, () => undefined);
  const ownedKeys = state.ownedKeys.filter((key) => !removedKeys.includes(key));
  await saveState(stateStore, { ...state, ownedKeys });
}

/** Evidence of services that left the catalogue is of no use to anybody. */
function prune(state: State, catalogue: Catalogue): State {
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  return { ...state, evidence: new Map([...state.evidence].filter(([slug]) => slugs.has(slug))) };
}
