import { countWalls } from "../../services/history/sample-codes.ts";
import { concludeExperiment } from "../../services/interference/decide-scope.ts";
import { viewService, whyUnknown } from "../../services/history/views.ts";
import { NO_REPORTS } from "../../model/service/reports.ts";
import { reportsAsOf } from "../../reports/counting/counts.ts";
import { explainReports } from "../../reports/counting/explain-surge.ts";
import { loadState } from "../../state/state-file.ts";
import { explainDecision } from "../../services/verdict/decide.ts";
import { signalsOf } from "../../services/verdict/signals.ts";
import { renderExplanation, type ExplanationView } from "../output/explain-table.ts";
import type { Catalogue, Service } from "../../model/service/catalogue.ts";
import type { State } from "../../model/state.ts";
import { judgeScopes } from "../../pipeline/publish/judge-scopes.ts";
import { viewEndpoint } from "../../services/interference/endpoint-views.ts";
import { standingsOf } from "../../services/interference/evidence-documents.ts";
import { findService, readCatalogue, warnOfOverlay } from "../../setup/files/catalogue-file.ts";
import type { Action } from "../../setup/io.ts";
import type { Flags } from "../../setup/options/options.ts";
import { readBy } from "../../setup/parse-options.ts";
import { openChecked } from "../../setup/stores.ts";
import { toJsonText } from "../output/text.ts";

/** `explain`: why a service has its verdict, from the evidence of the last run. */
export const explainCommand: Action<
  Flags<"catalogue" | "at" | "state" | "explainJson">,
  [slug: string]
> = async ({ flags, problems, io, log }, slug) => {
  const read = await readCatalogue(flags);
  const { service, found } = problems.settle({
    found: read,
    service: await readBy(read, async ({ catalogue }) => findService(slug, catalogue)),
  });
  const { catalogue, warnings } = found;
  warnOfOverlay(warnings, log.emit);
  const { state } = await loadState(await openChecked(flags.state, "private"));
  const record = state.history.services.get(slug);
  // Without --at, explain what was published last.
  const lastValidMs = state.history.runs.at(-1)?.atMs ?? 0;
  const publishedMs = Math.max(state.lastRun?.startedAtMs ?? 0, lastValidMs);
  const atMs = flags.atMs ?? (publishedMs === 0 ? io.wallMs() : publishedMs);
  const { ledger } = state.reports;
  const evidence = state.evidence.get(slug);
  const experiments = (evidence?.endpoints ?? []).flatMap(({ url, result: { experiment } }) =>
    experiment === undefined ? [] : [[url, concludeExperiment(experiment)] as const],
  );
  const counted = reportsAsOf(ledger, atMs).get(slug) ?? NO_REPORTS;
  const signals = signalsOf(service, record, counted, atMs);
  const view: ExplanationView = {
    service,
    atMs,
    explanation: explainDecision(signals, record),
    reports: explainReports(ledger, slug, atMs),
    evidence,
    experiments: Object.fromEntries(experiments),
    walls: Object.fromEntries(
      service.endpoints.map(({ url }) => [url, countWalls(state.history.endpoints.get(url) ?? "")]),
    ),
    doubts: findDoubts(service, state),
    lastRun: state.lastRun,
    scope: explainScope(service, catalogue, state, atMs),
  };
  io.print(flags.isJson ? toJsonText(view) : renderExplanation(view));
  return 0;
};

function findDoubts(service: Service, { history }: State): ExplanationView["doubts"] {
  return {
    held: history.held.get(service.slug) ?? null,
    sharedCause: history.services.get(service.slug)?.sharedCause ?? null,
    leftOut: Object.fromEntries(viewService(service, history, false).leftOut),
    unknown: whyUnknown(service, history),
  };
}

/** Where the service fails, and what each vantage said of its endpoints. Undefined: the installation has no vantages. */
function explainScope(
  service: Service,
  catalogue: Pick<Catalogue, "services">,
  state: State,
  atMs: number,
): ExplanationView["scope"] {
  const known = state.vantages;
  const nowMs = state.history.updatedAtMs ?? 0;
  const scope = judgeScopes(catalogue, state, atMs).get(service.slug);
  if (known.vantages.length === 0 || scope === undefined) return undefined;
  return {
    ...scope,
    claims: state.history.services.get(service.slug)?.claims ?? [],
    vantages: Object.fromEntries(
      service.endpoints.map((endpoint) => [endpoint.url, viewEndpoint(endpoint, { known, nowMs })]),
    ),
    silent: standingsOf(known)
      .filter(({ isHeard }) => !isHeard)
      .map(({ vantage }) => vantage.id),
  };
}
