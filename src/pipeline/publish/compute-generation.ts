import { notAhead } from "./without-future.ts";
import { decideState } from "./decide-services.ts";
import { planArchive, planEvidence, planHistory } from "../pages/open-data-groups.ts";
import { advanceOwners, noteOwnerChanges, type OwnersAdvance } from "./owner-generation.ts";
import { advanceMonitors, type MonitoringAdvance } from "./monitor-generation.ts";
import type { GenerationDependencies, GenerationOptions, StateUpdate } from "./publish-setup.ts";
import { measureAccuracy } from "./keep-accuracy.ts";
import { summariseMonths } from "../pages/month-summaries.ts";
import { placeSite, type SitePlace, toSiteAddress } from "../pages/site-address.ts";
import type { SiteMaker } from "../pages/site-builder.ts";
import type { SiteSources } from "../pages/site-view.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { RunEvent } from "../../model/run-event.ts";
import type { Document, Snapshot } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import type { OwnerEdit } from "../../model/monitor/owned-monitor.ts";
import { buildChanges } from "../../open-data/documents/changes.ts";
import { buildMetrics } from "../../open-data/documents/metrics.ts";
import { buildOperators } from "../../open-data/documents/operators.ts";
import { sumOperatorsOfAll } from "../../reports/counting/by-operator.ts";
import { buildStatuspage } from "../../open-data/documents/statuspage.ts";
import type { Advance } from "../../publish/generation.ts";
import { type FamilyName, type GroupFamily, joinFamilies } from "../../publish/object-groups.ts";
import { buildDocuments } from "../../services/snapshot/api-documents.ts";
import type { SiteAddress } from "../../site/view.ts";
import { yearOf } from "../../site/words/time.ts";
import type { OpenInbox, Taken } from "../../state/inbox.ts";
import { addFolded, forgetFolded } from "../../model/folded-ids.ts";
import type { Report, ReportsState } from "../../model/service/reports.ts";
import { DAY_MS } from "../../model/time.ts";
import { evaluateSurges } from "../../reports/counting/evaluate-surges.ts";
import { foldReports } from "../../reports/counting/fold-reports.ts";
import { buildAccuracy } from "../../open-data/accuracy/report.ts";

export interface ComputedGeneration extends Advance {
  readonly snapshot: Snapshot;
  readonly events: readonly RunEvent[];
  readonly monitoring: MonitoringAdvance;
  readonly ownership: OwnersAdvance;
  readonly place: SitePlace;
}

/** Families of groups that are slow to make and not urgent: pictures for links to services and monitors, and files of the archive. */
const SLOW_FAMILIES: ReadonlySet<FamilyName> = new Set(["service", "card", "archive"]);

/** Fold → count → decide → build: the next generation after a state. Throws `StateError` and `StoreError`. */
export async function computeGeneration(
  deps: GenerationDependencies,
  reports: OpenInbox<Report>,
  edits: OpenInbox<OwnerEdit>,
  before: State,
  update: StateUpdate,
  { reportsAtMs, isSiteLater = false }: GenerationOptions,
): Promise<ComputedGeneration> {
  const folded = update(before);
  const catalogue = await deps.readCatalogue(deps.emit);
  // An older time, given by `--at`, must not bring back older counts.
  const countedAtMs = notBefore(folded.state, reportsAtMs);
  const taken = await reports.take(folded.state.reports.folded);
  const counted: State = {
    ...folded.state,
    reports: countReports(folded.state.reports, taken, catalogue, countedAtMs),
    baseUrl: deps.baseUrl ?? folded.state.baseUrl,
    siteSettings: { ...folded.state.siteSettings, ...deps.siteSettings },
  };
  const asOfMs = notBefore(counted, folded.nowMs);
  const decided = decideState(catalogue, before, counted, asOfMs, countedAtMs, folded.pending);
  const advanced = await advanceRegistered(deps, decided.state, edits, asOfMs, folded);
  const shown = notAhead({ ...decided, nowMs: asOfMs }, asOfMs, deps.latestMs?.());
  const { state, snapshot, nowMs } = shown;
  const place = placeSite(decided.state, deps);
  const known = await measureAccuracy(deps, state, nowMs);
  const months = summariseMonths(state, catalogue.services, nowMs);
  const operators = sumOperatorsOfAll(state.reports.ledger, catalogue.services, countedAtMs);
  const sources = { ...shown, ...known, catalogue, reportsAtMs: countedAtMs, months, operators };
  const common = { ...advanced, nowMs: asOfMs, snapshot, place, events: folded.events ?? [] };
  if (deps.isMonitorsOnly === true)
    return {
      ...common,
      documents: [],
      site: "later",
      groups: joinFamilies(advanced.monitoring.families, SLOW_FAMILIES),
    };
  const address = toSiteAddress(place, counted.siteSettings, yearOf(nowMs));
  const { site, ofSite } = await buildWebsite(deps.site, address, sources, isSiteLater);
  const all = new Map<FamilyName, GroupFamily>([
    ...advanced.monitoring.families,
    ...ofSite,
    ["evidence", planEvidence(sources, deps.networkOf, deps.build)],
    ["history", planHistory(sources)],
    ["archive", planArchive(state, deps.stateStore)],
  ]);
  // The list of the API comes last.
  const documents = [...buildOpenDocuments(sources, place), ...buildDocuments(snapshot)];
  return { ...common, documents, site, groups: joinFamilies(all, SLOW_FAMILIES) };
}

