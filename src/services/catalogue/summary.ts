import { isAddress } from "../../model/host-name.ts";
import type { Anchor, Catalogue, Service } from "../../model/service/catalogue.ts";

function count(services: readonly Service[]) {
  return {
    services: services.length,
    endpoints: services.flatMap(({ endpoints }) => endpoints).length,
    /** Services with at least one annotation. */
    annotated: services.filter((service) => service.annotations.length > 0).length,
  };
}

/** What a catalogue holds, by category in its order and in all, for `catalogue check`. Never throws. */
export function summariseCatalogue({ categories, services, anchors }: Catalogue) {
  const countScope = (scope: Anchor["scope"]): number =>
    anchors.filter((anchor) => anchor.scope === scope).length;
  return {
    categories: categories.map(({ id, name }) => ({
      category: id,
      name,
      ...count(services.filter(({ category }) => category === id)),
    })),
    totals: count(services),
    anchors: { domestic: countScope("domestic"), foreign: countScope("foreign") },
  };
}

/**
 * How many anchors, in how many networks, are needed to tell a fault of the runner's own network from a fault of the services.
 * With fewer a run still works, on less evidence, so this is advice and no error. Source: docs/services/catalogue.md, "Anchors".
 */
const FEWEST_ADVISED = { anchors: 12, networks: 10 } as const;

/** Russian top-level domains: when the name servers of one fail, a name in it says nothing about the network. */
const HOME_ZONE = /\.(?:ru|su|xn--p1ai)$/u;

function isAddressAlone({ url }: Anchor): boolean {
  return isAddress(new URL(url).hostname);
}

function isDomesticOutsideRu(anchor: Anchor): boolean {
  const isHome = HOME_ZONE.test(new URL(anchor.url).hostname);
  return anchor.scope === "domestic" && !isAddressAlone(anchor) && !isHome;
}

/**
 * One sentence for each pair of causes that a valid set of anchors cannot tell apart; empty for a good set.
 * Throws if a URL cannot be parsed, which a parsed catalogue never has.
 */
export function adviseOnAnchors(anchors: readonly Anchor[]): readonly string[] {
  const networks = new Set(anchors.map(({ network }) => network)).size;
  const advice: readonly (readonly [boolean, string])[] = [
    [
      anchors.length >= FEWEST_ADVISED.anchors,
      `anchors: ${anchors.length} of them; with ${FEWEST_ADVISED.anchors} or more a run can tell packet loss from services that fail.`,
    ],
    [
      networks >= FEWEST_ADVISED.networks,
      `anchors: in ${networks} networks; ${FEWEST_ADVISED.networks} or more show how much of the world is cut off.`,
    ],
    [
      anchors.some(isAddressAlone),
      "anchors: none by its address alone; with one a run can tell a broken resolver from a broken network.",
    ],
    [
      anchors.some(isDomesticOutsideRu),
      "anchors: no domestic one outside .ru, .su and .рф; with one a run can tell a failure of the zone from a broken network.",
    ],
  ];
  return advice.filter(([isGood]) => !isGood).map(([, sentence]) => sentence);
}

export type CatalogueSummary = ReturnType<typeof summariseCatalogue>;
