import { REFUSED_CLOCK_MS } from "../../store/store-clock.ts";
import { withoutFuture } from "./without-future.ts";
import { ARCHIVE, planArchive } from "../pages/archive-groups.ts";
import { decideServices } from "./decide-services.ts";
import { HISTORY, planHistory } from "../pages/history-groups.ts";
import { judgeScopes } from "./judge-scopes.ts";
import { buildOpenDocuments } from "./open-documents.ts";
import { EVIDENCE, planEvidence } from "../pages/evidence-groups.ts";
import { advanceOwners, noteOwnerChanges, type OwnersAdvance } from "./owner-generation.ts";
import type { MonitoringAdvance } from "./monitor-generation.ts";
import type {
  GenerationDependencies,
  GenerationOptions,
  PublishSetup,
  StateUpdate,
} from "./publish-setup.ts";
import { keepAccuracy, measureAccuracy } from "./keep-accuracy.ts";
import { placeSite, type SitePlace, toSiteAddress } from "../pages/site-address.ts";
import {
  SERVICE_CARDS,
  type SiteMaker,
  type SiteSources,
  SLOW_FAMILIES,
} from "../pages/site-view.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { Scope } from "../../model/service/interference.ts";
import type { RunEvent } from "../../model/run-event.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import { buildAccuracy } from "../../open-data/accuracy/report.ts";
import type { Advance } from "../../publish/generation.ts";
import { type GroupFamily, joinFamilies, NO_GROUPS } from "../../publish/object-groups.ts";
import { reportsAsOf } from "../../reports/counting/counts.ts";
import { buildDocuments } from "../../services/snapshot/api-documents.ts";
import { noteIncidents, noteVerdicts } from "../../services/snapshot/verdict-log.ts";
import type { SiteAddress } from "../../site/view.ts";
import { yearOf } from "../../site/words/time.ts";
import type { OpenEdits } from "../../state/edit-inbox.ts";
import type { Inbox, OpenInbox } from "../../state/report-inbox.ts";
import { addFolded, forgetFolded, isFolded } from "../../model/folded-ids.ts";
import type { ReportsState } from "../../model/service/reports.ts";
import { DAY_MS } from "../../model/time.ts";
import { evaluateSurges } from "../../reports/counting/evaluate-surges.ts";
import { foldReports } from "../../reports/counting/fold-reports.ts";

/** An advance of the state, and the values that it was computed from. */
export interface ComputedGeneration extends Advance {
  readonly snapshot: Snapshot;
  readonly events: readonly RunEvent[];
  readonly monitoring: MonitoringAdvance;
  readonly ownership: OwnersAdvance;
  readonly place: SitePlace;
}

/** What waits to be counted. */
export interface Inboxes {
  readonly reports: OpenInbox;
  readonly edits: Pick<OpenEdits, "take">;
}

/** Fold → count → decide → build: the next generation after a state. Throws `StateError` and `StoreError`. */
export async function computeGeneration(
  deps: GenerationDependencies,
  { reports: inbox, edits }: Inboxes,
  before: State,
  update: StateUpdate,
  { reportsAtMs, isSiteLater = false }: GenerationOptions,
): Promise<ComputedGeneration> {
  const folded = update(before);
  const { events, pending } = folded;
  const catalogue = await deps.readCatalogue(deps.emit);
  // An older time, given by `--at`, must not bring back older counts.
  const countedAtMs = notBefore(folded.state, reportsAtMs);
  const unfolded = await inbox.take(folded.state.reports.folded);
  const reports = await countReports(folded.state.reports, unfolded, catalogue, countedAtMs);
  const baseUrl = deps.baseUrl ?? folded.state.baseUrl;
  const siteSettings = { ...folded.state.siteSettings, ...deps.siteSettings };
  const counted = { ...folded.state, reports, baseUrl, siteSettings };
  const asOfMs = notBefore(counted, folded.nowMs);
  const decided = decide(catalogue, { before, counted, pending }, asOfMs, countedAtMs);
  const advanced = await advanceMonitors(deps, decided.state, edits, asOfMs, folded);
  const { nowMs, ...shown } = notAhead({ ...decided, nowMs: asOfMs }, deps.latestMs?.());
  const place = sitePlaceOf(deps, decided.state);
  const accuracy = await measureAccuracy(deps, shown.state);
  const sources = { ...shown, catalogue, nowMs, reportsAtMs: countedAtMs, accuracy };
  const { families } = advanced.monitoring;
  const { snapshot } = shown;
  const common = { ...advanced, nowMs: asOfMs, snapshot, place, events };
  if (deps.isMonitorsOnly === true)
    return {
      ...common,
      documents: [],
      site: "later",
      groups: joinFamilies(families, SLOW_FAMILIES),
    };
  const { site, cards } = await buildWebsite(
    deps.site,
    toSiteAddress(place, siteSettings, yearOf(nowMs)),
    sources,
    isSiteLater,
  );
  const groups = joinFamilies(
    new Map([...families, [SERVICE_CARDS, cards], ...planOpenData(deps, sources)]),
    SLOW_FAMILIES,
  );
  const documents = [
    ...buildOpenDocuments(shown.state, snapshot, catalogue, place, nowMs),
    buildAccuracy(accuracy),
    // The list of the API comes last.
    ...buildDocuments(snapshot),
  ];
  return { ...common, documents, site, groups };
}

/** The groups outside the API and the website. */
function planOpenData(
  { networkOf, stateStore }: GenerationDependencies,
  sources: SiteSources,
): readonly (readonly [family: string, groups: GroupFamily])[] {
  return [
    [EVIDENCE, planEvidence(sources, networkOf)],
    [HISTORY, planHistory(sources)],
    [ARCHIVE, planArchive(sources.state.archive, stateStore)],
  ];
}

