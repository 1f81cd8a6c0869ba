import { type Advance, commit, type CommitDependencies } from "./commit.ts";
import { conclude } from "./conclude.ts";
import { countReports } from "./counting.ts";
import { clearInbox, openInbox } from "./inbox.ts";
import type { Catalogue } from "./model/catalogue.ts";
import type { RunEvent } from "./model/event.ts";
import type { Snapshot } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
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
import { reportsAsOf } from "./reports/counts.ts";
import { buildDocuments } from "./snapshot/documents.ts";
import type { LoadedState } from "./state.ts";
import { type CountedStore, countRequests } from "./store/count.ts";

/** What publishing takes: stores, the catalogue, and where monitors come from. */
export interface ReleaseSetup extends CommitDependencies {
  readonly catalogue: Catalogue;
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

export interface ReleaseOptions {
  /** Time as of which reports are counted: now, even where a run speaks as of its beginning. */
  readonly reportsAtMs: number;
  /** The state as it was read before: saves a request when nobody has advanced it since. */
  readonly known?: LoadedState;
}

/** Wins a generation with the step, counts what was reported, and publishes it. Throws `StateError` and `StoreError`. */
export async function release(
  deps: ReleaseDependencies,
  nowMs: number,
  step: Step,
  { reportsAtMs, known }: ReleaseOptions,
): Promise<Released> {
  const startedMs = deps.now();
  const inbox = await openInbox(deps.stateStore, (message) =>
    deps.emit({ event: "inbox-damaged", message }),
  );
  // Every try computes these anew; those of the generation that was won are the last.
  let concluded: Concluded | undefined;
  const advanceBy =
    (take: Step) =>
    async (state: State): Promise<Advance> => {
      const { checked, areBadgesLater = false, ...taken } = take(state);
      // An older time, given by hand, must not bring back older counts.
      const asOfMs = latestOf(taken.state, reportsAtMs);
      const reports = await countReports(taken.state.reports, inbox, deps.catalogue, asOfMs);
      const counted = { ...taken, state: { ...taken.state, reports } };
      const services = concludeServices(deps.catalogue, counted, asOfMs);
      const monitoring = await deps.monitoring.advance(services.state, services.nowMs, {
        ...(checked === undefined ? {} : { checked }),
        areBadgesLater,
      });
      const { monitors, badges, settle } = monitoring;
      concluded = { ...services, state: { ...services.state, monitors }, monitoring };
      return { ...concluded, badges, settle };
    };
  const published = await commit(deps, advanceBy(step), advanceBy(bringUp(nowMs)), known);
  if (concluded === undefined) throw new Error("a generation was won without a state");
  const { snapshot, state } = concluded;
  await clearInbox(
    deps.stateStore,
    inbox.ids.filter((id) => state.reports.folded.has(id)),
  );
  tell(deps.emit, concluded, published);
  const requests = { public: deps.publicStore.requests(), state: deps.stateStore.requests() };
  const { written, unchanged, removed } = published;
  const durationMs = Math.round(deps.now() - startedMs);
  deps.emit({ event: "published", written, unchanged, removed, durationMs, requests });
  return { snapshot, state, published, requests };
}

/** What somebody who reads the log should know of a generation. */
function tell(
  emit: ReleaseDependencies["emit"],
  { events, monitoring }: Concluded,
  { heldBack, postponedBadges }: PublishResult,
): void {
  for (const event of events) emit(event);
  if (heldBack > 0) emit({ event: "removals-held-back", count: heldBack });
  if (postponedBadges > 0) emit({ event: "badges-postponed", count: postponedBadges });
  if (monitoring.heldBack > 0) emit({ event: "monitors-held-back", count: monitoring.heldBack });
  if (monitoring.isAlreadyCounted) emit({ event: "monitors-already-counted" });
  const { problem } = monitoring;
  if (problem !== undefined) emit({ event: "monitors-disturbed", message: problem });
}

/** Documents that follow from a state as it is: nothing is folded into it. */
function bringUp(nowMs: number): Step {
  return (state) => ({ state, nowMs, events: [] });
}

/** A replay of an older time, or a clock that was set back, must not bring back what was true then. */
function latestOf({ history, lastRun }: State, nowMs: number): number {
  return Math.max(nowMs, history.updatedAtMs ?? nowMs, lastRun?.startedAtMs ?? nowMs);
}

interface ConcludedServices extends Omit<Advance, "badges" | "settle"> {
  readonly snapshot: Snapshot;
  readonly events: readonly RunEvent[];
}

interface Concluded extends ConcludedServices {
  readonly monitoring: MonitoringAdvance;
}

function concludeServices(
  catalogue: Catalogue,
  { state, nowMs, events }: ReturnType<Step>,
  reportsAtMs: number,
): ConcludedServices {
  const { history } = state;
  const asOfMs = latestOf(state, nowMs);
  const reports = reportsAsOf(state.reports.ledger, reportsAtMs);
  const snapshot = conclude(catalogue, history, reports, history.updatedAtMs ?? asOfMs, asOfMs);
  const next = { ...state, evidence: pruneEvidence(state, catalogue) };
  return { state: next, nowMs: asOfMs, events, snapshot, documents: buildDocuments(snapshot) };
}

/** Evidence of services that left the catalogue is of no use to anybody. */
function pruneEvidence(state: State, catalogue: Catalogue): State["evidence"] {
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  return new Map([...state.evidence].filter(([slug]) => slugs.has(slug)));
}
