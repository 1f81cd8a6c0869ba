import type { FailureCode } from "../../model/failures.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { ServiceHistory } from "../../model/service/history.ts";
import type { ServiceScope } from "../../model/service/interference.ts";
import type { VantagesState } from "../../model/service/vantage.ts";
import { isDown } from "../../services/history/episodes.ts";
import { type VantageView, viewEndpoint } from "../../services/interference/endpoint-views.ts";
import {
  standingsOf,
  type VantageStanding,
} from "../../services/interference/evidence-documents.ts";
import type { PlaceView, ScopeView } from "../../site/view.ts";

/** Where a service fails, and where it opens. A service that is up has no scope, whatever single endpoints do. */
export function viewScope(
  service: Service,
  scope: ServiceScope | undefined,
  record: ServiceHistory | undefined,
  known: VantagesState,
  nowMs: number,
): ScopeView {
  const critical = service.endpoints.filter((one) => one.isCritical);
  const views = critical.flatMap((endpoint) => viewEndpoint(endpoint, { known, nowMs }));
  const isFailing = record !== undefined && isDown(record.checkClass);
  const basis = scope?.endpoints.find(({ isClaimed }) => isClaimed)?.basis;
  return {
    scope: isFailing ? (scope?.scope ?? "unknown") : "none",
    isClaimed: isFailing && record.claims.length > 0,
    ...(basis === undefined || !isFailing ? {} : { basis }),
    places: standingsOf(known).map((standing) => viewPlace(standing, views)),
  };
}

/** @param all of all places. */
function viewPlace(standing: VantageStanding, all: readonly VantageView[]): PlaceView {
  const { id, kind, country, network, asn } = standing.vantage;
  const views = all.filter(({ vantage }) => vantage.id === id);
  const failed = views.find(({ says, result }) => says === "fails" && result.code !== "ok");
  return {
    kind,
    country,
    network,
    asn,
    status: placeStatusOf(standing, views),
    ...(failed === undefined ? {} : { code: failed.result.code as FailureCode }),
    isCalibrated: views.length > 0 && views.every(({ isCalibrated }) => isCalibrated),
    heardAtMs: standing.isHeard ? null : standing.heardAtMs,
  };
}

function placeStatusOf({ isHeard, isWhiteList }: VantageStanding, views: readonly VantageView[]) {
  if (!isHeard) return "silent";
  if (isWhiteList === true) return "white-list";
  if (views.some(({ says, result }) => says === "fails" && result.code !== "ok")) return "fails";
  if (views.some(({ says }) => says === "fails")) return "no-browsers";
  if (views.some(({ result }) => result.code === "denied")) return "denied";
  return views.some(({ says }) => says === "works") ? "opens" : "unknown";
}
