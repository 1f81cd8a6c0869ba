import { daysOf, halfHoursOf, responseHoursOf } from "./history/series.ts";
import type { Catalogue, Category, Endpoint, Service } from "./model/catalogue.ts";
import type { ServiceEvidence } from "./model/evidence.ts";
import type { ServiceHistory } from "./model/history.ts";
import type { EndpointResult } from "./model/outcome.ts";
import type { ServiceSnapshot, Site, Snapshot } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import { FRESH_MS } from "./model/time.ts";
import type { MonitorPart } from "./monitor-parts.ts";
import type { GroupFamily } from "./publish/groups.ts";
import { reportHoursOf } from "./reports/hours.ts";
import type {
  ChangeView,
  EndpointFinding,
  EndpointView,
  ServiceView,
  SiteAddress,
  SiteView,
  WayView,
} from "./site/view.ts";

/** What the pages of a generation are built from: the very values that its documents are built from. */
export interface SiteSources {
  readonly catalogue: Catalogue;
  readonly state: State;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  /** Time as of which reports are counted. */
  readonly reportsAtMs: number;
}

/** Makes the website of a generation for the address where it is served. */
export interface SiteMaker {
  /** All but what monitors have, and pictures. */
  readonly build: (address: SiteAddress, sources: SiteSources) => Promise<Site>;
  /** The pictures for links to services, by slug. */
  readonly cardsOf: (address: SiteAddress, sources: SiteSources) => GroupFamily;
  /** What each public monitor has beside its badges, by family. */
  readonly partsOf: (address: SiteAddress) => Promise<ReadonlyMap<string, MonitorPart>>;
}

/** Families of groups that are pictures for shared links. */
export const PICTURES: ReadonlySet<string> = new Set(["service", "card"]);

/** The data of all pages but those of monitors. Pure. */
export function viewSite(address: SiteAddress, sources: SiteSources): SiteView {
  const { catalogue, state, snapshot } = sources;
  const categories = new Map(catalogue.categories.map((category) => [category.id, category]));
  const services = new Map(catalogue.services.map((service) => [service.slug, service]));
  return {
    address,
    categories: catalogue.categories,
    services: snapshot.services.flatMap((published) => {
      const service = services.get(published.slug);
      const category = categories.get(service?.category ?? "");
      return service === undefined || category === undefined
        ? []
        : [viewService(service, category, published, sources)];
    }),
    changes: viewChanges(state.verdicts.changes, services),
    way: viewWay(state.lastRun, sources.nowMs),
  };
}

/** As of a run as fresh as a verdict has to be. That the runner is offline is for the verdicts to say, when theirs have grown old. */
function viewWay(lastRun: State["lastRun"], nowMs: number): WayView | null {
  if (lastRun === null || nowMs - lastRun.startedAtMs > FRESH_MS) return null;
  const { state } = lastRun.connectivity;
  return state === "fine" || state === "offline" ? null : state;
}

function viewChanges(
  changes: State["verdicts"]["changes"],
  services: ReadonlyMap<string, Service>,
): readonly ChangeView[] {
  return changes.toReversed().flatMap((change) => {
    const name = services.get(change.slug)?.name;
    return name === undefined ? [] : [{ ...change, name }];
  });
}

function viewService(
  service: Service,
  category: Category,
  { verdict, reports }: ServiceSnapshot,
  { state, nowMs, reportsAtMs }: SiteSources,
): ServiceView {
  const { history, evidence } = state;
  const { slug, name, annotations } = service;
  const record = history.services.get(slug);
  return {
    slug,
    name,
    category,
    verdict,
    reports,
    staleCheckMs: staleCheckOf(record, history.runs.at(-1)?.atMs),
    endpoints: service.endpoints.map((endpoint) => viewEndpoint(endpoint, evidence.get(slug))),
    annotations,
    reportHours: reportHoursOf(state.reports.ledger.services.get(slug), reportsAtMs),
    ...viewHistory(service, record, history, nowMs),
  };
}

function viewHistory(
  service: Service,
  record: ServiceHistory | undefined,
  { runs, endpoints }: State["history"],
  nowMs: number,
): Pick<ServiceView, "halfHours" | "days" | "responseMs"> {
  const main = service.endpoints.find(({ isCritical }) => isCritical) ?? service.endpoints[0];
  return {
    halfHours: halfHoursOf(record?.strip ?? "", runs, nowMs),
    days: daysOf(record?.days ?? [], nowMs),
    responseMs: responseHoursOf(endpoints.get(main?.url ?? "") ?? "", runs, nowMs),
  };
}

function staleCheckOf(record: ServiceHistory | undefined, lastRunMs: number | undefined) {
  if (record === undefined || lastRunMs === undefined || record.checkedAtMs >= lastRunMs)
    return null;
  return record.checkedAtMs;
}

function viewEndpoint(
  { url, what, isCritical }: Endpoint,
  evidence: ServiceEvidence | undefined,
): EndpointView {
  const result = evidence?.endpoints.find((endpoint) => endpoint.url === url)?.result;
  return { url, what, isCritical, finding: findingOf(result) };
}

function findingOf(result: EndpointResult | undefined): EndpointFinding {
  if (result === undefined) return { kind: "unknown" };
  const { outcome, isFlaky } = result;
  switch (outcome.kind) {
    case "ok":
      return { kind: "ok", isFlaky, isUnverified: outcome.trace.tlsVerified === false };
    case "denied":
    case "skipped":
      return { kind: outcome.kind };
    case "failed": {
      const { stage, code, trace } = outcome;
      const { httpStatus } = trace;
      return { kind: "failed", stage, code, ...(httpStatus === undefined ? {} : { httpStatus }) };
    }
  }
}
