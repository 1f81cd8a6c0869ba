import { NO_REPORTS } from "../model/reports.ts";
import { loadState } from "../state.ts";
import { openStore } from "../store/open.ts";
import { explainDecision } from "../verdict/explain.ts";
import { signalsOf } from "../verdict/signals.ts";
import { renderExplanation, type ExplanationView } from "../render/explanation.ts";
import type { Log } from "../log/log.ts";
import { readCatalogue } from "./catalogue-file.ts";
import type { ExitCode, Io } from "./io.ts";
import { parseAt } from "./settings.ts";
import { UsageError } from "./failures.ts";

export interface ExplainFlags {
  readonly catalogue: string;
  readonly state: string;
  readonly at?: string;
  readonly json?: boolean;
}

/** `explain`: why a service has its verdict, from the evidence of the last run. */
export async function explainCommand(
  slug: string,
  flags: ExplainFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const parsed = await readCatalogue(flags.catalogue);
  if ("problem" in parsed) throw new UsageError([parsed.problem]);
  const service = parsed.value.services.find((one) => one.slug === slug);
  if (service === undefined)
    throw new UsageError([`${slug}: there is no such service in the catalogue.`]);
  const at = flags.at === undefined ? undefined : parseAt(flags.at);
  if (at !== undefined && "problem" in at) throw new UsageError([at.problem]);
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") throw new UsageError([opened.message]);
  const { state } = await loadState(opened.store, log.emit);
  const record = state.history.services.get(slug);
  // Without a time, what is explained is what was published last.
  const publishedMs = Math.max(
    state.lastRun?.startedAtMs ?? 0,
    state.history.runs.at(-1)?.atMs ?? 0,
  );
  const atMs = at?.value ?? (publishedMs === 0 ? io.wallMs() : publishedMs);
  const signals = signalsOf(service, record, NO_REPORTS, atMs);
  const view: ExplanationView = {
    service,
    atMs,
    explanation: explainDecision(signals, record),
    evidence: state.evidence.get(slug),
    lastRun: state.lastRun,
  };
  io.print(flags.json === true ? JSON.stringify(view, undefined, 2) : renderExplanation(view));
  return 0;
}
