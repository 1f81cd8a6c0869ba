import type { OperatorReports } from "../../contract/operators.ts";
import type { OperatorSums, UnusualOperators } from "../../model/service/reports.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";

const ATTRIBUTION =
  "DB-IP (https://db-ip.com) and RouteViews (https://www.routeviews.org), CC BY 4.0";

/** The reports of each service by operator, in the order of the catalogue. */
export function buildOperators(sums: ReadonlyMap<string, OperatorSums>): Document {
  const services = [...sums].filter(([, { operators }]) => operators.length > 0);
  return toJsonDocument("operators/v1.json", {
    attribution: ATTRIBUTION,
    services: services.map(([slug, { operators, unusual }]) => ({
      slug,
      operators: operators.map(({ operator, hour, day, percent, usual, isUnusual }) => ({
        operator,
        reportsHour: hour,
        reportsDay: day,
        share: percent,
        usual: usual?.percent ?? null,
        usualOf: usual?.of ?? null,
        unusual: isUnusual,
      })),
      unusual: unusual === undefined ? null : toUnusual(unusual),
    })),
  } satisfies OperatorReports);
}

/** Operators with more reports than usual, as in the documents. */
export function toUnusual({ shares, isAlone: alone }: UnusualOperators) {
  return {
    shares: shares.map(({ operator, percent: share, usual }) => ({ operator, share, usual })),
    alone,
  };
}
