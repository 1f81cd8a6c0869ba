import type { Document, ServiceSnapshot, Snapshot } from "../model/snapshot.ts";
import { toUnixSeconds } from "../model/time.ts";

/** Where the list of all services is published. */
export const LIST_KEY = "api/v1/status";
const CONTENT_TYPE = "application/json; charset=utf-8";
/** Source: docs/api.md, "Headers": a document may be cached for a minute. */
const CACHE_CONTROL = "max-age=60";

/**
 * The documents of API v1: a detail for each service in catalogue order, then the list. The list comes last so
 * that whoever finds a service in it finds its detail too.
 */
export function buildDocuments(snapshot: Snapshot): readonly Document[] {
  const details = snapshot.services.map((service) => {
    return toDocument(`${LIST_KEY}/${service.slug}`, detailOf(service));
  });
  const list = {
    updated: toUnixSeconds(snapshot.updatedAtMs),
    services: snapshot.services.map(summaryOf),
  };
  return [...details, toDocument(LIST_KEY, list)];
}

/** Exactly the five fields of a summary, in the order of the specification. */
function summaryOf({ slug, name, verdict }: ServiceSnapshot): Readonly<Record<string, unknown>> {
  return { slug, name, color: verdict.color, code: verdict.code, live: verdict.live };
}

/** Exactly the eight fields of a detail, in the order of the specification. */
function detailOf(service: ServiceSnapshot): Readonly<Record<string, unknown>> {
  const { sinceMs } = service.verdict;
  return {
    ...summaryOf(service),
    since: sinceMs === null ? null : toUnixSeconds(sinceMs),
    reportsHour: service.reports.hour,
    reportsDay: service.reports.day,
  };
}

function toDocument(key: string, content: Readonly<Record<string, unknown>>): Document {
  // JSON.stringify leaves Cyrillic as it is and adds no space: what is published is what is meant.
  const body = new TextEncoder().encode(JSON.stringify(content));
  return { key, contentType: CONTENT_TYPE, cacheControl: CACHE_CONTROL, body };
}
