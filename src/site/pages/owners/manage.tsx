import { type Html, renderPage } from "../../html.ts";
import type { SiteAddress } from "../../view.ts";
import type { Language } from "../../words/language.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import { ownerScriptWords } from "../../words/pages/owner-script.ts";
import { scriptWords } from "../../words/pages/script.ts";
import type { Assets } from "../parts/head.tsx";
import { Layout } from "../parts/layout.tsx";
import { fileOf, pathOf, urlOf } from "../parts/links.ts";
import {
  Copied,
  ownerApiOf,
  OwnerCurl,
  OwnerFields,
  OwnerLink,
  OwnerProof,
  PublicField,
} from "./parts.tsx";

interface Props {
  readonly language: Language;
}

/** The page on which an owner manages a monitor. Everything about it comes through the script: the page is the same for all. */
export function renderOwnerManage(
  address: SiteAddress,
  language: Language,
  assets: Assets,
): string {
  const words = OWNER_PAGE_WORDS[language];
  return renderPage(
    <Layout
      address={address}
      language={language}
      path="/monitor/"
      page="static"
      title={words.manageTitle}
      description={words.description}
      assets={assets}
      words={scriptWords(language)}
      isForOwners
    >
      <div
        id="owner"
        data-owner="manage"
        data-api={ownerApiOf(address)}
        data-manage={pathOf(address, language, "/monitor/")}
        data-page={urlOf(address, language, "/m/")}
        data-badge={`${address.origin}${address.root}/api/m/`}
        data-worker={fileOf(address, "/push.js")}
        data-words={JSON.stringify(ownerScriptWords(language))}
      >
        <h1>{words.manageTitle}</h1>
        <Enter language={language} />
        <State language={language} />
        <OwnerProof language={language} />
        <Badges language={language} />
        <OwnerAlerts language={language} />
        <Settings language={language} />
        <OwnerLink language={language} />
        <Removal language={language} />
        <OwnerCurl address={address} language={language} />
      </div>
    </Layout>,
  );
}

function Enter({ language }: Props): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <form class="card" id="enter" novalidate>
      <h2>{words.enter}</h2>
      <p class="hint">{words.manageIntro}</p>
      <p class="field">
        <label for="which">{words.enterLabel}</label>
        <input id="which" type="text" autocomplete="off" autocapitalize="none" spellcheck={false} />
      </p>
      <p class="send">
        <button type="submit">{words.open}</button>
        <button type="button" class="plain" id="lost">
          {words.lost}
        </button>
        <span class="answer" role="status"></span>
      </p>
      <p class="hint">{words.lostHint}</p>
    </form>
  );
}

function State({ language }: Props): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="state" aria-labelledby="state-title" hidden>
      <h2 id="state-title" tabindex={-1}></h2>
      <p>
        <a id="site" rel="nofollow noopener noreferrer"></a>
      </p>
      <p class="says">
        <span class="light" aria-hidden="true"></span>
        <span class="label" id="status"></span>
      </p>
      <p id="explains"></p>
      <p id="last-check"></p>
      <p class="send">
        <button type="button" id="again">
          {words.proofAgain}
        </button>
        <button type="button" id="restore" hidden>
          {words.restore}
        </button>
        <span class="answer" role="status"></span>
      </p>
    </section>
  );
}

function Badges({ language }: Props): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="badges" aria-labelledby="badges-title" hidden>
      <h2 id="badges-title">{words.badge}</h2>
      <p>
        <a id="public-page" href={"#"}>
          {words.page}
        </a>
      </p>
      {["HTML", "Markdown", "BBCode"].map((form) => (
        <>
          <h3>{form}</h3>
          <Copied id={`badge-${form.toLowerCase()}`} copy={words.copy} />
        </>
      ))}
    </section>
  );
}

function Settings({ language }: Props): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <form class="card" id="edit" novalidate hidden>
      <h2>{words.settings}</h2>
      <PublicField language={language} />
      <OwnerFields language={language} />
      <p class="send">
        <button type="submit">{words.save}</button>
        <span class="answer" role="status"></span>
      </p>
    </form>
  );
}

function Removal({ language }: Props): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="removal" aria-labelledby="removal-title" hidden>
      <h2 id="removal-title">{words.remove}</h2>
      <p class="hint">{words.removeHint}</p>
      <p class="send">
        <button type="button" class="danger" id="remove">
          {words.remove}
        </button>
        <a class="plain" id="data" href={"#"} download="monitor.json">
          {words.data}
        </a>
        <span class="answer" role="status"></span>
      </p>
    </section>
  );
}

interface OwnerAlertsProps {
  readonly language: Language;
}

/** Where an owner is told of failures. The script shows it where a notifier runs. */
function OwnerAlerts({ language }: OwnerAlertsProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="alerts" aria-labelledby="alerts-title" hidden>
      <h2 id="alerts-title" tabindex={-1}>
        {words.alerts}
      </h2>
      <p class="hint">{words.alertsHint}</p>
      <ul id="channels" hidden></ul>
      <div id="secret" hidden>
        <p>{words.webhookSecret}</p>
        <Copied id="webhook-secret" copy={words.copy} />
      </div>
      <p class="answer" role="status"></p>
      <p class="send">
        <button type="button" id="push">
          {words.alertBrowser}
        </button>
      </p>
      <form id="webhook-form" novalidate>
        <p class="field">
          <label for="webhook">{words.webhook}</label>
          <input
            id="webhook"
            type="text"
            inputmode="url"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="https://hooks.example.ru/status"
          />
        </p>
        <p class="send">
          <button type="submit">{words.addWebhook}</button>
        </p>
      </form>
    </section>
  );
}
