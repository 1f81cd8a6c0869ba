import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import type { FrameProps } from "../parts/head.tsx";
import {
  RequestOutcome,
  Copied,
  OwnerCard,
  FieldOfOwner,
  OwnerLink,
  OwnerProof,
  PublicField,
  renderOwnerPage,
} from "./parts.tsx";
import type { Html } from "../../html.ts";
import type { LanguageProps } from "../parts/elements.tsx";
import { OWNER_FIELD_NAMES } from "../../words/owner-fields.ts";
import { fileOf, urlOf } from "../parts/links.ts";

/** The page on which an owner adds a site and proves control of it. */
export function renderOwnerNew(frame: FrameProps): string {
  const { language } = frame;
  const words = OWNER_PAGE_WORDS[language];
  return renderOwnerPage({
    ...frame,
    page: "new",
    path: "/monitor/new",
    title: words.newTitle,
    children: [
      <p class="lead">{words.newIntro}</p>,
      <form class="card" id="add" novalidate>
        <FieldOfOwner name="url" language={language} placeholder="https://shop.example.ru/" />
        <FieldOfOwner name="name" language={language} />
        <PublicField language={language} />
        <p class="send">
          <button type="submit">{words.add}</button>
          <RequestOutcome />
        </p>
      </form>,
      <OwnerProof language={language} />,
      <OwnerCard id="done" title={words.done} isFocused>
        <p>{words.doneHint}</p>
        <p>
          <a id="to-manage" href={"#"}>
            {words.manage}
          </a>
        </p>
      </OwnerCard>,
      <OwnerLink language={language} />,
    ],
  });
}

/** The page on which an owner manages a monitor. Everything about it comes through the script: the page is the same for all. */
export function renderOwnerManage(frame: FrameProps): string {
  const { address, language } = frame;
  return renderOwnerPage({
    ...frame,
    page: "manage",
    path: "/monitor/",
    title: OWNER_PAGE_WORDS[language].manageTitle,
    data: {
      "data-page": urlOf(address, language, "/m/"),
      "data-badge": `${address.origin}${address.root}/api/m/`,
      "data-worker": fileOf(address, "/push.js"),
    },
    children: [
      <Enter language={language} />,
      <State language={language} />,
      <OwnerProof language={language} />,
      <Badges language={language} />,
      <OwnerAlerts language={language} />,
      <Settings language={language} />,
      <OwnerLink language={language} />,
      <Removal language={language} />,
    ],
  });
}

function Enter({ language }: LanguageProps): Html {
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
        <RequestOutcome />
      </p>
      <p class="hint">{words.lostHint}</p>
    </form>
  );
}

function State({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <OwnerCard id="state" isFocused>
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
        <RequestOutcome />
      </p>
    </OwnerCard>
  );
}

function Badges({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <OwnerCard id="badges" title={words.badge}>
      <p>
        <a id="public-page" href={"#"}>
          {words.page}
        </a>
      </p>
      {["HTML", "Markdown", "BBCode"].map((form) => (
        <>
          <h3>{form}</h3>
          <Copied id={`badge-${form.toLowerCase()}`} language={language} />
        </>
      ))}
    </OwnerCard>
  );
}

function Settings({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <form class="card" id="edit" novalidate hidden>
      <h2>{words.settings}</h2>
      <PublicField language={language} />
      {OWNER_FIELD_NAMES.map((name) => (
        <FieldOfOwner name={name} language={language} />
      ))}
      <p class="send">
        <button type="submit">{words.save}</button>
        <RequestOutcome />
      </p>
    </form>
  );
}

function Removal({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <OwnerCard id="removal" title={words.remove}>
      <p class="hint">{words.removeHint}</p>
      <p class="send">
        <button type="button" class="danger" id="remove">
          {words.remove}
        </button>
        <a class="plain" id="data" href={"#"} download="monitor.json">
          {words.data}
        </a>
        <RequestOutcome />
      </p>
    </OwnerCard>
  );
}

/** Where an owner is told of failures. The script shows it where a notifier runs. */
function OwnerAlerts({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <OwnerCard id="alerts" title={words.alerts} isFocused>
      <p class="hint">{words.alertsHint}</p>
      <ul id="channels" hidden></ul>
      <div id="secret" hidden>
        <p>{words.webhookSecret}</p>
        <Copied id="webhook-secret" language={language} />
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
    </OwnerCard>
  );
}
