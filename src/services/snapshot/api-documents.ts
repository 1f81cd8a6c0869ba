import type { StatusDetail, StatusList, StatusSummary } from "../../contract/status.ts";
import type { Document, ServiceSnapshot, Snapshot } from "../../model/service/snapshot.ts";
import { toJsonDocument } from "../../model/service/to-document.ts";
import { toUnixSeconds } from "../../model/time.ts";

/** Key of the list of all services. */
export const LIST_KEY = "api/v1/status";

/**
 * The documents of API v1: a detail for each service in catalogue order, then the list. The list comes last,
 * so that each service in a published list already has its detail.
 */
export function buildDocuments(snapshot: Snapshot): readonly Document[] {
  const details = snapshot.services.map((service) => {
    return toJsonDocument(`${LIST_KEY}/${service.slug}`, detailOf(service));
  });
  const list = toJsonDocument(LIST_KEY, {
    updated: toUnixSeconds(snapshot.updatedAtMs),
    services: snapshot.services.map(summaryOf),
  } satisfies StatusList);
  return [...details, list];
}

/** The five fields of a summary, in the order of the specification. */
function summaryOf({ slug, name, verdict }: ServiceSnapshot): StatusSummary {
  return { slug, name, color: verdict.color, code: verdict.code, live: verdict.live };
}

/** The eight fields of a detail, in the order of the specification. */
function detailOf(service: ServiceSnapshot): StatusDetail {
  const { sinceMs } = service.verdict;
  return {
    ...summaryOf(service),
    since: sinceMs === null ? null : toUnixSeconds(sinceMs),
    reportsHour: service.reports.hour,
    reportsDay: service.reports.day,
  };
}
