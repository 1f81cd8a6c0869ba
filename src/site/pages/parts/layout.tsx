import type { Html } from "../../html.ts";
import { inLanguages, otherLanguage } from "../../../contract/codes/language.ts";
import { scriptWords } from "../../words/pages/script.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import { OUTAGE_PAGE_WORDS } from "../../words/pages/outage-page.ts";
import { DATA_WORDS } from "../../words/pages/data-page.ts";
import { FRAME_WORDS } from "../../words/pages/frame.ts";
import { pathOf } from "./links.ts";
import { LastChecked, LinkItem, type PageProps } from "./elements.tsx";
import { Head, type HeadProps } from "./head.tsx";

export interface LayoutProps extends HeadProps {
  /** What the script does there; absent: only what it does on every page. */
  readonly page?: "index" | "service" | "monitor";
  /** The script says something there. */
  readonly hasWords?: boolean;
  /** No service was checked yet, so no page has a time of the last check. */
  readonly isUnchecked?: boolean;
  /** Search and filters: between the header and the main part, so that a redraw of that keeps them. */
  readonly beforeMain?: Html;
  readonly children: Html | readonly Html[];
}

const SECTIONS = [
  ["/", "services"],
  ["/api", "api"],
  ["/about", "about"],
] as const;

/** The frame of every page. */
export function Layout(props: LayoutProps): Html {
  const { address, language, page = "static", hasWords, beforeMain, children } = props;
  const ui = FRAME_WORDS[language];
  const { measuredFrom } = address.people;
  return (
    <html lang={language}>
      <Head {...props} />
      <body
        data-page={page}
        data-root={address.root}
        data-unchecked={props.isUnchecked === true ? "" : undefined}
        data-words={hasWords === true ? JSON.stringify(scriptWords(language)) : undefined}
      >
        <a class="skip" href="#main">
          {ui.skip}
        </a>
        <Header {...props} />
        {/* A runner outside of Moscow, such as that of a fork, must not be taken for ours. */}
        {measuredFrom !== undefined && (
          <p class="elsewhere" role="note">
            {ui.elsewhere} <strong>{measuredFrom}</strong>.
          </p>
        )}
        {beforeMain}
        <p id="notice" role="status" hidden></p>
        <main id="main">{children}</main>
        <Footer {...props} />
      </body>
    </html>
  );
}

function Header({ address, language, path, isNotFound }: LayoutProps): Html {
  const ui = FRAME_WORDS[language];
  const other = otherLanguage(language);
  return (
    <header class="top">
      <a class="brand" href={pathOf(address, language, "/")}>
        <span class="mark" aria-hidden="true"></span>
        {ui.siteName}
      </a>
      <nav aria-label={ui.navigation}>
        {SECTIONS.map(([to, name]) => (
          <a href={pathOf(address, language, to)} aria-current={to === path ? "page" : undefined}>
            {ui[name]}
          </a>
        ))}
        <a
          class="language"
          href={pathOf(address, other, isNotFound === true ? "/" : path)}
          lang={other}
          hreflang={other}
        >
          {ui.otherLanguage}
        </a>
      </nav>
    </header>
  );
}

function Footer({ address, language }: LayoutProps): Html {
  const ui = FRAME_WORDS[language];
  const page = (path: string): string => pathOf(address, language, path);
  return (
    <footer class="bottom">
      <p>
        <strong>{ui.estimate}</strong>
      </p>
      <p>
        {address.people.measuredFrom === undefined ? ui.vantage : ""} {ui.lastCheck}{" "}
        <LastChecked address={address} language={language} />
      </p>
      <p>{ui.linkBack}</p>
      <ul>
        <LinkItem href={page("/feed.atom")}>{ui.feed}</LinkItem>
        <LinkItem href={page("/api")}>{ui.api}</LinkItem>
        <LinkItem href={page("/about")}>{ui.about}</LinkItem>
        <LinkItem href={page("/accuracy")}>{ui.accuracy}</LinkItem>
        <LinkItem href={page("/outages")}>{OUTAGE_PAGE_WORDS[language].title}</LinkItem>
        <LinkItem href={page("/data")}>{DATA_WORDS[language].link}</LinkItem>
        {address.isSelfService && (
          <LinkItem href={page("/monitor/new")}>{OWNER_PAGE_WORDS[language].newTitle}</LinkItem>
        )}
        <PeopleItems address={address} language={language} />
      </ul>
      <p>{ui.program}</p>
    </footer>
  );
}

/** Labels of what the operator says about the website. */
export const PEOPLE_WORDS = inLanguages({
  title: ["Кто это делает", "Who runs this site"],
  operator: ["Сайт ведёт", "Run by"],
  contact: ["Связаться с нами", "Contact us"],
  source: ["Исходный код", "Source code"],
  wrongVerdict: ["Вердикт неверный? Сообщите нам", "Wrong verdict? Tell us"],
  addSite: ["Добавить свой сайт", "Add your site"],
});

const LINKS = ["contact", "wrongVerdict", "addSite", "source"] as const;

/** The operator and the links to reach them, as items of a list. Empty without the option `about`. */
export function PeopleItems({ address, language }: PageProps): Html {
  const words = PEOPLE_WORDS[language];
  const { people } = address;
  return (
    <>
      {people.operator !== undefined && (
        <li>
          {words.operator} {people.operator}
        </li>
      )}
      {LINKS.filter((link) => link !== "addSite" || !address.isSelfService).map((link) => {
        const url = people[link];
        return url !== undefined && <LinkItem href={url}>{words[link]}</LinkItem>;
      })}
    </>
  );
}
