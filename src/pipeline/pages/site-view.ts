import { vendorOf } from "../../probe/answer/walls.ts";
import { publicChangesOf } from "../../open-data/documents/changes.ts";
import { isFailingCode } from "../../contract/codes/verdict.ts";
import { indexPastOutages } from "../../open-data/accuracy/past-outages.ts";
import { concludeExperiment } from "../../services/interference/decide-scope.ts";
import {
  daysOf,
  halfHoursOf,
  responseHoursOf,
  uptimesOfService,
} from "../../services/history/service-chart-series.ts";
import type { Catalogue, Category, Service } from "../../model/service/catalogue.ts";
import { countEach, groupBy } from "../../model/lists.ts";
import type { ServiceHistory } from "../../model/service/history.ts";
import { classOfSample } from "../../services/history/sample-codes.ts";
import { whyUnknown } from "../../services/history/views.ts";
import type { ServiceScope } from "../../model/service/interference.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import type { ServiceSnapshot, Snapshot } from "../../model/service/snapshot.ts";
import { NO_OPERATOR_SUMS, type OperatorSums } from "../../model/service/reports.ts";
import type { State } from "../../model/state.ts";
import { FRESH_MS } from "../../model/time.ts";
import { judgeScopes } from "../publish/judge-scopes.ts";
import { toMoscowDay } from "../../site/words/time.ts";
import { dayPath, indexOutages, outageIdOf, outagePath } from "../../model/service/outage-ids.ts";
import { type MonthSummaries, viewMonths } from "./month-summaries.ts";
import { viewScope } from "./scope-view.ts";
import { standingsOf } from "../../services/interference/evidence-documents.ts";
import { countSymptoms, reportHoursOf, usualHoursOf } from "../../reports/counting/counts.ts";
import type {
  ArchiveView,
  ChangeView,
  ConnectivityIssue,
  EndpointStatus,
  ServiceView,
  SiteAddress,
  SiteView,
  SlowNetworkView,
} from "../../site/view.ts";
import type { ToldOutage, TruthEntry } from "../../model/service/accuracy.ts";
import { gradeUptimes } from "../../model/monitor/pictures.ts";
import type { Accuracy } from "../../contract/accuracy.ts";

export interface SiteSources {
  readonly catalogue: Catalogue;
  readonly state: State;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  /** Time as of which reports are counted. */
  readonly reportsAtMs: number;
  readonly accuracy: Accuracy;
  /** What others know. */
  readonly truth: readonly TruthEntry[];
  readonly months: MonthSummaries;
  /** Reports by operator, by slug. */
  readonly operators: ReadonlyMap<string, OperatorSums>;
}

/** The data of all pages except those of monitors. Pure. */
export function viewSite(address: SiteAddress, sources: SiteSources): SiteView {
  const { catalogue, state, snapshot, accuracy, months, nowMs } = sources;
  const categories = new Map(catalogue.categories.map((category) => [category.id, category]));
  const services = new Map(catalogue.services.map((service) => [service.slug, service]));
  const scopes = judgeScopes(catalogue, state, nowMs);
  const past = indexPastOutages(state.accuracy, catalogue.services);
  const known = indexOutages(state.accuracy);
  const views = snapshot.services.flatMap((published) => {
    const { slug } = published;
    const service = services.get(slug);
    const category = categories.get(service?.category ?? "");
    if (service === undefined || category === undefined) return [];
    const idOf = (sinceMs: number) => known.ofFailure(slug, sinceMs);
    return [
      {
        ...viewService(service, category, { ...published, scope: scopes.get(slug) }, sources),
        outages: viewServiceOutages(state.history.services.get(slug), idOf),
        months: viewMonths(months.ofService(slug), nowMs),
        past: past.own(slug, nowMs) ?? null,
        pastWhenTold: pastWhenTold(published, state),
      },
    ];
  });
  return {
    address,
    categories: catalogue.categories,
    services: views,
    failingOperators: viewFailingOperators(views),
    slowNetworks: viewSlowNetworks(views, state.history.services),
    changes: viewChanges(publicChangesOf(state.verdicts, nowMs), services, known.ofChange),
    outagePaths: pathsOf(known.newest(nowMs), nowMs),
    archive: viewArchive(state),
    connectivityIssue: viewConnectivity(state.lastRun, nowMs),
    accuracy,
    whiteLists: standingsOf(state.vantages)
      .filter(({ isHeard, isWhiteList }) => isHeard && isWhiteList === true)
      .map(({ vantage }) => vantage.network),
  };
}

