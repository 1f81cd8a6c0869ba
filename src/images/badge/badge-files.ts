import { CACHE_A_MINUTE, type Document } from "../../model/service/snapshot.ts";
import {
  BADGE_WINDOW,
  type BadgeContents,
  type UptimeWindow,
} from "../../model/monitor/monitor.ts";
import type { BadgePainter } from "./badge-renderer.ts";

const SVG_TYPE = "image/svg+xml; charset=utf-8";
const PNG_TYPE = "image/png";
const JSON_TYPE = "application/json; charset=utf-8";

/** Windows with a badge of their own, in addition to `badge.svg`. */
const FURTHER_WINDOWS = ["24h", "7d", "90d"] as const satisfies readonly UptimeWindow[];

/** Names of the objects of a public monitor, in the order of their publication. */
const NAMES = [
  "badge.svg",
  "badge.png",
  "badge.json",
  ...FURTHER_WINDOWS.map((window) => `badge-${window}.svg`),
];

/** Keys of the six objects of a monitor: they exist exactly while its page is public. */
export function badgeKeys(id: string): readonly string[] {
  return NAMES.map((name) => `api/m/${id}/${name}`);
}

/** The six documents of a monitor, under `badgeKeys(id)` in that order. Rejects only if the painter does. */
export async function buildBadgeDocuments(
  id: string,
  looks: BadgeContents,
  painter: BadgePainter,
): Promise<readonly Document[]> {
  const main = await painter.paint(looks[BADGE_WINDOW]);
  const further: Document[] = [];
  for (const window of FURTHER_WINDOWS) {
    const { svg } = await painter.paint(looks[window]);
    further.push(toDocument(`api/m/${id}/badge-${window}.svg`, SVG_TYPE, svg));
  }
  return [
    toDocument(`api/m/${id}/badge.svg`, SVG_TYPE, main.svg),
    toDocument(`api/m/${id}/badge.png`, PNG_TYPE, main.png()),
    toDocument(`api/m/${id}/badge.json`, JSON_TYPE, main.json),
    ...further,
  ];
}

function toDocument(key: string, contentType: string, body: Uint8Array): Document {
  return { key, contentType, cacheControl: CACHE_A_MINUTE, body };
}
