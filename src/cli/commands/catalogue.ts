import { adviseOnAnchors, summariseCatalogue } from "../../services/catalogue/summary.ts";
import { renderCatalogue, renderOverlay } from "../output/catalogue-table.ts";
import {
  type CatalogueFlags,
  nameCatalogue,
  readCatalogue,
  warnOfOverlay,
} from "../../setup/files/catalogue-file.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { UsageError } from "../../setup/errors.ts";
import { TRUTH_KINDS } from "../../model/service/accuracy.ts";
import { type TruthFlags, readTruth } from "../../setup/files/truth-file.ts";
import {
  auditCatalogue,
  type AuditFinding,
  type AuditFindingKind,
  type CatalogueAudit,
} from "../../services/history/audit-endpoints.ts";
import type { Log } from "../../setup/log.ts";
import { loadState } from "../../state/state-file.ts";
import { openStore } from "../../store/open.ts";
import { readNetworks } from "../../setup/files/read-networks.ts";
import { collectProblems } from "../../setup/parse-options.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";

/** `catalogue check`: validates a catalogue and prints a summary, the effect of its overlay, and advice; or every problem. */
export async function catalogueCheckCommand(files: CatalogueFlags, io: Io): Promise<ExitCode> {
  const read = await readCatalogue(files);
  if ("problem" in read) throw new UsageError([read.problem]);
  const { catalogue, changes, warnings } = read.value;
  io.print(renderCatalogue(nameCatalogue(files), summariseCatalogue(catalogue)));
  if (files.catalogueOverlay !== undefined) io.print(renderOverlay(changes));
  for (const warning of [...warnings, ...adviseOnAnchors(catalogue.anchors)]) {
    io.print(`warning: ${warning}`);
  }
  return 0;
}

/** `truth check`: validates a truth file against a catalogue and prints the number of its entries; or every problem. */
export async function truthCheckCommand(
  flags: TruthFlags & CatalogueFlags,
  io: Io,
): Promise<ExitCode> {
  const catalogue = await readCatalogue(flags);
  if ("problem" in catalogue) throw new UsageError([catalogue.problem]);
  const slugs = catalogue.value.catalogue.services.map(({ slug }) => slug);
  const truth = await readTruth(flags, { slugs, nowMs: io.wallMs() });
  if ("problem" in truth) throw new UsageError([truth.problem]);
  const counts = TRUTH_KINDS.map((kind) => {
    const count = truth.value.filter(({ what }) => what === kind).length;
    return `${kind} ${count}`;
  });
  io.print(`${flags.truth} is valid, entries: ${truth.value.length} (${counts.join(", ")})`);
  return 0;
}

interface AuditFlags extends CatalogueFlags {
  readonly state: string;
  readonly json?: boolean;
}

/** `catalogue audit`: what the runs of up to seven days show about the catalogue. Changes nothing; exit code 1 while a critical endpoint has never answered itself. */
export async function catalogueAuditCommand(
  flags: AuditFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { unwrap, addProblem, throwIfAny } = collectProblems();
  const read = unwrap(await readCatalogue(flags));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") addProblem(opened.message);
  throwIfAny();
  if (read === undefined || opened.kind === "refused") throw new TypeError("nothing to audit");
  warnOfOverlay(read.warnings, log.emit);
  const { state } = await loadState(opened.store);
  const audit = auditCatalogue(read.catalogue, state, await readNetworks(), io.wallMs());
  io.print(
    flags.json === true
      ? JSON.stringify(audit, undefined, 2)
      : renderAudit(nameCatalogue(flags), audit),
  );
  return audit.kind === "audited" && audit.unreached > 0 ? 1 : 0;
}

const TITLES: Readonly<Record<AuditFindingKind, string>> = {
  unproven: "Never healthy, and so not counted",
  chronic: "Failing for nearly all of seven days",
  "redirects-elsewhere": "Redirecting to another site",
  wall: "Answering with a wall",
  "certificate-ends": "Certificates about to end",
  "national-certificate": "National certificates that cannot be verified",
};

/** The audit in plain English, with lines for the catalogue. Ends without a line break. */
function renderAudit(file: string, audit: CatalogueAudit): string {
  const span = describeSpan(audit.spanMs);
  if (audit.kind === "too-early") {
    return `The state has ${audit.runs} runs over ${span}. An audit needs two of them, and a day for what may pass by itself.`;
  }
  const { findings, networks } = audit;
  const groups = [true, false].flatMap((isCritical) => {
    const own = findings.filter((one) => one.isCritical === isCritical);
    return [...new Set(own.map(({ kind }) => kind))].map((kind) => {
      const title = isCritical ? `${TITLES[kind]}: critical endpoints` : TITLES[kind];
      return [title, ...own.filter((one) => one.kind === kind).map(describeFinding)].join("\n");
    });
  });
  const shared = networks.map(({ network, slugs }) => {
    return `  ${network}: ${slugs.length} services (${slugs.join(", ")})`;
  });
  const head = `${file}: ${audit.endpoints} endpoints in ${audit.runs} runs over ${span}, ${findings.length} to look at`;
  const tail =
    shared.length === 0
      ? []
      : [["Networks that carry critical endpoints of many", ...shared].join("\n")];
  return [head, ...groups, ...tail].join("\n\n");
}

function describeFinding({ slug, url, isCritical, what, proposal }: AuditFinding): string {
  const lines = proposal.map((line) => `      ${line}`);
  const rests = isCritical ? ` (the verdict of ${slug} rests on it)` : "";
  return [`  ${slug}: ${url}${rests}`, `    ${what}`, ...lines].join("\n");
}

function describeSpan(ms: number): string {
  const days = ms / DAY_MS;
  return days < 2 ? `${Math.round(ms / HOUR_MS)} hours` : `${days.toFixed(1)} days`;
}