/** Of the pages of outages, and of the days of these that are over. */
function pathsOf(outages: readonly ToldOutage[], nowMs: number): readonly string[] {
  const days = new Set(outages.map(({ toldAtMs }) => toMoscowDay(toldAtMs)));
  const ended = [...days].filter((day) => day < toMoscowDay(nowMs));
  return [...outages.map((one) => outagePath(outageIdOf(one))), ...ended.map(dayPath)];
}

function viewChanges(
  changes: State["verdicts"]["changes"],
  services: ReadonlyMap<string, Service>,
  outageOf: (slug: string, atMs: number) => string | undefined,
): readonly ChangeView[] {
  return changes.toReversed().flatMap((change) => {
    const { name, nameEn } = services.get(change.slug) ?? {};
    if (name === undefined) return [];
    const outage = outageOf(change.slug, change.atMs);
    const names = { name, ...(nameEn !== undefined && { nameEn }) };
    return [{ ...change, ...names, ...(outage !== undefined && { path: outagePath(outage) }) }];
  });
}

function viewServiceOutages(
  record: ServiceHistory | undefined,
  idOf: (sinceMs: number) => string | undefined,
): ServiceView["outages"] {
  return (record?.outages ?? []).toReversed().map((outage) => {
    const id = idOf(outage.sinceMs);
    return id === undefined ? outage : { ...outage, path: outagePath(id) };
  });
}

function viewService(
  service: Service,
  category: Category,
  { verdict, reports, scope }: ServiceSnapshot & { readonly scope: ServiceScope | undefined },
  { state, nowMs, reportsAtMs, operators }: SiteSources,
): Omit<ServiceView, "outages" | "months" | "past" | "pastWhenTold"> {
  const { history, evidence } = state;
  const { runs } = history;
  const { slug, endpoints } = service;
  const record = history.services.get(slug);
  const ledger = state.reports.ledger.services.get(slug);
  const symptoms = ledger === undefined ? [] : [...countSymptoms(ledger, reportsAtMs)];
  const main = endpoints.find(({ isCritical }) => isCritical) ?? endpoints[0];
  return {
    ...service,
    category,
    verdict,
    reports,
    unknown: verdict.code === "none" ? whyUnknown(service, history) : null,
    staleCheckMs: staleCheckOf(record, runs.at(-1)?.atMs, nowMs),
    endpoints: endpoints.map(({ url, what, whatRu, isCritical }) => {
      const found = evidence.get(slug)?.endpoints.find((one) => one.url === url);
      const names = whatRu === undefined ? { what } : { what, whatRu };
      const isServed = found?.result.browser?.isOpen;
      const served = isServed === undefined ? {} : { isBrowserServed: isServed };
      const samples = history.endpoints.get(url) ?? "";
      const halfHours = halfHoursOf(samples, runs, nowMs, classOfSample);
      return { url, ...names, isCritical, status: statusOf(found?.result), ...served, halfHours };
    }),
    scope: viewScope(service, scope, record, state.vantages, nowMs),
    operators: operators.get(slug) ?? NO_OPERATOR_SUMS,
    reportHours: reportHoursOf(ledger, reportsAtMs),
    usualReports: usualHoursOf(ledger, reportsAtMs),
    symptoms: symptoms.filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1]),
    halfHours: halfHoursOf(record?.strip ?? "", runs, nowMs),
    days: daysOf(record?.days ?? [], nowMs),
    uptimes: gradeUptimes(uptimesOfService(record ?? { strip: "", days: [] }, runs, nowMs)),
    responseMs: responseHoursOf(history.endpoints.get(main?.url ?? "") ?? "", runs, nowMs),
  };
}

