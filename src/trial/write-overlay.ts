import { stringify } from "yaml";
import type { Catalogue, Endpoint } from "../model/service/catalogue.ts";
import { registrableDomainOf } from "../model/registrable-domain.ts";
import type { Proposal } from "./propose.ts";

/** The first line of an overlay of a trial: a file without it belongs to the operator. */
export const OVERLAY_HEAD: string =
  "# Proposed by `status-snapshot catalogue trial`, each line judged by recorded answers.\n";

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
  return OVERLAY_HEAD + stringify({ services }, { lineWidth: 0 });
}

/** An endpoint as it stands in a file: without what follows by itself. */
function toWritten({ sites, isCritical, trust, ...rest }: Endpoint) {
  const own = registrableDomainOf(new URL(rest.url).hostname);
  const leadsTo = (sites ?? []).filter((site) => site !== own);
  return {
    ...rest,
    ...(isCritical ? { critical: true } : {}),
    ...(trust === "public" ? {} : { trust }),
    ...(leadsTo.length === 0 ? {} : { leadsTo }),
  };
}