/** The monitors of the registry, and those of owners, of the next generation. */
async function advanceRegistered(
  deps: GenerationDependencies,
  state: State,
  edits: OpenInbox<OwnerEdit>,
  nowMs: number,
  folded: ReturnType<StateUpdate>,
): Promise<Pick<ComputedGeneration, "state" | "monitoring" | "ownership" | "settle">> {
  const ownership = await advanceOwners(deps, state.owners, edits, nowMs);
  const monitoring = await advanceMonitors(deps, state, nowMs, folded, ownership);
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

async function buildWebsite(
  maker: SiteMaker,
  address: SiteAddress | undefined,
  sources: SiteSources,
  isSiteLater: boolean,
): Promise<Pick<Advance, "site"> & { readonly ofSite: ReadonlyMap<FamilyName, GroupFamily> }> {
  if (address === undefined) return { site: isSiteLater ? "later" : [], ofSite: new Map() };
  const site = isSiteLater ? "later" : await maker.build(address, sources);
  const outages = await maker.outagesOf(address, sources);
  const cards = maker.cardsOf(address, sources);
  return {
    site,
    ofSite: new Map([
      ["service", cards],
      ["outage", outages],
    ]),
  };
}

/** What each generation publishes besides the API, and not in groups. */
function buildOpenDocuments(
  { state, snapshot, catalogue, accuracy, operators, nowMs }: SiteSources,
  place: SitePlace,
): readonly Document[] {
  const { verdicts, incidents } = state;
  const siteUrl = place.kind === "nowhere" ? undefined : place.baseUrl.replace(/\/+$/u, "");
  const { services } = snapshot;
  const englishNames = new Map(
    catalogue.services.flatMap(({ slug, nameEn }) =>
      nameEn === undefined ? [] : [[slug, nameEn] as const],
    ),
  );
  return [
    buildChanges(state, nowMs),
    ...buildStatuspage({ services, englishNames, log: verdicts, incidents, siteUrl }),
    buildMetrics(snapshot),
    buildAccuracy(accuracy),
    buildOperators(operators),
  ];
}

/** Twice as long as the reports of an object could still count if it appeared again. */
const REMEMBER_MS = 2 * DAY_MS;

/**
 * Ranges of ids that are kept at most; the oldest are dropped first. The objects of one intake process are one range, which ends
 * where an object never reached the inbox. Source: docs/publish/protocol.md, The inbox.
 */
const MAX_RANGES = 20_000;

/** Counts reports as of a time, and evaluates surges if that is due. */
function countReports(
  { ledger, folded }: ReportsState,
  { ids, items }: Taken<Report>,
  { services }: Catalogue,
  nowMs: number,
): ReportsState {
  const slugs = services.map(({ slug }) => slug);
  const known = new Set(slugs);
  const reports = items.filter(({ slug }) => known.has(slug));
  return {
    ledger: evaluateSurges(foldReports(ledger, reports, nowMs).ledger, slugs, nowMs),
    folded: forgetFolded(addFolded(folded, ids, nowMs), nowMs, {
      keepMs: REMEMBER_MS,
      maxRanges: MAX_RANGES,
    }),
  };
}
