import type { Emit } from "../../model/run-event.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { MonitorRecord } from "../../model/monitor/uptime.ts";
import { isRefusal } from "../../model/failures.ts";
import { type AnchorRound, findFalseAnchors } from "../../probe/anchors.ts";
import type { CheckTarget } from "./check-target.ts";

/** Number of ids in an event; `monitor list` shows all of them. */
const MAX_NAMED = 5;

export type KnownMonitor = Pick<CheckTarget, "id" | "lastState"> & Pick<MonitorRecord, "warning">;

/**
 * The checks of a run as they count, once the anchors are known. While the resolver gives special-purpose addresses for anchors,
 * such addresses of monitors prove nothing: these checks are skipped. Conditions that an owner or the operator should act on are
 * logged in the run in which they begin, so that they do not fill the log.
 * @param rounds all rounds of anchors of the run.
 */
export function concludeChecks(
  monitors: readonly KnownMonitor[],
  checked: ReadonlyMap<string, CheckResult>,
  rounds: readonly AnchorRound[],
  emit: Emit,
): ReadonlyMap<string, CheckResult> {
  const falseAnchors = findFalseAnchors(rounds);
  const doubted = [...(falseAnchors.length === 0 ? [] : checked)].filter(
    ([, one]) => "code" in one && one.code === "dns-special-address",
  );
  if (doubted.length > 0)
    emit({ event: "resolver-not-trusted", anchors: falseAnchors, count: doubted.length });
  const skipped = doubted.map(([id]) => [id, { kind: "skipped" }] as const);
  const verdicts = new Map<string, CheckResult>([...checked, ...skipped]);
  const tell = (
    event: "monitors-newly-refused" | "monitors-mixed-addresses",
    isNew: (monitor: KnownMonitor, verdict: CheckResult | undefined) => boolean,
  ): void => {
    const ids = monitors.filter((one) => isNew(one, verdicts.get(one.id))).map(({ id }) => id);
    if (ids.length > 0) emit({ event, count: ids.length, ids: ids.slice(0, MAX_NAMED) });
  };
  tell("monitors-newly-refused", ({ lastState }, verdict) => {
    const isRefused = verdict?.kind === "failing" && isRefusal(verdict.code);
    return isRefused && lastState !== "failing";
  });
  tell("monitors-mixed-addresses", ({ warning }, verdict) => {
    const isMixed = verdict?.kind === "healthy" && verdict.warning === "mixed-addresses";
    return isMixed && warning === undefined;
  });
  return verdicts;
}
