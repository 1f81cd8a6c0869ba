import type { Document } from "../model/service/snapshot.ts";
import { LANGUAGES } from "../contract/codes/language.ts";
import { documentKeyOf, toPage } from "./site-files.ts";
import type { Assets } from "./pages/parts/head.tsx";
import { renderOutage } from "./pages/outage.tsx";
import { renderOutages } from "./pages/outages.tsx";
import type { MonthView, OutagePageView, SiteAddress } from "./view.ts";

/** How the pages of outages are made at an address, one of each language. */
export function toTemplates(address: SiteAddress, assets: Assets) {
  return {
    page: (outage: OutagePageView): readonly Document[] =>
      LANGUAGES.map((language) =>
        toPage(
          documentKeyOf(language, outage.path.slice(1)),
          renderOutage(address, outage, language, assets),
        ),
      ),
    list: (outages: readonly OutagePageView[], months: readonly MonthView[]): readonly Document[] =>
      LANGUAGES.map((language) =>
        toPage(
          documentKeyOf(language, "outages"),
          renderOutages({ address, outages, months, language, assets }),
        ),
      ),
    design: JSON.stringify([address, assets]),
  };
}
