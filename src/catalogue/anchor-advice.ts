import type { Anchor } from "../model/catalogue.ts";

/**
 * How many anchors, in how many networks, tell a trouble of the runner's own way from one of the services. Fewer make runs
 * that judge by less, so they are advised against and not refused. Source: docs/catalogue.md, "Anchors".
 */
const FEWEST_ADVISED = { anchors: 12, networks: 10 } as const;

/** IPv6 comes in brackets; the normal form of a URL has made dotted numbers of every other notation. */
const ADDRESS_ALONE = /^(?:\[.+\]|\d+\.\d+\.\d+\.\d+)$/u;

/** Zones of the country: when the servers of one of them fail, names in it tell nothing of the way. */
const HOME_ZONE = /\.(?:ru|su|xn--p1ai)$/u;

function hostOf({ url }: Anchor): string {
  return new URL(url).hostname;
}

function isAddressAlone(anchor: Anchor): boolean {
  return ADDRESS_ALONE.test(hostOf(anchor));
}

function isDomesticOutsideRu(anchor: Anchor): boolean {
  return anchor.scope === "domestic" && !isAddressAlone(anchor) && !HOME_ZONE.test(hostOf(anchor));
}

/**
 * What a valid set of anchors cannot tell apart yet, one sentence each; nothing for a good one.
 * Throws when a URL cannot be parsed, which a catalogue never has.
 */
export function adviseOnAnchors(anchors: readonly Anchor[]): readonly string[] {
  const networks = new Set(anchors.map(({ network }) => network)).size;
  const advice: readonly (readonly [boolean, string])[] = [
    [
      anchors.length >= FEWEST_ADVISED.anchors,
      `anchors: ${anchors.length} of them; ${FEWEST_ADVISED.anchors} or more tell a lossy way from services that fail.`,
    ],
    [
      networks >= FEWEST_ADVISED.networks,
      `anchors: in ${networks} networks; ${FEWEST_ADVISED.networks} or more show how much of the world is cut off.`,
    ],
    [
      anchors.some(isAddressAlone),
      "anchors: none by its address alone; one tells a broken resolver from a broken way.",
    ],
    [
      anchors.some(isDomesticOutsideRu),
      "anchors: no domestic one outside .ru, .su and .рф; one tells a failure of the zone from a broken way.",
    ],
  ];
  return advice.filter(([isGood]) => !isGood).map(([, sentence]) => sentence);
}
