import type { CheckVerdict } from "../model/monitor.ts";
import { isRefusal, type Outcome, type Trace } from "../model/outcome.ts";

/** What an outcome means for a monitor that was never healthy. Only healthy and failing checks count towards its uptime. */
export function judgeCheck(outcome: Outcome): CheckVerdict {
  switch (outcome.kind) {
    case "ok":
    case "denied":
      return judgeAnswered(outcome.trace);
    case "skipped":
      return { kind: "skipped" };
    case "failed":
      return { kind: isRefusal(outcome.code) ? "refused" : "failing", code: outcome.code };
  }
}

function judgeAnswered({ timings: { totalMs }, hasRefusedAddresses }: Trace): CheckVerdict {
  const warning = hasRefusedAddresses === true ? ({ warning: "mixed-addresses" } as const) : {};
  return { kind: "healthy", totalMs, ...warning };
}
