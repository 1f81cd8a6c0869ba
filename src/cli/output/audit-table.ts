import type { AuditFinding, AuditFindingKind, CatalogueAudit } from "../../model/audit.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";

const TITLES: Readonly<Record<AuditFindingKind, string>> = {
  unproven: "Never healthy: does not count while another endpoint of the service answers",
  chronic: "Failing for nearly all of seven days",
  "redirects-elsewhere": "Redirecting to another site",
  wall: "Answering with a wall",
  "certificate-ends": "Certificates about to end",
  "national-certificate": "National certificates that cannot be verified",
  "shared-address": "One address for several services",
};

/** The audit in plain English, with lines for the catalogue. Ends without a line break. */
export function renderAudit(file: string, audit: CatalogueAudit): string {
  const span = describeSpan(audit.spanMs);
  if (audit.kind === "too-early") {
    return `The state has ${audit.runs} runs over ${span}. An audit needs a day of them: before that, shares depend on the hour more than on the catalogue.`;
  }
  const { findings, networks } = audit;
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const groups = kinds.map((kind) =>
    [TITLES[kind], ...findings.filter((one) => one.kind === kind).map(describeFinding)].join("\n"),
  );
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

function describeFinding({ slug, url, what, proposal }: AuditFinding): string {
  const lines = proposal.map((line) => `      ${line}`);
  return [`  ${slug}: ${url}`, `    ${what}`, ...lines].join("\n");
}

function describeSpan(ms: number): string {
  const days = ms / DAY_MS;
  return days < 2 ? `${Math.round(ms / HOUR_MS)} hours` : `${days.toFixed(1)} days`;
}
