import {
  type CheckResult,
  MONITOR_WARNINGS,
  type MonitorWarning,
} from "../../model/monitor/monitor.ts";
import { isRefusal, type Outcome, type Trace } from "../../model/probe-outcome.ts";

/** The result of an outcome for a monitor that was never healthy. Only healthy and failing checks count towards its uptime. */
export function classifyCheck(outcome: Outcome): CheckResult {
  switch (outcome.kind) {
    case "ok":
    case "denied":
      if (outcome.trace.wall !== undefined) return { kind: "skipped", isWalled: true };
      return classifyAnswered(outcome.trace);
    case "skipped":
      return { kind: "skipped" };
    case "failed":
      return { kind: isRefusal(outcome.code) ? "refused" : "failing", code: outcome.code };
  }
}

function classifyAnswered({
  timings: { totalMs },
  hasRefusedAddresses,
  oddities = [],
}: Trace): CheckResult {
  const found: readonly MonitorWarning[] =
    hasRefusedAddresses === true ? ["mixed-addresses", ...oddities] : oddities;
  const warning = MONITOR_WARNINGS.find((one) => found.includes(one));
  return { kind: "healthy", totalMs, ...(warning === undefined ? {} : { warning }) };
}
