import type { Html } from "../../html.ts";
import { BADGE_FORMS, MONITOR_WORDS } from "../../words/pages/monitor-page.ts";
import { fileOf, urlOf } from "./links.ts";
import { Card } from "./card.tsx";
import { Chip } from "./filters.tsx";
import { badgeBbCode, badgeHtml, badgeMarkdown } from "../examples.ts";
import type { MonitorProps } from "./page-props.ts";

/** The badge in each of its forms, which the script switches, and the snippets that embed it. */
export function Badge({ address, monitor, language }: MonitorProps): Html {
  const words = MONITOR_WORDS[language];
  const path = fileOf(address, `/api/m/${monitor.id}/badge.svg`);
  const link = {
    badge: address.origin + path,
    page: urlOf(address, language, `/m/${monitor.id}`),
    alternative: words.badgeAlt,
  };
  return (
    <Card id="badge" title={words.badge} hint={words.badgeHint}>
      <fieldset class="chips forms" hidden>
        <legend>{words.badgeForm}</legend>
        {BADGE_FORMS.map((form) => (
          <Chip name="badge" id={`badge-${form}`} value={form} isChecked={form === BADGE_FORMS[0]}>
            {words.badgeForms[form]}
          </Chip>
        ))}
      </fieldset>
      <p class="badge">
        <img src={path} alt={words.badgeAlt} height="20" />
      </p>
      <Snippet name="HTML" copy={words.copy}>
        {badgeHtml(link)}
      </Snippet>
      <Snippet name="Markdown" copy={words.copy}>
        {badgeMarkdown(link)}
      </Snippet>
      <Snippet name="BBCode" copy={words.copy}>
        {badgeBbCode(link)}
      </Snippet>
      <p class="hint">{words.notOurs}</p>
    </Card>
  );
}

interface SnippetProps {
  readonly name: string;
  readonly copy: string;
  readonly children: string;
}

function Snippet({ name, copy, children }: SnippetProps): Html {
  const id = `snippet-${name.toLowerCase()}`;
  return (
    <div class="snippet">
      <label for={id}>{name}</label>
      <button type="button" class="copy" data-copy={id} hidden>
        {copy}
      </button>
      <textarea id={id} readonly rows={3} spellcheck={false}>
        {children}
      </textarea>
    </div>
  );
}