/** What the message about the failure said: a later outage of another service must not change the page. */
function pastWhenTold({ slug, verdict }: ServiceSnapshot, { verdicts }: State) {
  if (!isFailingCode(verdict.code)) return null;
  return verdicts.changes.findLast((change) => change.slug === slug)?.past ?? null;
}

function staleCheckOf(
  record: ServiceHistory | undefined,
  lastRunMs: number | undefined,
  nowMs: number,
): number | null {
  if (record === undefined || lastRunMs === undefined) return null;
  const { checkedAtMs } = record;
  return checkedAtMs < lastRunMs || nowMs - checkedAtMs > FRESH_MS ? checkedAtMs : null;
}

function statusOf(result: EndpointResult | undefined): EndpointStatus {
  if (result === undefined) return { kind: "unknown" };
  const { outcome, isFlaky, experiment = [] } = result;
  switch (outcome.kind) {
    case "ok":
      if (result.outvotedBy === "failing" && result.decidedBy !== undefined)
        return { kind: result.decidedBy === "home" ? "not-at-home" : "not-browsers" };
      return {
        kind: "ok",
        isFlaky,
        isUnverified: outcome.trace.tlsVerified === false,
        ...(outcome.trace.wall === undefined ? {} : { wall: vendorOf(outcome.trace.wall) }),
      };
    case "denied":
    case "skipped":
      return { kind: outcome.kind };
    case "failed": {
      if (result.outvotedBy === "healthy")
        return { kind: result.decidedBy === "browser" ? "only-browsers" : "elsewhere" };
      if (result.mayBeRefused === true) return { kind: "refused" };
      const { stage, code, trace } = outcome;
      const { httpStatus } = trace;
      const cutBy = concludeExperiment(experiment);
      return {
        kind: "failed",
        stage,
        code,
        ...(httpStatus === undefined ? {} : { httpStatus }),
        ...(cutBy === "unknown" ? {} : { cutBy }),
      };
    }
  }
}

/** The complete days and months of the archive, newest first. */
export function viewArchive({ archive: { days, months } }: State): ArchiveView {
  return { days: days.toReversed(), months: months.toReversed() };
}

/** Only of a run that is fresh enough for verdicts. An offline runner is not shown: the verdicts become stale by themselves. */
function viewConnectivity(lastRun: State["lastRun"], nowMs: number): ConnectivityIssue | null {
  if (lastRun === null || nowMs - lastRun.startedAtMs > FRESH_MS) return null;
  const { state } = lastRun.connectivity;
  return state === "fine" || state === "offline" ? null : state;
}

/** An operator seems to fail itself if it makes the surges of so many services. Source: docs/reports/operators.md, "More than usual". */
const MIN_FAILING_SERVICES = 3;

function viewFailingOperators(services: readonly ServiceView[]): SiteView["failingOperators"] {
  const makers = services.flatMap(({ operators: { unusual } }) =>
    unusual?.isAlone === true ? unusual.shares.slice(0, 1).map(({ operator }) => operator) : [],
  );
  return [...countEach(makers)]
    .filter(([, services]) => services >= MIN_FAILING_SERVICES)
    .map(([operator, services]) => ({ operator, services }));
}

/** Networks of which services are slow together. */
function viewSlowNetworks(
  services: readonly ServiceView[],
  records: ReadonlyMap<string, ServiceHistory>,
): readonly SlowNetworkView[] {
  const slow = services.filter(({ verdict }) => verdict.code === "slow");
  const byNetwork = groupBy(slow, ({ slug }) => records.get(slug)?.sharedCause ?? null);
  return [...byNetwork].flatMap(([network, services]) =>
    network === null ? [] : [{ network, services }],
  );
}
