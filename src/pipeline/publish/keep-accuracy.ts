import { type Results, resultsIn } from "./judge-scopes.ts";
import type { GenerationDependencies } from "./publish-setup.ts";
import type { Accuracy } from "../../contract/accuracy.ts";
import { isFailingCode, type Verdict } from "../../contract/codes/verdict.ts";
import type { AccuracyLedger, OutageAbout, TruthEntry } from "../../model/service/accuracy.ts";
import type { ServiceHistory } from "../../model/service/history.ts";
import type { Scope } from "../../model/service/interference.ts";
import type { Endpoint, Service } from "../../model/service/catalogue.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import type { UnusualOperators } from "../../model/service/reports.ts";
import { FRESH_MS, MINUTE_MS, toUtcDay, toWholeSeconds } from "../../model/time.ts";
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
  /** Where a service fails now, by slug. Called only for those that fail. */
  readonly scopeOf: (slug: string) => Scope;
  /** Whose subscribers report it more often than usual. Called only for those that fail. */
  readonly operatorsOf: (slug: string) => UnusualOperators | undefined;
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
      return service === undefined ? [] : [lookAt(service, verdict, sources)];
    }),
  });
}

/** What others know, and how often we were wrong by that and the record: up to today, although a clock that was ahead has counted later days. */
export async function measureAccuracy(
  { readTruth, emit, isMonitorsOnly }: GenerationDependencies,
  { accuracy }: State,
  nowMs: number,
): Promise<{ readonly truth: readonly TruthEntry[]; readonly accuracy: Accuracy }> {
  const truth = (isMonitorsOnly === true ? undefined : await readTruth?.(emit)) ?? [];
  const day = Math.min(accuracy.day, toUtcDay(nowMs));
  return { truth, accuracy: reportAccuracy({ ...accuracy, day }, truth) };
}

function lookAt(
  { slug, endpoints }: Service,
  verdict: Verdict,
  { before, after, nowMs, scopeOf, operatorsOf }: AccuracySources,
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
    code: verdict.code,
    codeBefore: before.verdicts.codes.get(slug),
    checkedBeforeMs: before.history.services.get(slug)?.checkedAtMs,
    checkedAtMs,
    isReportedSince: (fromMs) => {
      const first = Math.floor(fromMs / MINUTE_MS);
      return sumMinutes(reports?.minutes ?? [], first, Infinity).raw > 0;
    },
    surgedAtMs: surge?.phase === "on" ? surge.startedAtMs : undefined,
    elsewhere: { isHeard: all.length > 0, isFailing: all.some(fails) },
    about: isFailingCode(verdict.code)
      ? {
          ...describeFailure(verdict, after.history.services.get(slug), scopeOf(slug), nowMs),
          operators: operatorsOf(slug),
        }
      : null,
    comparison: compare(views, resultsOf(after, slug, checkedAtMs)),
  };
}

/** A verdict can fail without an outage of the checks: by reports. */
function describeFailure(
  { code, sinceMs }: Verdict,
  record: ServiceHistory | undefined,
  scope: Scope,
  nowMs: number,
): OutageAbout {
  const last = record?.outages.at(-1);
  const found = last?.endedAtMs === null ? last : undefined;
  return {
    code,
    scope,
    sinceMs: toWholeSeconds(found?.sinceMs ?? sinceMs ?? nowMs),
    cause: found?.code ?? null,
    failing: found?.failing ?? 0,
    counted: found?.counted ?? 0,
    network: record?.sharedCause ?? null,
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
): Results {
  const own = evidence.get(slug);
  // A runner whose own way abroad is in trouble cannot be compared.
  if (own === undefined || own.runAtMs !== checkedAtMs || lastRun?.connectivity.state !== "fine")
    return new Map();
  return resultsIn([own]);
}

/**
 * How a service stood in Moscow and abroad, by its critical endpoints and the controls. An answer abroad counts only if the endpoint
 * stood in Moscow, when the control was asked, as it does now: otherwise the two speak of different times.
 */
function compare(
  viewed: readonly { readonly endpoint: Endpoint; readonly views: readonly VantageView[] }[],
  results: Results,
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
