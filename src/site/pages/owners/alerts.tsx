import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import { Copied } from "./proof.tsx";

interface OwnerAlertsProps {
  readonly language: Language;
}

/** Where an owner is told of failures. The script shows it where a notifier runs. */
export function OwnerAlerts({ language }: OwnerAlertsProps): Html {
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
