import { resultsIn } from "./judge-scopes.ts";
import type { GenerationDependencies } from "./publish-setup.ts";
import type { Accuracy } from "../../contract/accuracy.ts";
import type { AccuracyLedger } from "../../model/service/accuracy.ts";
import type { Endpoint, Service } from "../../model/service/catalogue.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import { FRESH_MS, MINUTE_MS } from "../../model/time.ts";
import { advanceAccuracy } from "../../open-data/accuracy/advance.ts";
import { reportAccuracy } from "../../open-data/accuracy/report.ts";
import type { Comparison, ServiceLook } from "../../open-data/accuracy/told-outages.ts";
import { sumMinutes } from "../../reports/counting/counts.ts";
import { type VantageView, viewEndpoint } from "../../services/interference/endpoint-views.ts";

export interface AccuracySources {
  readonly before: State;
  readonly after: State;
  readonly snapshot: Snapshot;
  readonly services: readonly Service[];
  /** When it is published. */
  readonly nowMs: number;
}

/** The record of how often we were wrong, after one generation. Pure. */
export function keepAccuracy(sources: AccuracySources): AccuracyLedger {
  const { before, after, snapshot, services, nowMs } = sources;
  const bySlug = new Map(services.map((service) => [service.slug, service]));
  return advanceAccuracy(before.accuracy, {
    nowMs,
    runBeforeMs: before.history.runs.at(-1)?.atMs,
    runAtMs: after.history.runs.at(-1)?.atMs,
    isRunCongested: after.history.runs.at(-1)?.isCongested === true,
    services: snapshot.services.flatMap(({ slug, verdict }) => {
      const service = bySlug.get(slug);
      return service === undefined ? [] : [lookAt(service, verdict.code, sources)];
    }),
  });
}

/** How often we were wrong, by the record and what others know. */
export async function measureAccuracy(
  { readTruth, emit, isMonitorsOnly }: GenerationDependencies,
  { accuracy }: State,
): Promise<Accuracy> {
  const truth = isMonitorsOnly === true ? [] : await readTruth?.(emit);
  return reportAccuracy(accuracy, truth ?? []);
}

function lookAt(
  { slug, endpoints }: Service,
  code: ServiceLook["code"],
  { before, after, nowMs }: AccuracySources,
): ServiceLook {
  const reports = after.reports.ledger.services.get(slug);
  const surge = reports?.surge;
  const checkedAtMs = after.history.services.get(slug)?.checkedAtMs;
  const critical = endpoints.filter(({ isCritical }) => isCritical);
  const atMs = checkedAtMs ?? nowMs;
  // Older answers are not about this check: the exchange may have stopped.
  const fresh = [...after.vantages.heard].filter(([, one]) => atMs - one.heardAtMs <= FRESH_MS);
  const known = { ...after.vantages, heard: new Map(fresh) };
  const views = critical.map((endpoint) => {
    return { endpoint, views: viewEndpoint(endpoint, { known, nowMs: atMs }).filter(says) };
  });
  const all = views.flatMap((one) => one.views);
  return {
    slug,
    code,
    codeBefore: before.verdicts.codes.get(slug),
    checkedBeforeMs: before.history.services.get(slug)?.checkedAtMs,
    checkedAtMs,
    isReportedSince: (fromMs) => {
      const first = Math.floor(fromMs / MINUTE_MS);
      return sumMinutes(reports?.minutes ?? [], first, Infinity).raw > 0;
    },
    surgedAtMs: surge?.phase === "on" ? surge.startedAtMs : undefined,
    elsewhere: { isHeard: all.length > 0, isFailing: all.some(fails) },
    comparison: compare(views, resultsOf(after, slug, checkedAtMs)),
  };
}

/** Whether a place says anything: its own connection is fine, and a failure there would mean something. */
function says(view: VantageView): boolean {
  return view.isConnected && view.isCalibrated && view.says !== "nothing";
}

function fails(view: VantageView): boolean {
  return view.says === "fails";
}

function resultsOf(
  { evidence, lastRun }: State,
  slug: string,
  checkedAtMs: number | undefined,
): ReadonlyMap<string, EndpointResult> {
  const own = evidence.get(slug);
  // A runner whose own way abroad is in trouble cannot be compared.
  if (own === undefined || own.runAtMs !== checkedAtMs || lastRun?.connectivity.state !== "fine")
    return new Map();
  return new Map(resultsIn([own]));
}

interface Viewed {
  readonly endpoint: Endpoint;
  readonly views: readonly VantageView[];
}

/**
 * How a service stood in Moscow and abroad, by its critical endpoints and the controls. An answer abroad counts only if the endpoint
 * stood in Moscow, when the control was asked, as it does now: otherwise the two speak of different times.
 */
function compare(
  viewed: readonly Viewed[],
  results: ReadonlyMap<string, EndpointResult>,
): Comparison | undefined {
  const sides = viewed.flatMap(({ endpoint, views }) => {
    const outcome = results.get(endpoint.url)?.outcome;
    if (outcome === undefined || outcome.kind === "skipped" || outcome.kind === "denied") return [];
    const isFailingHere = outcome.kind === "failed";
    const controls = views.filter(
      ({ vantage, isAboutFailure }) =>
        vantage.kind === "control" && isAboutFailure === isFailingHere,
    );
    return controls.length === 0
      ? []
      : [{ here: isFailingHere, abroad: controls.every(fails), works: !controls.some(fails) }];
  });
  if (sides.length === 0) return undefined;
  if (sides.some(({ here, works }) => here && works)) return "only-moscow";
  return sides.some(({ here, abroad }) => !here && abroad) ? "only-abroad" : "alike";
}
