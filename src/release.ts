import { type Advance, commit, type CommitDependencies } from "./commit.ts";
import { conclude, type ReadReports } from "./conclude.ts";
import type { Catalogue } from "./model/catalogue.ts";
import type { RunEvent } from "./model/event.ts";
import type { Reports } from "./model/reports.ts";
import type { Snapshot } from "./model/snapshot.ts";
import { EMPTY_STATE, type State } from "./model/state.ts";
import type { RequestCounts } from "./model/store.ts";
import type { Registry } from "./departures.ts";
import type { BadgeMaker } from "./monitor-badges.ts";
import {
  type CheckedMonitors,
  createMonitoring,
  type Monitoring,
  type MonitoringAdvance,
} from "./monitoring.ts";
import type { PublishResult } from "./publish/publishing.ts";
import { buildDocuments } from "./snapshot/documents.ts";
import type { LoadedState } from "./state.ts";
import { type CountedStore, countRequests } from "./store/count.ts";

/** What publishing takes: stores, the catalogue, and where reports and monitors come from. */
export interface ReleaseSetup extends CommitDependencies {
  readonly catalogue: Catalogue;
  readonly readReports: ReadReports;
  readonly readRegistry: () => Promise<Registry>;
  /** Ids of monitors that somebody asked for by name: nothing that happens to these is a mistake. */
  readonly named?: ReadonlySet<string>;
  readonly badges: BadgeMaker;
}

/** The same with stores that count their requests, and monitors that remember what was read of them. */
export interface ReleaseDependencies extends ReleaseSetup {
  readonly publicStore: CountedStore;
  readonly stateStore: CountedStore;
  readonly monitoring: Monitoring;
}

/** What the stores were asked for by the whole command. */
export interface Requests {
  readonly public: RequestCounts;
  readonly state: RequestCounts;
}

/** What was published, and from what. */
export interface Released {
  readonly snapshot: Snapshot;
  readonly state: State;
  readonly published: PublishResult;
  readonly requests: Requests;
}

/** What a command makes of the newest state: the next one, the time as of which it speaks, and what there is to tell. */
export type Step = (state: State) => {
  readonly state: State;
  readonly nowMs: number;
  readonly events: readonly RunEvent[];
  /** Checks of monitors that this generation counts. */
  readonly checked?: CheckedMonitors;
  /** The badges stay as they are, but for those that have to go: another generation is about to count the checks. */
  readonly areBadgesLater?: boolean;
};

/** Begins to count requests: once for each command. */
export function openRelease<T extends ReleaseSetup>(setup: T): T & ReleaseDependencies {
  const publicStore = countRequests(setup.publicStore);
  const stateStore = countRequests(setup.stateStore);
  const monitoring = createMonitoring({ ...setup, stateStore });
  return { ...setup, publicStore, stateStore, monitoring };
}

/**
 * Wins a generation with the step and publishes it. Throws `StateError` and `StoreError`.
 *
 * @param known the state as it was read before: saves a request when nobody has advanced it since.
 */
export async function release(
  deps: ReleaseDependencies,
  nowMs: number,
  step: Step,
  known?: LoadedState,
): Promise<Released> {
  const startedMs = deps.now();
  const reports = await deps.readReports(nowMs);
  // Every try computes these anew; those of the generation that was won are the last.
  let concluded: Concluded = concludeServices(deps.catalogue, step(EMPTY_STATE), reports);
  let monitoring: Pick<MonitoringAdvance, "heldBack" | "problem" | "isAlreadyCounted"> = {
    heldBack: 0,
    isAlreadyCounted: false,
  };
  const advanceBy =
    (take: Step) =>
    async (state: State): Promise<Advance> => {
      const { checked, areBadgesLater = false, ...taken } = take(state);
      concluded = concludeServices(deps.catalogue, taken, reports);
      const part = await deps.monitoring.advance(concluded.state, concluded.nowMs, {
        ...(checked === undefined ? {} : { checked }),
        areBadgesLater,
      });
      monitoring = part;
      const { monitors, badges, settle } = part;
      concluded = { ...concluded, state: { ...concluded.state, monitors } };
      return { ...concluded, badges, settle };
    };
  const published = await commit(deps, advanceBy(step), advanceBy(bringUp(nowMs)), known);
  for (const event of concluded.events) deps.emit(event);
  const { written, unchanged, removed, heldBack } = published;
  if (heldBack > 0) deps.emit({ event: "removals-held-back", count: heldBack });
  const { postponedBadges } = published;
  if (postponedBadges > 0) deps.emit({ event: "badges-postponed", count: postponedBadges });
  const { heldBack: heldMonitors, problem } = monitoring;
  if (heldMonitors > 0) deps.emit({ event: "monitors-held-back", count: heldMonitors });
  if (monitoring.isAlreadyCounted) deps.emit({ event: "monitors-already-counted" });
  if (problem !== undefined) deps.emit({ event: "monitors-disturbed", message: problem });
  const requests = { public: deps.publicStore.requests(), state: deps.stateStore.requests() };
  const durationMs = Math.round(deps.now() - startedMs);
  deps.emit({ event: "published", written, unchanged, removed, durationMs, requests });
  const { snapshot, state } = concluded;
  return { snapshot, state, published, requests };
}

/** Documents that follow from a state as it is: nothing is folded into it. */
function bringUp(nowMs: number): Step {
  return (state) => ({ state, nowMs, events: [] });
}

/** A replay of an older time, or a clock that was set back, must not bring back what was true then. */
function latestOf({ history, lastRun }: State, nowMs: number): number {
  return Math.max(nowMs, history.updatedAtMs ?? nowMs, lastRun?.startedAtMs ?? nowMs);
}

interface Concluded extends Omit<Advance, "badges" | "settle"> {
  readonly snapshot: Snapshot;
  readonly events: readonly RunEvent[];
}

function concludeServices(
  catalogue: Catalogue,
  { state, nowMs, events }: ReturnType<Step>,
  reports: Reports,
): Concluded {
  const { history } = state;
  const asOfMs = latestOf(state, nowMs);
  const snapshot = conclude(catalogue, history, reports, history.updatedAtMs ?? asOfMs, asOfMs);
  const next = { ...state, evidence: pruneEvidence(state, catalogue) };
  return { state: next, nowMs: asOfMs, events, snapshot, documents: buildDocuments(snapshot) };
}

/** Evidence of services that left the catalogue is of no use to anybody. */
function pruneEvidence(state: State, catalogue: Catalogue): State["evidence"] {
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  return new Map([...state.evidence].filter(([slug]) => slugs.has(slug)));
}
