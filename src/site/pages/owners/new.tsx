import { type Html, renderPage } from "../../html.ts";
import type { SiteAddress } from "../../view.ts";
import type { Language } from "../../words/language.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import { ownerScriptWords } from "../../words/pages/owner-script.ts";
import { scriptWords } from "../../words/pages/script.ts";
import type { Assets } from "../parts/head.tsx";
import { Layout } from "../parts/layout.tsx";
import { pathOf } from "../parts/links.ts";
import { ownerApiOf, OwnerCurl, OwnerField, OwnerLink, OwnerProof, PublicField } from "./parts.tsx";

/** The page on which an owner adds a site and proves control of it. */
export function renderOwnerNew(address: SiteAddress, language: Language, assets: Assets): string {
  const words = OWNER_PAGE_WORDS[language];
  return renderPage(
    <Layout
      address={address}
      language={language}
      path="/monitor/new"
      page="static"
      title={words.newTitle}
      description={words.description}
      assets={assets}
      words={scriptWords(language)}
      isForOwners
    >
      <div
        id="owner"
        data-owner="new"
        data-api={ownerApiOf(address)}
        data-manage={pathOf(address, language, "/monitor/")}
        data-words={JSON.stringify(ownerScriptWords(language))}
      >
        <h1>{words.newTitle}</h1>
        <p class="lead">{words.newIntro}</p>
        <form class="card" id="add" novalidate>
          <OwnerField
            name="url"
            language={language}
            isRequired
            placeholder="https://shop.example.ru/"
          />
          <OwnerField name="name" language={language} />
          <PublicField language={language} />
          <p class="send">
            <button type="submit">{words.add}</button>
            <span class="answer" role="status"></span>
          </p>
        </form>
        <OwnerProof language={language} />
        <Done language={language} />
        <OwnerLink language={language} />
        <OwnerCurl address={address} language={language} />
      </div>
    </Layout>,
  );
}

function Done({ language }: { readonly language: Language }): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="done" aria-labelledby="done-title" hidden>
      <h2 id="done-title" tabindex={-1}>
        {words.done}
      </h2>
      <p>{words.doneHint}</p>
      <p>
        <a id="to-manage" href={"#"}>
          {words.manage}
        </a>
      </p>
    </section>
  );
}
