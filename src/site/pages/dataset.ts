import { METHOD_VERSION } from "../../model/service/method.ts";
import type { SiteView } from "../view.ts";
import { DATA_WORDS } from "../words/pages/data-page.ts";
import { FRAME_WORDS } from "../words/pages/frame.ts";
import type { Language } from "../words/language.ts";
import { LICENCE_URL } from "./data-examples.ts";
import { urlOf } from "./parts/links.ts";

/** Types of the files in the archive, by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  parquet: "application/vnd.apache.parquet",
  gz: "application/gzip",
  csv: "text/csv",
  json: "application/json",
};

/** Documents of which every website has exactly one. */
const DOCUMENTS = ["history/v1/index.json", "changes/v1.json"];

/**
 * The open data for search engines, beside what every page says of itself.
 * Sources: https://schema.org/Dataset, https://developers.google.com/search/docs/appearance/structured-data/dataset
 */
export function describeDataset(
  { address, archive: { days } }: SiteView,
  language: Language,
): Readonly<Record<string, unknown>> {
  const words = DATA_WORDS[language];
  const [newest] = days;
  const oldest = days.at(-1);
  const ofArchive =
    newest === undefined ? [] : [...newest.files.map(({ key }) => key), "archive/v1/index.json"];
  const keys = [...ofArchive, ...DOCUMENTS];
  return {
    "@type": "Dataset",
    license: LICENCE_URL,
    isAccessibleForFree: true,
    version: METHOD_VERSION,
    creator: {
      "@type": "Organization",
      name: address.people.operator ?? FRAME_WORDS[language].siteName,
      url: urlOf(address, language, "/"),
    },
    spatialCoverage: words.place,
    keywords: words.keywords,
    ...(newest !== undefined &&
      oldest !== undefined && { temporalCoverage: `${oldest.date}/${newest.date}` }),
    distribution: keys.map((key) => ({
      "@type": "DataDownload",
      encodingFormat: TYPES[key.slice(key.lastIndexOf(".") + 1)],
      contentUrl: `${address.origin}${address.root}/${key}`,
    })),
  };
}
