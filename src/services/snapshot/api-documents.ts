import type { Catalogue } from "../../model/service/catalogue.ts";
import { NO_REPORTS, type Reports } from "../../model/service/reports.ts";
import {
  type Snapshot,
  type Document,
  type ServiceSnapshot,
  toJsonDocument,
} from "../../model/service/snapshot.ts";
import type { Verdict } from "../../contract/codes/verdict.ts";
import type { StatusDetail, StatusList, StatusSummary } from "../../contract/status.ts";
import { toUnixSeconds } from "../../model/time.ts";

/**
 * The source of all public documents: every service, in catalogue order. `verdicts` is by slug; `updatedAtMs` is the time of the last
 * valid run. Throws RangeError if a service has no verdict: the API promises one entry for each.
 */
export function buildSnapshot(
  catalogue: Catalogue,
  verdicts: ReadonlyMap<string, Verdict>,
  reports: Reports,
  updatedAtMs: number,
): Snapshot {
  const services = catalogue.services.map(({ slug, name }) => {
    const verdict = verdicts.get(slug);
    if (verdict === undefined) throw new RangeError(`no verdict for ${slug}`);
    return { slug, name, verdict, reports: reports.get(slug) ?? NO_REPORTS };
  });
  return { updatedAtMs, services };
}

/** Key of the list of all services. */
export const LIST_KEY = "api/v1/status";

/**
 * The documents of API v1: a detail for each service in catalogue order, then the list. The list comes last,
 * so that each service in a published list already has its detail.
 */
export function buildDocuments(snapshot: Snapshot): readonly Document[] {
  const details = snapshot.services.map((service) =>
    toJsonDocument(`${LIST_KEY}/${service.slug}`, detailOf(service)),
  );
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
