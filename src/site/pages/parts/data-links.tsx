import type { Html } from "../../html.ts";
import type { SiteAddress } from "../../view.ts";
import { DATA_WORDS } from "../../words/pages/data-page.ts";
import type { Language } from "../../words/language.ts";
import { fileOf, pathOf } from "./links.ts";

interface DataLinksProps {
  readonly address: SiteAddress;
  readonly language: Language;
  /** Key of the history of what the page is about: `history/v1/vtb.json`. */
  readonly historyKey: string;
}

/** Items of a list: the history of a page's subject as JSON, and the page of all open data. */
export function DataLinks({ address, language, historyKey }: DataLinksProps): Html {
  const words = DATA_WORDS[language];
  return (
    <>
      <li>
        <a href={fileOf(address, `/${historyKey}`)}>{words.history}</a>
      </li>
      <li>
        <a href={pathOf(address, language, "/data")}>{words.link}</a>
      </li>
    </>
  );
}
