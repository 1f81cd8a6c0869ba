import type { CheckResult } from "../../model/monitor.ts";
import { isRefusal, type Outcome, type Trace } from "../../model/probe-outcome.ts";

/** The result of an outcome for a monitor that was never healthy. Only healthy and failing checks count towards its uptime. */
export function classifyCheck(outcome: Outcome): CheckResult {
  switch (outcome.kind) {
    case "ok":
    case "denied":
      return classifyAnswered(outcome.trace);
    case "skipped":
      return { kind: "skipped" };
    case "failed":
      return { kind: isRefusal(outcome.code) ? "refused" : "failing", code: outcome.code };
  }
}

function classifyAnswered({ timings: { totalMs }, hasRefusedAddresses }: Trace): CheckResult {
  const warning = hasRefusedAddresses === true ? ({ warning: "mixed-addresses" } as const) : {};
  return { kind: "healthy", totalMs, ...warning };
}
