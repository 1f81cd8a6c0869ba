import type { Catalogue } from "../../model/service/catalogue.ts";
import { NO_REPORTS, type Reports } from "../../model/service/reports.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { Verdict } from "../../contract/codes/verdict.ts";

/**
 * The source of all public documents: every service, in catalogue order. `verdicts` is by slug; `updatedAtMs`
 * is the time of the last valid run. Throws RangeError if a service has no verdict: the API promises one
 * entry for each.
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
