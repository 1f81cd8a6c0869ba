import {
  accessOf,
  type Catalogue,
  type Endpoint,
  type Service,
} from "../../src/model/service/catalogue.ts";
import type { Expectation } from "../../src/probe/answer/classify-response.ts";
import { hashOf, type Place, placeOf } from "./places.ts";

/** A probe target: an endpoint of a service or an anchor. */
export interface Site {
  readonly index: number;
  readonly url: string;
  /** Index of its service in the catalogue; -1 for an anchor. */
  readonly service: number;
  readonly place: Place;
  readonly isCritical: boolean;
  /** Usual response time. */
  readonly usualMs: number;
  /** Rules for its answers; an anchor has none. */
  readonly rules: Expectation;
  /** Whether the catalogue has a marker of the service's refusal. */
  readonly canDeny: boolean;
}

/** A service and its sites. */
export interface Subject {
  readonly index: number;
  readonly service: Service;
  readonly sites: readonly Site[];
  /** The first critical endpoint: the one that a monitor with one URL per service would check. */
  readonly main: Site;
  readonly isRestricted: boolean;
}

export interface Topology {
  readonly sites: readonly Site[];
  readonly subjects: readonly Subject[];
  /** By URL. Separate from endpoints, because an anchor may have the URL of an endpoint. */
  readonly anchors: ReadonlyMap<string, Site>;
}

/** The sites of a catalogue in the simulated model. Throws RangeError for a service without endpoints. */
export function topologyOf(catalogue: Catalogue): Topology {
  const sites: Site[] = [];
  const subjects = catalogue.services.map((service, index): Subject => {
    const own = service.endpoints.map((endpoint) =>
      siteOf(
        sites,
        endpoint.url,
        placeOf(new URL(endpoint.url).hostname),
        index,
        endpoint,
        service,
      ),
    );
    const main = own.find((site) => site.isCritical) ?? own[0];
    if (main === undefined) throw new RangeError(`${service.slug} has no endpoint`);
    return { index, service, sites: own, main, isRestricted: accessOf(service) === "restricted" };
  });
  const anchors = new Map(
    catalogue.anchors.map(({ url, scope }) => {
      const place = placeOf(new URL(url).hostname, scope === "foreign");
      return [url, siteOf(sites, url, place, -1)];
    }),
  );
  return { sites, subjects, anchors };
}

function siteOf(
  sites: Site[],
  url: string,
  place: Place,
  subject: number,
  endpoint?: Endpoint,
  service?: Service,
): Site {
  const isStandIn = service !== undefined && !service.endpoints.some((each) => each.isCritical);
  const site: Site = {
    index: sites.length,
    url,
    service: subject,
    place,
    isCritical: endpoint?.isCritical === true || (isStandIn && endpoint === service.endpoints[0]),
    usualMs: usualMsOf(url, place),
    rules: endpoint ?? {},
    canDeny: endpoint?.denied !== undefined,
  };
  sites.push(site);
  return site;
}

/** DNS, TCP, TLS and HTTP take some five round trips of 5 to 40 ms (domestic) or 45 to 160 ms (abroad), plus server time. */
function usualMsOf(url: string, { isAbroad }: Place): number {
  const part = (hashOf(url) % 1_000) / 1_000;
  return isAbroad ? 260 + 640 * part : 70 + 330 * part;
}

/** The sites of each network, in catalogue order. */
export function networksOf(sites: readonly Site[]): ReadonlyMap<string, readonly Site[]> {
  const networks = new Map<string, Site[]>();
  for (const site of sites) {
    const known = networks.get(site.place.network);
    if (known === undefined) networks.set(site.place.network, [site]);
    else known.push(site);
  }
  return networks;
}
