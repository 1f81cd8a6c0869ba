import { judgeScopes } from "./judge-scopes.ts";
import { keepAccuracy } from "./keep-accuracy.ts";
import { NO_REPORTS, type Reports } from "../../model/service/reports.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { History } from "../../model/service/history.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import { isFailingCode, type Verdict } from "../../contract/codes/verdict.ts";
import { indexPastOutages } from "../../open-data/accuracy/past-outages.ts";
import { sumOperators, usualSharesOf } from "../../reports/counting/by-operator.ts";
import { reportsAsOf } from "../../reports/counting/counts.ts";
import { noteVerdicts, noteIncidents } from "../../services/snapshot/verdict-log.ts";
import { HOUR_MS } from "../../model/time.ts";
import { decide } from "../../services/verdict/decide.ts";
import { signalsOf } from "../../services/verdict/signals.ts";
import { buildSnapshot } from "../../services/snapshot/api-documents.ts";

/** A service that is being confirmed keeps its verdict over a gap no longer than this. Source: docs/services/verdicts.md, "The first publish". */
const KEPT_MS = HOUR_MS;

/** Decides the verdicts, and records them and their changes in the state. Gives it with what is published of them. Pure. */
export function decideState(
  catalogue: Catalogue,
  before: State,
  state: State,
  nowMs: number,
  reportsAtMs: number,
  pending: ReadonlySet<string> | undefined,
): { readonly state: State; readonly snapshot: Snapshot } {
  const { history } = state;
  const { services } = catalogue;
  const reports = reportsAsOf(state.reports.ledger, reportsAtMs);
  const updatedAtMs = history.updatedAtMs ?? nowMs;
  const snapshot = decideServices(catalogue, history, reports, updatedAtMs, nowMs, pending);
  // Without services that left the catalogue.
  const slugs = new Set(services.map(({ slug }) => slug));
  const evidence = new Map([...state.evidence].filter(([slug]) => slugs.has(slug)));
  // Judged at the first change or failure, which many generations do not have.
  let scopes: ReturnType<typeof judgeScopes> | undefined;
  const pastOutages = indexPastOutages(before.accuracy, services);
  const scopeOf = (slug: string) => (scopes ??= judgeScopes(catalogue, state, nowMs)).get(slug);
  const usualOf = usualSharesOf(state.reports.ledger);
  const operatorsOf = (slug: string) =>
    sumOperators(state.reports.ledger.services.get(slug), usualOf(slug), reportsAtMs).unusual;
  const aboutOf: Parameters<typeof noteVerdicts>[3] = (slug, code) => {
    const judged = scopeOf(slug);
    const networks = judged?.endpoints.find(({ isClaimed }) => isClaimed)?.basis?.networks;
    const past = isFailingCode(code) ? pastOutages.nearest(slug, nowMs) : undefined;
    const operators = code === "ok" ? undefined : operatorsOf(slug);
    return {
      scope: judged?.scope ?? "unknown",
      ...(networks === undefined ? {} : { networks }),
      ...(past === undefined ? {} : { past }),
      ...(operators === undefined ? {} : { operators }),
    };
  };
  const verdicts = noteVerdicts(state.verdicts, snapshot, nowMs, aboutOf);
  const incidents = noteIncidents(state.incidents, snapshot, verdicts, nowMs);
  const accuracy = keepAccuracy({
    before,
    after: state,
    snapshot,
    services,
    scopeOf: (slug) => scopeOf(slug)?.scope ?? "unknown",
    operatorsOf,
    nowMs: reportsAtMs,
  });
  return { state: { ...state, evidence, verdicts, incidents, accuracy }, snapshot };
}

/**
 * Decides the verdicts as of a time, from history and reports. Pure: the same inputs give the same bytes on every machine.
 *
 * @param updatedAtMs time of the last run, as `updated` of the list.
 * @param pending slugs of services that the run is still confirming.
 */
export function decideServices(
  catalogue: Catalogue,
  history: History,
  reports: Reports,
  updatedAtMs: number,
  nowMs: number,
  pending: ReadonlySet<string> = new Set(),
): Snapshot {
  const verdicts = new Map<string, Verdict>();
  for (const service of catalogue.services) {
    const record = history.services.get(service.slug);
    const checkedMs = record?.checkedAtMs ?? nowMs;
    const isKept = pending.has(service.slug) && nowMs - checkedMs <= KEPT_MS;
    const atMs = isKept ? checkedMs : nowMs;
    const signals = signalsOf(service, record, reports.get(service.slug) ?? NO_REPORTS, atMs);
    verdicts.set(service.slug, decide(signals, record?.sinceMs ?? null));
  }
  return buildSnapshot(catalogue, verdicts, reports, updatedAtMs);
}
