import {
  type CatalogueSummary,
  adviseOnAnchors,
  summariseCatalogue,
} from "../../services/catalogue/summary.ts";
import { nameCatalogue, readCatalogue, warnOfOverlay } from "../../setup/files/catalogue-file.ts";
import type { Action } from "../../setup/io.ts";
import { TRUTH_KINDS } from "../../model/service/accuracy.ts";
import { readTruth } from "../../setup/files/truth-file.ts";
import {
  auditCatalogue,
  type AuditFinding,
  type AuditFindingKind,
  type CatalogueAudit,
} from "../../services/history/audit-endpoints.ts";
import { loadState } from "../../state/state-file.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";
import type { OverlayChange } from "../../services/catalogue/overlay.ts";
import { renderTable } from "../output/table.ts";
import { textsOf, toJsonText } from "../output/text.ts";
import type { Flags } from "../../setup/options/options.ts";
import { readNetworks } from "../../setup/files/named-files.ts";
import { openChecked } from "../../setup/stores.ts";

/** `catalogue check`: validates a catalogue and prints a summary, the effect of its overlay, and advice; or every problem. */
export const catalogueCheckCommand: Action<Flags<"catalogue">, [file: string | undefined]> = async (
  { flags, problems, io },
  file,
) => {
  const files = { ...flags, catalogue: file ?? flags.catalogue };
  const { read } = problems.settle({ read: await readCatalogue(files) });
  const { catalogue, changes, warnings } = read;
  io.print(renderCatalogue(nameCatalogue(files), summariseCatalogue(catalogue)));
  if (files.catalogueOverlay !== undefined) io.print(renderOverlay(changes));
  for (const warning of [...warnings, ...adviseOnAnchors(catalogue.anchors)]) {
    io.print(`warning: ${warning}`);
  }
  return 0;
};

/** The summary of a catalogue as a table by category. Ends without a line break. */
function renderCatalogue(
  file: string,
  { categories, totals, anchors: { domestic, foreign } }: CatalogueSummary,
): string {
  const rows = [...categories, { category: "in all", name: "", ...totals }];
  const cells = rows.map((row) => [
    row.category,
    row.name,
    row.services,
    row.endpoints,
    row.annotated,
  ]);
  const table = renderTable(cells, {
    head: ["CATEGORY", "NAME", "SERVICES", "ENDPOINTS", "ANNOTATED"],
    colAligns: ["left", "left", "right", "right", "right"],
  });
  return `${table}\n\n${file} is valid: ${totals.services} services, ${domestic} domestic and ${foreign} foreign anchors`;
}

/** The effects of an overlay in its order, and its redundant entries. Begins with an empty line and ends without a line break. */
function renderOverlay(changes: readonly OverlayChange[]): string {
  const working = changes.filter(({ kind }) => kind !== "same");
  const rows = working.map((one) => [one.kind, nameChange(one), one.keys.join(", ")]);
  const same = changes.filter(({ kind }) => kind === "same").map(nameChange);
  const effects =
    rows.length === 0
      ? "The overlay changes nothing."
      : renderTable(rows, { head: ["OVERLAY", "OF", "KEYS"] });
  const redundant =
    same.length === 0
      ? ""
      : `\nNot needed, because the catalogue says the same: ${same.join(", ")}`;
  return `\n${effects}${redundant}`;
}

function nameChange({ of, id }: OverlayChange): string {
  return id === "" ? of : `${of} ${id}`;
}

/** `truth check`: validates a truth file against a catalogue and prints the number of its entries; or every problem. */
export const truthCheckCommand: Action<Flags<"catalogue" | "truth">> = async (call) => {
  const { flags, problems, io } = call;
  const { read } = problems.settle({ read: await readCatalogue(flags) });
  const slugs = read.catalogue.services.map(({ slug }) => slug);
  const { truth } = problems.settle({
    truth: await readTruth(flags, { slugs, nowMs: io.wallMs() }),
  });
  const counts = TRUTH_KINDS.map((kind) => {
    const count = truth.filter(({ what }) => what === kind).length;
    return `${kind} ${count}`;
  });
  io.print(`${flags.truth} is valid, entries: ${truth.length} (${counts.join(", ")})`);
  return 0;
};

/** `catalogue audit`: what the runs of up to seven days show about the catalogue. Changes nothing; exit code 1 while a critical endpoint has never answered itself. */
export const catalogueAuditCommand: Action<Flags<"catalogue" | "state" | "auditJson">> = async (
  call,
) => {
  const { flags, problems, io, log } = call;
  const { read } = problems.settle({ read: await readCatalogue(flags) });
  warnOfOverlay(read.warnings, log.emit);
  const { state } = await loadState(await openChecked(flags.state, "private"));
  const audit = auditCatalogue(read.catalogue, state, await readNetworks(), io.wallMs());
  io.print(flags.isJson ? toJsonText(audit) : renderAudit(nameCatalogue(flags), audit));
  return audit.kind === "audited" && audit.unreached > 0 ? 1 : 0;
};

const TITLES: Readonly<Record<AuditFindingKind, string>> = {
  unproven: "Never healthy, and so not counted",
  chronic: "Failing for nearly all of seven days",
  "redirects-elsewhere": "Redirecting to another site",
  wall: "Answering with a wall",
  "certificate-ends": "Certificates about to end",
  "national-certificate": "National certificates that cannot be verified",
  "small-answers": "Abroad, and too small to show a freeze",
};

/** The audit in plain English, with lines for the catalogue. Ends without a line break. */
export function renderAudit(file: string, audit: CatalogueAudit): string {
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
  const tail = ["Networks that carry critical endpoints of many", ...shared].join("\n");
  return textsOf(head, ...groups, shared.length > 0 && tail).join("\n\n");
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
