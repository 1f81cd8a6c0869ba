import { COLOR_OF } from "../../../contract/codes/verdict.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import type { SiteView } from "../../view.ts";
import { INDEX_WORDS } from "../../words/pages/index-page.ts";
import { VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";
import { pathOf } from "./links.ts";
import { LabelledLight, Moment } from "./status-light.tsx";
import { nameService } from "../../words/service-name.ts";

interface ChangesProps {
  readonly view: SiteView;
  readonly language: Language;
}

/** The feed has more. */
const MAX_SHOWN = 10;

/** The last changes of verdicts, newest first; nothing if there are none. */
export function Changes({ view, language }: ChangesProps): Html {
  const words = INDEX_WORDS[language];
  const labels = VERDICT_LABELS[language];
  const changes = view.changes.slice(0, MAX_SHOWN);
  if (changes.length === 0) return <></>;
  return (
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">{words.changes}</h2>
      <ol>
        {changes.map(({ slug, atMs, code, before, ...names }) => (
          <li>
            <span class="when">
              <Moment atMs={atMs} language={language} address={view.address} />
            </span>
            <a href={pathOf(view.address, language, `/status/${slug}`)}>
              {nameService(names, language)}
            </a>
            <span class="turn">
              <LabelledLight color={COLOR_OF[code]}>{labels[code]}</LabelledLight>{" "}
              <span class="hint">
                {words.was}: {labels[before]}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
