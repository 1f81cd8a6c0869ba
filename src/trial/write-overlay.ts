import { stringify } from "yaml";
import type { Catalogue, Endpoint } from "../model/catalogue.ts";
import { siteOf } from "../model/site.ts";
import type { Proposal } from "./propose.ts";

/** Proposals by the URL of the endpoint as it is in the catalogue. */
export type Proposals = ReadonlyMap<string, Proposal>;

/** The services with the proposals applied, in the order of the catalogue, without those that stay as they are. */
export function changedServices({ services }: Catalogue, proposals: Proposals) {
  return services
    .filter(({ endpoints }) => endpoints.some(({ url }) => proposals.has(url)))
    .map(({ slug, endpoints }) => ({
      slug,
      endpoints: endpoints.flatMap((endpoint) => {
        const proposal = proposals.get(endpoint.url);
        return proposal === undefined ? [endpoint] : (proposal.endpoint ?? []);
      }),
    }));
}

/** An overlay of the catalogue with the proposals: all endpoints of each service that changes, because an overlay replaces a list. */
export function writeOverlay(catalogue: Catalogue, proposals: Proposals): string {
  const services = changedServices(catalogue, proposals).map(({ slug, endpoints }) => ({
    slug,
    endpoints: endpoints.map(toWritten),
  }));
  const head =
    "# Proposed by `status-snapshot catalogue trial`, each line judged by recorded answers.\n";
  return services.length === 0
    ? `${head}services: []\n`
    : head + stringify({ services }, { lineWidth: 0 });
}

/** An endpoint as it stands in a file: without what follows by itself. */
function toWritten({ sites, isCritical, trust, ...rest }: Endpoint) {
  const own = siteOf(new URL(rest.url).hostname);
  const leadsTo = (sites ?? []).filter((site) => site !== own);
  return {
    ...rest,
    ...(isCritical ? { critical: true } : {}),
    ...(trust === "public" ? {} : { trust }),
    ...(leadsTo.length === 0 ? {} : { leadsTo }),
  };
}
