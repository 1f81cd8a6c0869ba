import { dayPath } from "../model/service/outage-ids.ts";
import { type Document, toDocument } from "../model/service/snapshot.ts";
import { LANGUAGES } from "../contract/codes/language.ts";
import { buildOutageFeed } from "./feeds.ts";
import { outageFeedPath } from "./pages/parts/links.ts";
import { documentKeyOf } from "./site-files.ts";
import type { Assets } from "./pages/parts/head.tsx";
import { renderOutage } from "./pages/outage.tsx";
import { renderDay, renderOutages } from "./pages/outages.tsx";
import type { OutageListView, OutagePageView, SiteAddress } from "./view.ts";

/** How the pages of outages are made at an address, one of each language. */
export function toTemplates(address: SiteAddress, assets: Assets) {
  return {
    page: (outage: OutagePageView): readonly Document[] =>
      LANGUAGES.map((language) =>
        toDocument(
          documentKeyOf(language, outage.path.slice(1)),
          renderOutage(address, outage, language, assets),
        ),
      ),
    list: (list: OutageListView): readonly Document[] => [
      ...LANGUAGES.map((language) =>
        toDocument(
          documentKeyOf(language, "outages"),
          renderOutages({ address, list, language, assets }),
        ),
      ),
      toDocument(outageFeedPath.slice(1), buildOutageFeed(address, list.outages)),
    ],
    day: (day: string, outages: readonly OutagePageView[]): readonly Document[] =>
      LANGUAGES.map((language) =>
        toDocument(
          documentKeyOf(language, dayPath(day).slice(1)),
          renderDay({ address, day, outages, language, assets }),
        ),
      ),
    design: JSON.stringify([address, assets]),
  };
}
