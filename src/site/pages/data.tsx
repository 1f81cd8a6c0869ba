import { METHOD_VERSION } from "../../model/service/method.ts";
import type { SiteView } from "../view.ts";
import { FRAME_WORDS } from "../words/pages/frame.ts";
import type { Language } from "../words/language.ts";
import { scriptWords } from "../words/pages/script.ts";
import { formatDay } from "../words/time.ts";
import { ArchiveFiles } from "./parts/archive-files.tsx";
import {
  attributionExample,
  changesExample,
  duckdbExample,
  historyExample,
  ndjsonExample,
  pandasExample,
  prometheusExample,
  statuspageAddress,
  statuspageExample,
  uptimeExample,
} from "./data-examples.ts";
import { describeDataset } from "./dataset.ts";
import type { Assets } from "./parts/head.tsx";
import { urlOf } from "./parts/links.ts";
import { renderProse } from "./parts/prose.tsx";

/**
 * The page on what can be downloaded. It changes only when a day or month of the archive is complete. Source of its text:
 * docs/open-data.md.
 */
export function renderData(view: SiteView, language: Language, assets: Assets): string {
  const { address, archive } = view;
  const baseUrl = address.origin + address.root;
  const { estimate, siteName } = FRAME_WORDS[language];
  // Before the first day, a placeholder that is obviously no date.
  const day = archive.days[0]?.date ?? "YYYY-MM-DD";
  const values = {
    baseUrl,
    estimate,
    method: formatDay(METHOD_VERSION, language),
    "block:archive": <ArchiveFiles view={view} language={language} />,
    "example:duckdb": duckdbExample(baseUrl, day),
    "example:pandas": pandasExample(baseUrl, day),
    "example:ndjson": ndjsonExample(baseUrl, day),
    "example:history": historyExample(baseUrl),
    "example:uptime": uptimeExample(baseUrl),
    "example:changes": changesExample(baseUrl),
    "example:statuspage": statuspageAddress(baseUrl),
    "example:statuspage-curl": statuspageExample(baseUrl),
    "example:prometheus": prometheusExample(baseUrl),
    "example:attribution": attributionExample(urlOf(address, language, "/"), siteName),
  };
  return renderProse({
    name: "data",
    address,
    language,
    assets,
    values,
    words: scriptWords(language),
    structured: describeDataset(view, language),
  });
}
