import type { AuditFinding, AuditFindingKind, CatalogueAudit } from "../../model/service/audit.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";

const TITLES: Readonly<Record<AuditFindingKind, string>> = {
  unproven: "Never healthy, and so not counted",
  chronic: "Failing for nearly all of seven days",
  "redirects-elsewhere": "Redirecting to another site",
  wall: "Answering with a wall",
  "certificate-ends": "Certificates about to end",
  "national-certificate": "National certificates that cannot be verified",
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
