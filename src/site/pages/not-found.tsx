import { inLanguages, LANGUAGES } from "../../contract/codes/language.ts";
import { renderPage } from "../html.ts";
import { SERVICE_WORDS } from "../words/pages/service-page.ts";
import { pathOf } from "./parts/links.ts";
import type { FrameProps } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";

const NOT_FOUND_WORDS = inLanguages({
  title: ["Такой страницы нет", "Page not found"],
  text: [
    "Возможно, в адресе опечатка или монитор больше не открыт для всех.",
    "The address may have a typo, or the monitor is no longer public.",
  ],
});

/** The page for unknown paths. The language of the visitor is unknown, so it has both. */
export function renderNotFound({ address, assets }: Omit<FrameProps, "language">): string {
  return renderPage(
    <Layout
      address={address}
      language="ru"
      path="/404"
      title={LANGUAGES.map((language) => NOT_FOUND_WORDS[language].title).join(" · ")}
      description={NOT_FOUND_WORDS.ru.text}
      assets={assets}
      isNotFound
    >
      <article class="prose missing">
        {LANGUAGES.map((language) => {
          const { title, text } = NOT_FOUND_WORDS[language];
          return (
            <section lang={language}>
              {language === "ru" ? <h1>{title}</h1> : <h2>{title}</h2>}
              <p>{text}</p>
              <p>
                <a href={pathOf(address, language, "/")} hreflang={language}>
                  {SERVICE_WORDS[language].back}
                </a>
              </p>
            </section>
          );
        })}
      </article>
    </Layout>,
  );
}
