import type { CheckVerdict } from "../model/monitor.ts";
import type { FailureCode, Outcome } from "../model/outcome.ts";

/** Where our guard, and not the site, ended the check. */
const REFUSALS: ReadonlySet<FailureCode> = new Set([
  "url-refused",
  "dns-special-address",
  "redirect-refused",
]);

/** What an outcome means for a monitor. Only healthy and failing checks count towards its uptime. */
export function judgeCheck(outcome: Outcome): CheckVerdict {
  switch (outcome.kind) {
    case "ok":
    case "denied":
      return { kind: "healthy", totalMs: outcome.trace.timings.totalMs };
    case "skipped":
      return { kind: "skipped" };
    case "failed":
      return { kind: REFUSALS.has(outcome.code) ? "refused" : "failing", code: outcome.code };
  }
}