/** The monitors of the registry, and those of owners, of the next generation. */
async function advanceMonitors(
  deps: GenerationDependencies,
  state: State,
  edits: Inboxes["edits"],
  nowMs: number,
  { checked, areMonitorsLater = false }: ReturnType<StateUpdate>,
): Promise<Pick<ComputedGeneration, "state" | "monitoring" | "ownership" | "settle">> {
  const ownership = await advanceOwners(deps.owners, state.owners, edits, nowMs);
  const { owned, erasedIds } = ownership;
  const monitoring = await deps.monitoring.advance(state, nowMs, {
    ...(checked === undefined ? {} : { checked }),
    areMonitorsLater,
    owned,
    erasedIds,
  });
  const owners = noteOwnerChanges(ownership, monitoring, nowMs);
  return {
    state: { ...state, monitors: monitoring.monitors, owners },
    monitoring,
    ownership,
    settle: async () => ({
      monitors: await monitoring.settle(),
      owners: { ...(await ownership.settle()), changes: owners.changes },
    }),
  };
}

/** A replay of an older time, or a clock that was set back, must not bring back older verdicts. */
function notBefore({ history, lastRun }: State, nowMs: number): number {
  return Math.max(nowMs, history.updatedAtMs ?? nowMs, lastRun?.startedAtMs ?? nowMs);
}

/** The state before and after counting. */
interface Counted {
  readonly pending: ReadonlySet<string> | undefined;
  readonly before: State;
  readonly counted: State;
}

interface Decided {
  readonly state: State;
  readonly snapshot: Snapshot;
}

/**
 * What is published of it: after a clock was ahead, the state has times that are yet to come. Smaller
 * differences are those of two machines: an intake with a slow clock must not set back what the runner has published.
 */
function notAhead(
  decided: Decided & { readonly nowMs: number },
  latestMs: number | undefined,
): Decided & { readonly nowMs: number } {
  return latestMs === undefined || decided.nowMs <= latestMs + REFUSED_CLOCK_MS
    ? decided
    : withoutFuture(decided, latestMs);
}

/** Decides the verdicts, and records them and their changes in the state. */
function decide(
  catalogue: Catalogue,
  { before, counted: state, pending }: Counted,
  nowMs: number,
  reportsAtMs: number,
): Decided {
  const { history } = state;
  const reports = reportsAsOf(state.reports.ledger, reportsAtMs);
  const updatedAtMs = history.updatedAtMs ?? nowMs;
  const snapshot = decideServices(catalogue, history, reports, updatedAtMs, nowMs, pending);
  const evidence = pruneEvidence(state, catalogue);
  // Judged at the first change, which most generations do not have.
  let scopes: ReturnType<typeof judgeScopes> | undefined;
  const scopeOf = (slug: string): Scope =>
    (scopes ??= judgeScopes(catalogue, state)).get(slug)?.scope ?? "unknown";
  const verdicts = noteVerdicts(state.verdicts, snapshot, nowMs, scopeOf);
  const incidents = noteIncidents(state.incidents, snapshot, verdicts, nowMs);
  const accuracy = keepAccuracy({
    before,
    after: state,
    snapshot,
    services: catalogue.services,
    nowMs: reportsAtMs,
  });
  return { state: { ...state, evidence, verdicts, incidents, accuracy }, snapshot };
}

/** Without services that left the catalogue. */
function pruneEvidence(state: State, catalogue: Catalogue): State["evidence"] {
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  return new Map([...state.evidence].filter(([slug]) => slugs.has(slug)));
}

/** Where the website of a state is served, with the settings of this command. */
export function sitePlaceOf(setup: PublishSetup, state: State): SitePlace {
  const { baseUrl, needsAddress = false, publicStore } = setup;
  return placeSite(state, { baseUrl, needsAddress, store: publicStore.identity });
}

async function buildWebsite(
  maker: SiteMaker,
  address: SiteAddress | undefined,
  sources: SiteSources,
  isSiteLater: boolean,
): Promise<{ readonly site: Advance["site"]; readonly cards: GroupFamily }> {
  if (address === undefined) return { site: isSiteLater ? "later" : [], cards: NO_GROUPS };
  const site = isSiteLater ? "later" : await maker.build(address, sources);
  return { site, cards: maker.cardsOf(address, sources) };
}

/** Twice as long as the reports of an object could still count if it appeared again. */
const REMEMBER_MS = 2 * DAY_MS;

/**
 * Ranges of ids that are kept at most; the oldest are dropped first. The objects of one intake process are one range, which ends
 * where an object never reached the inbox. Source: docs/publish/protocol.md, The inbox.
 */
const MAX_RANGES = 20_000;

/**
 * Counts the inbox objects that were not counted before, and evaluates surges if that is due. Throws what reading the inbox throws.
 *
 * @param nowMs the time as of which the counts are published.
 */
async function countReports(
  { ledger, folded }: ReportsState,
  inbox: Inbox,
  { services }: Catalogue,
  nowMs: number,
): Promise<ReportsState> {
  const fresh = inbox.ids.filter((id) => !isFolded(folded, id));
  const reports = (await Promise.all(fresh.map(inbox.read))).flat();
  const slugs = services.map(({ slug }) => slug);
  const known = new Set(slugs);
  const counted = foldReports(
    ledger,
    reports.filter(({ slug }) => known.has(slug)),
    nowMs,
  );
  return {
    ledger: evaluateSurges(counted.ledger, slugs, nowMs),
    folded: forgetFolded(addFolded(folded, fresh, nowMs), nowMs, {
      keepMs: REMEMBER_MS,
      maxRanges: MAX_RANGES,
    }),
  };
}
