import { type Html, renderPage } from "../html.ts";
import { type Language, LANGUAGES } from "../words/language.ts";
import type { SiteAddress } from "../view.ts";
import { NOT_FOUND_WORDS } from "../words/pages/not-found.ts";
import { pathOf } from "./parts/links.ts";
import type { Assets } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";

/** The page for unknown paths. The language of the visitor is unknown, so it has both. */
export function renderNotFound(address: SiteAddress, assets: Assets): string {
  return renderPage(
    <Layout
      address={address}
      language="ru"
      path="/404"
      page="static"
      title={LANGUAGES.map((language) => NOT_FOUND_WORDS[language].title).join(" · ")}
      description={NOT_FOUND_WORDS.ru.text}
      assets={assets}
      isNotFound
    >
      <article class="prose missing">
        {LANGUAGES.map((language) => (
          <InLanguage address={address} language={language} />
        ))}
      </article>
    </Layout>,
  );
}

interface InLanguageProps {
  readonly address: SiteAddress;
  readonly language: Language;
}

function InLanguage({ address, language }: InLanguageProps): Html {
  const { title, text, link } = NOT_FOUND_WORDS[language];
  return (
    <section lang={language}>
      {language === "ru" ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      <p>
        <a href={pathOf(address, language, "/")} hreflang={language}>
          {link}
        </a>
      </p>
    </section>
  );
}
