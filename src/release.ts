import { commit, type CommitDependencies } from "./commit.ts";
import { conclude } from "./conclude.ts";
import { countReports } from "./counting.ts";
import type { Registry } from "./departures.ts";
import type { Advance } from "./generation.ts";
import { openInboxOf, type OpenInbox, type WrittenObjects } from "./inbox.ts";
import type { Catalogue } from "./model/catalogue.ts";
import type { Emit, RunEvent } from "./model/event.ts";
import type { Snapshot } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import type { RequestCounts } from "./model/store.ts";
import type { BadgeMaker } from "./monitor-parts.ts";
import {
  type CheckedMonitors,
  createMonitoring,
  type Monitoring,
  type MonitoringAdvance,
} from "./monitoring.ts";
import type { MonitoringMemory } from "./monitoring-memory.ts";
import { type GroupFamily, joinFamilies, NO_GROUPS } from "./publish/groups.ts";
import type { PublishResult } from "./publish/publishing.ts";
import { reportsAsOf } from "./reports/counts.ts";
import { placeSite, type SitePlace, toSiteAddress } from "./site-place.ts";
import { PICTURES, type SiteMaker, type SiteSources } from "./site-view.ts";
import { noteVerdicts } from "./snapshot/changes.ts";
import { buildDocuments } from "./snapshot/documents.ts";
import type { LoadedState } from "./state.ts";
import { type CheckClock, createClockCheck } from "./store-clock.ts";
import { type CountedStore, countRequests } from "./store/count.ts";

/** What publishing takes: stores, and where the catalogue and the monitors come from. */
export interface ReleaseSetup extends CommitDependencies {
  /**
   * The catalogue as it is now. Asked anew after each look at the state, as the registry is: who edits it and publishes
   * afterwards is never undone by somebody who began before. Never throws; what is wrong with it goes to the log.
   */
  readonly readCatalogue: (emit: Emit) => Promise<Catalogue>;
  readonly readRegistry: () => Promise<Registry>;
  /** Ids of monitors that somebody asked for by name: nothing that happens to these is a mistake. */
  readonly named?: ReadonlySet<string>;
  /** Those of them that somebody took out of the registry: gone, even where it cannot be read whole. */
  readonly removed?: ReadonlySet<string>;
  readonly badges: BadgeMaker;
  readonly site: SiteMaker;
  /** Where the website is served. Absent: where it was. */
  readonly baseUrl?: string;
  /** Strangers read the public store: without an address, given or remembered, there is no website. */
  readonly needsAddress?: boolean;
  /** For a process that publishes again and again: what it knows of monitors need not be read each time. */
  readonly memory?: MonitoringMemory;
  /** Who publishes for the sake of reports alone has nothing to publish when the inbox cannot be read: then it throws. */
  readonly mustCount?: boolean;
  /** Objects of the inbox that this process wrote itself. */
  readonly written?: WrittenObjects;
}

/** The same with stores that count their requests, and monitors that remember what was read of them. */
export interface ReleaseDependencies extends ReleaseSetup {
  readonly publicStore: CountedStore;
  readonly stateStore: CountedStore;
  readonly monitoring: Monitoring;
  readonly checkClock: CheckClock;
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
  /** What is published of monitors stays, but for what has to go: another generation is about to count their checks. */
  readonly areMonitorsLater?: boolean;
};

/** Begins to count requests: once for each command. */
export function openRelease<T extends ReleaseSetup>(setup: T): T & ReleaseDependencies {
  const publicStore = countRequests(setup.publicStore);
  const stateStore = countRequests(setup.stateStore);
  const partsOf = async (state: State): ReturnType<SiteMaker["partsOf"]> => {
    const address = toSiteAddress(placeOf(setup, state));
    return address === undefined ? new Map() : setup.site.partsOf(address);
  };
  const monitoring = createMonitoring({ ...setup, stateStore, partsOf });
  const checkClock = createClockCheck(stateStore, setup.emit);
  return { ...setup, publicStore, stateStore, monitoring, checkClock };
}

export interface ReleaseOptions {
  /** Time as of which reports are counted: now, even where a run speaks as of its beginning. */
  readonly reportsAtMs: number;
  /** The state as it was read before: saves a request when nobody has advanced it since. */
  readonly known?: LoadedState;
  /** The website stays as it is: who publishes many times a minute writes its pages now and then only. */
  readonly isSiteLater?: boolean;
}

