import { dayPath } from "../model/service/outage-ids.ts";
import { type Document, toDocument } from "../model/service/snapshot.ts";
import { buildOutageFeed } from "./feeds.ts";
import { outageFeedPath } from "./pages/parts/links.ts";
import { toPages } from "./site-files.ts";
import type { Assets } from "./pages/parts/head.tsx";
import { renderOutage } from "./pages/outage.tsx";
import { renderDay, renderOutages } from "./pages/outages.tsx";
import type { OutageListView, OutagePageView, SiteAddress } from "./view.ts";

/** How the pages of outages are made at an address, one of each language. */
export function toTemplates(address: SiteAddress, assets: Assets) {
  return {
    page: (outage: OutagePageView): readonly Document[] =>
      toPages(outage.path.slice(1), (language) => renderOutage(address, outage, language, assets)),
    list: (list: OutageListView): readonly Document[] => [
      ...toPages("outages", (language) => renderOutages({ address, list, language, assets })),
      toDocument(outageFeedPath.slice(1), buildOutageFeed(address, list.outages)),
    ],
    day: (day: string, outages: readonly OutagePageView[]): readonly Document[] =>
      toPages(dayPath(day).slice(1), (language) =>
        renderDay({ address, day, outages, language, assets }),
      ),
    design: JSON.stringify([address, assets]),
  };
}
