import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { ScriptWords } from "../words/script.ts";
import { FRAME_WORDS, otherLanguage } from "../words/ui.ts";
import { fileOf, pathOf } from "./address.ts";
import { Head, type HeadProps } from "./head.tsx";

export interface LayoutProps extends HeadProps {
  readonly page: "index" | "service" | "monitor" | "static";
  /** What the script says, on pages where it has something to do. */
  readonly words?: ScriptWords;
  /** What stands between the header and the main part, and outlives a replacement of that: search and filters. */
  readonly notMain?: Html;
  readonly children: Html | readonly Html[];
}

const SECTIONS = [
  { path: "/", name: "services" },
  { path: "/api", name: "api" },
  { path: "/about", name: "about" },
] as const;

/** A whole page: what every page has, around what one page has. */
export function Layout(props: LayoutProps): Html {
  const { address, language, page, words, notMain, children, ...head } = props;
  const ui = FRAME_WORDS[language];
  return (
    <html lang={language}>
      <Head address={address} language={language} {...head} />
      <body
        data-page={page}
        data-root={address.root}
        data-words={words === undefined ? undefined : JSON.stringify(words)}
      >
        <a class="skip" href="#main">
          {ui.skip}
        </a>
        <Header {...props} />
        {notMain}
        <p id="notice" role="status" hidden></p>
        <main id="main">{children}</main>
        <Footer {...props} />
      </body>
    </html>
  );
}

function Header({ address, language, path, isPlaceless }: LayoutProps): Html {
  const ui = FRAME_WORDS[language];
  const other = otherLanguage(language);
  return (
    <header class="top">
      <a class="brand" href={pathOf(address, language, "/")}>
        <span class="mark" aria-hidden="true"></span>
        {ui.siteName}
      </a>
      <nav aria-label={ui.navigation}>
        {SECTIONS.map((section) => (
          <a
            href={pathOf(address, language, section.path)}
            aria-current={section.path === path ? "page" : undefined}
          >
            {ui[section.name]}
          </a>
        ))}
        <a
          class="language"
          href={pathOf(address, other, isPlaceless === true ? "/" : path)}
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
  return (
    <footer class="bottom">
      <p>
        <strong>{ui.estimate}</strong>
      </p>
      <p>
        {ui.vantage} {ui.lastCheck} <Checked address={address} language={language} />
      </p>
      <p>{ui.linkBack}</p>
      <ul>
        <li>
          <a href={pathOf(address, language, "/feed.atom")}>{ui.feed}</a>
        </li>
        <li>
          <a href={pathOf(address, language, "/api")}>{ui.api}</a>
        </li>
        <li>
          <a href={pathOf(address, language, "/about")}>{ui.about}</a>
        </li>
        <li>{ui.program}</li>
      </ul>
    </footer>
  );
}

interface CheckedProps {
  readonly address: HeadProps["address"];
  readonly language: Language;
}

/** When the last run was: a picture of its own, for it changes with every run and pages do not. */
export function Checked({ address, language }: CheckedProps): Html {
  return (
    <img
      class="checked"
      src={fileOf(address, "/checked.svg")}
      alt={FRAME_WORDS[language].checked}
      width="190"
      height="20"
    />
  );
}
