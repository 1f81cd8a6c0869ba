import { type AccessKind, accessOf, type Service } from "../../model/service/catalogue.ts";
import type { CheckClass, ServiceHistory } from "../../model/service/history.ts";
import type { ReportCounts } from "../../model/service/reports.ts";
import { FRESH_MS, PERSISTENT_MS } from "../../model/time.ts";

/** The only inputs of a verdict. A service that was never checked has no class, so the type does not let it be fresh. */
export type Signals = {
  readonly access: AccessKind | "none";
  /** The service's owner restricts access from Russia. */
  readonly hasProvider: boolean;
  /** Confirmed evidence of blocking on a critical endpoint, or a claim of it. */
  readonly isBlocked: boolean;
  readonly isSurging: boolean;
  /** The outage or the `partial` began more than 24 hours ago. */
  readonly isOld: boolean;
} & (
  | { readonly isFresh: true; readonly checkClass: CheckClass }
  | { readonly isFresh: false; readonly checkClass: CheckClass | "unknown" }
);

/**
 * The signals of one service at `nowMs`. A check is fresh up to and including 15 minutes; one after `nowMs`
 * (a clock that was set back, a replay) is fresh too. Source: docs/services/verdicts.md, "Signals".
 */
export function signalsOf(
  service: Service,
  history: ServiceHistory | undefined,
  reports: ReportCounts,
  nowMs: number,
): Signals {
  const common = {
    access: accessOf(service),
    hasProvider: service.annotations.some(({ kind }) => kind === "provider"),
    isBlocked: history !== undefined && (history.isBlocked || history.claims.length > 0),
    isSurging: reports.isSurging,
    isOld: history !== undefined && isOldEpisode(history, nowMs),
  };
  if (history === undefined) return { ...common, isFresh: false, checkClass: "unknown" };
  const { checkClass, checkedAtMs } = history;
  return { ...common, isFresh: nowMs - checkedAtMs <= FRESH_MS, checkClass };
}

function isOldEpisode({ checkClass, sinceMs }: ServiceHistory, nowMs: number): boolean {
  const isAging = ["failing", "server-error", "partial"].includes(checkClass);
  return isAging && nowMs - sinceMs > PERSISTENT_MS;
}
