import { groupBy } from "../../model/lists.ts";
import type { ServiceHistory } from "../../model/service/history.ts";
import type { State } from "../../model/state.ts";
import { FRESH_MS } from "../../model/time.ts";
import type { ConnectivityIssue, ServiceView, SiteView, SlowNetworkView } from "../../site/view.ts";

/* What affects many services at once, for the notes of pages. */

/** Only of a run that is fresh enough for verdicts. An offline runner is not shown: the verdicts become stale by themselves. */
export function viewConnectivity(
  lastRun: State["lastRun"],
  nowMs: number,
): ConnectivityIssue | null {
  if (lastRun === null || nowMs - lastRun.startedAtMs > FRESH_MS) return null;
  const { state } = lastRun.connectivity;
  return state === "fine" || state === "offline" ? null : state;
}

/** An operator seems to fail itself if it makes the surges of so many services. Source: docs/reports/operators.md, "More than usual". */
const MIN_FAILING_SERVICES = 3;

/** Operators that seem to fail themselves. */
export function viewFailingOperators(
  services: readonly ServiceView[],
): SiteView["failingOperators"] {
  const makers = groupBy(services, ({ operators: { unusual } }) =>
    unusual?.isAlone === true ? unusual.shares[0]?.operator : undefined,
  );
  return [...makers].flatMap(([operator, all]) =>
    operator === undefined || all.length < MIN_FAILING_SERVICES
      ? []
      : [{ operator, services: all.length }],
  );
}

/** Networks of which services are slow together. */
export function viewSlowNetworks(
  services: readonly ServiceView[],
  records: ReadonlyMap<string, ServiceHistory>,
): readonly SlowNetworkView[] {
  const slow = services.filter(({ verdict }) => verdict.code === "slow");
  const byNetwork = groupBy(slow, ({ slug }) => records.get(slug)?.sharedCause ?? null);
  return [...byNetwork].flatMap(([network, services]) =>
    network === null ? [] : [{ network, services }],
  );
}
