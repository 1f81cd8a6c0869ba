import { type Html, renderPage } from "../html.ts";
import { type Language, LANGUAGES } from "../language.ts";
import type { SiteAddress } from "../view.ts";
import { MISSING_WORDS } from "../words/missing.ts";
import { pathOf } from "./address.ts";
import type { Assets } from "./head.tsx";
import { Layout } from "./layout.tsx";

/** The answer to a path that leads nowhere. Nobody knows in which language it was asked for, so it speaks both. */
export function renderMissing(address: SiteAddress, assets: Assets): string {
  return renderPage(
    <Layout
      address={address}
      language="ru"
      path="/404"
      page="static"
      title={LANGUAGES.map((language) => MISSING_WORDS[language].title).join(" · ")}
      description={MISSING_WORDS.ru.text}
      assets={assets}
      isPlaceless
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
  const { title, text, link } = MISSING_WORDS[language];
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
