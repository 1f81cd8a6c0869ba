import { type SitePlace } from "../pages/site-address.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { Snapshot, Document } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import { buildChanges } from "../../open-data/documents/changes.ts";
import { buildMetrics } from "../../open-data/documents/metrics.ts";
import { buildStatuspage } from "../../open-data/documents/statuspage.ts";

/** What each generation publishes besides the API: the changes, the state for Statuspage and for Prometheus. */
export function buildOpenDocuments(
  { verdicts, incidents }: Pick<State, "verdicts" | "incidents">,
  snapshot: Snapshot,
  catalogue: Catalogue,
  place: SitePlace,
  nowMs: number,
): readonly Document[] {
  const siteUrl = place.kind === "nowhere" ? undefined : place.baseUrl.replace(/\/+$/u, "");
  const { services } = snapshot;
  const englishNames = new Map(
    catalogue.services.flatMap(({ slug, nameEn }) =>
      nameEn === undefined ? [] : [[slug, nameEn] as const],
    ),
  );
  return [
    buildChanges(verdicts, nowMs),
    ...buildStatuspage({ services, englishNames, log: verdicts, incidents, siteUrl }),
    buildMetrics(snapshot),
  ];
}