/** Wins a generation with the step, counts what was reported, and publishes it. Throws `StateError` and `StoreError`. */
export async function release(
  deps: ReleaseDependencies,
  nowMs: number,
  step: Step,
  options: ReleaseOptions,
): Promise<Released> {
  const startedMs = deps.now();
  const inbox = await openInboxOf(deps);
  deps.checkClock();
  // Every try computes it anew; that of the generation that was won is the last.
  let last: Concluded | undefined;
  const advanceBy = (take: Step) => async (state: State) =>
    (last = await computeAdvance(deps, inbox, take(state), options));
  const repair = bringUp(nowMs);
  const published = await commit(deps, advanceBy(step), advanceBy(repair), options.known);
  if (last === undefined) throw new Error("a generation was won without a state");
  const { snapshot, state } = last;
  await inbox.clear(state.reports.folded);
  tell(deps, last, published);
  const requests = { public: deps.publicStore.requests(), state: deps.stateStore.requests() };
  const { written, unchanged, removed } = published;
  const durationMs = Math.round(deps.now() - startedMs);
  deps.emit({ event: "published", written, unchanged, removed, durationMs, requests });
  return { snapshot, state, published, requests };
}

async function computeAdvance(
  deps: ReleaseDependencies,
  inbox: OpenInbox,
  { checked, areMonitorsLater = false, ...taken }: ReturnType<Step>,
  { reportsAtMs, isSiteLater = false }: ReleaseOptions,
): Promise<Concluded> {
  const catalogue = await deps.readCatalogue(deps.emit);
  // An older time, given by hand, must not bring back older counts.
  const asOfMs = latestOf(taken.state, reportsAtMs);
  const fresh = await inbox.take(taken.state.reports.folded);
  const reports = await countReports(taken.state.reports, fresh, catalogue, asOfMs);
  const baseUrl = deps.baseUrl ?? taken.state.baseUrl;
  const counted = { ...taken, state: { ...taken.state, reports, baseUrl } };
  const services = concludeServices(catalogue, counted, asOfMs);
  const monitoring = await deps.monitoring.advance(services.state, services.nowMs, {
    ...(checked === undefined ? {} : { checked }),
    areMonitorsLater,
  });
  const { monitors, families, settle } = monitoring;
  const sources = { ...services, catalogue, reportsAtMs: asOfMs };
  const place = placeOf(deps, services.state);
  const { site, cards } = await buildWebsite(deps.site, place, sources, isSiteLater);
  const groups = joinFamilies(new Map([...families, ["service", cards]]), PICTURES);
  const state = { ...services.state, monitors };
  return { ...services, state, site, groups, settle, monitoring, place };
}

/** Where the website of a state is served, by the settings of this command. */
function placeOf({ baseUrl, needsAddress = false, publicStore }: ReleaseSetup, state: State) {
  return placeSite(state, { baseUrl, needsAddress, store: publicStore.identity });
}

async function buildWebsite(
  maker: SiteMaker,
  place: SitePlace,
  sources: SiteSources,
  isSiteLater: boolean,
): Promise<{ readonly site: Advance["site"]; readonly cards: GroupFamily }> {
  const address = toSiteAddress(place);
  if (address === undefined) return { site: isSiteLater ? "later" : [], cards: NO_GROUPS };
  const site = isSiteLater ? "later" : await maker.build(address, sources);
  return { site, cards: maker.cardsOf(address, sources) };
}

/** What somebody who reads the log should know of a generation. */
function tell(
  { emit, arePicturesLater = false }: ReleaseDependencies,
  { events, monitoring, site, place }: Concluded,
  { heldBack, postponedGroups }: PublishResult,
): void {
  for (const event of events) emit(event);
  if (heldBack > 0) emit({ event: "removals-held-back", count: heldBack });
  // Pictures that wait for a run are no news of each publish before it.
  if (postponedGroups > 0 && !arePicturesLater)
    emit({ event: "badges-postponed", count: postponedGroups });
  // Once for each command that publishes pages, and not with each of its generations.
  if (place.kind !== "known" && site !== "later") {
    const assumedUrl = place.kind === "assumed" ? place.baseUrl : null;
    emit({ event: "site-without-address", assumedUrl });
  }
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

/** An advance, and what it was made from. */
interface Concluded extends Advance {
  readonly snapshot: Snapshot;
  readonly events: readonly RunEvent[];
  readonly monitoring: MonitoringAdvance;
  readonly place: SitePlace;
}

type ConcludedServices = Omit<Concluded, "site" | "groups" | "settle" | "monitoring" | "place">;

function concludeServices(
  catalogue: Catalogue,
  { state, nowMs, events }: ReturnType<Step>,
  reportsAtMs: number,
): ConcludedServices {
  const { history } = state;
  const asOfMs = latestOf(state, nowMs);
  const reports = reportsAsOf(state.reports.ledger, reportsAtMs);
  const snapshot = conclude(catalogue, history, reports, history.updatedAtMs ?? asOfMs, asOfMs);
  const next = {
    ...state,
    evidence: pruneEvidence(state, catalogue),
    verdicts: noteVerdicts(state.verdicts, snapshot, asOfMs),
  };
  return { state: next, nowMs: asOfMs, events, snapshot, documents: buildDocuments(snapshot) };
}

/** Evidence of services that left the catalogue is of no use to anybody. */
function pruneEvidence(state: State, catalogue: Catalogue): State["evidence"] {
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  return new Map([...state.evidence].filter(([slug]) => slugs.has(slug)));
}
