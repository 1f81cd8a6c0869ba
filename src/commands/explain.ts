import { viewService } from "../history/views.ts";
import { NO_REPORTS } from "../model/reports.ts";
import { reportsAsOf } from "../reports/counts.ts";
import { explainReports } from "../reports/explain.ts";
import { loadState } from "../state.ts";
import { openStore } from "../store/open.ts";
import { explainDecision } from "../verdict/explain.ts";
import { signalsOf } from "../verdict/signals.ts";
import { renderExplanation, type ExplanationView } from "../render/explanation.ts";
import type { Log } from "../log/log.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { type CatalogueFlags, readCatalogue, tellOverlay } from "./catalogue-file.ts";
import type { ExitCode, Io } from "./io.ts";
import { ifGiven, openChecklist, parseAt, parseLogMode } from "./settings.ts";

export interface ExplainFlags extends CatalogueFlags {
  readonly state: string;
  readonly at?: string;
  readonly json?: boolean;
  readonly log?: string;
}

/** `explain`: why a service has its verdict, from the evidence of the last run. */
export async function explainCommand(
  slug: string,
  flags: ExplainFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { take, note, settle } = openChecklist();
  const read = take(await readCatalogue(flags));
  const catalogue = read?.catalogue;
  const service = catalogue?.services.find((one) => one.slug === slug);
  if (catalogue !== undefined && service === undefined)
    note(describeUnknownService(slug, catalogue));
  const askedMs = take(ifGiven(flags.at, parseAt));
  take(ifGiven(flags.log, parseLogMode));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (service === undefined || opened.kind === "refused") throw new TypeError("nothing to explain");
  tellOverlay(read?.warnings ?? [], log.emit);
  const { state } = await loadState(opened.store, log.emit);
  const record = state.history.services.get(slug);
  // Without a time, what is explained is what was published last.
  const publishedMs = Math.max(
    state.lastRun?.startedAtMs ?? 0,
    state.history.runs.at(-1)?.atMs ?? 0,
  );
  const atMs = askedMs ?? (publishedMs === 0 ? io.wallMs() : publishedMs);
  const { ledger } = state.reports;
  const signals = signalsOf(
    service,
    record,
    reportsAsOf(ledger, atMs).get(slug) ?? NO_REPORTS,
    atMs,
  );
  const view: ExplanationView = {
    service,
    atMs,
    explanation: explainDecision(signals, record),
    reports: explainReports(ledger, slug, atMs),
    evidence: state.evidence.get(slug),
    doubts: {
      held: state.history.held.get(slug) ?? null,
      sharedCause: record?.sharedCause ?? null,
      leftOut: Object.fromEntries(viewService(service, state.history, false).leftOut),
    },
    lastRun: state.lastRun,
  };
  io.print(flags.json === true ? JSON.stringify(view, undefined, 2) : renderExplanation(view));
  return 0;
}

/** With the services whose slug or name holds what was typed, since a slug is easily misremembered. */
export function describeUnknownService(slug: string, { services }: Catalogue): string {
  const typed = slug.toLowerCase();
  const similar = services
    .filter((one) => one.slug.includes(typed) || one.name.toLowerCase().includes(typed))
    .map((one) => one.slug);
  const hint =
    typed === "" || similar.length === 0
      ? "The catalogue file lists the slugs."
      : `Did you mean ${similar.slice(0, 5).join(", ")}?`;
  return `${slug}: there is no such service in the catalogue. ${hint}`;
}
