import { COLOR_OF } from "../../model/verdict.ts";
import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { SiteView } from "../view.ts";
import { INDEX_WORDS } from "../words/index-page.ts";
import { VERDICT_LABELS } from "../words/verdict.ts";
import { pathOf } from "./address.ts";
import { Lit, Moment, Zone } from "./light.tsx";

interface ChangesProps {
  readonly view: SiteView;
  readonly language: Language;
}

/** As many as one looks through; the feed has more. */
const SHOWN = 10;

/** The last changes of verdicts, the newest first; nothing at all while there was none. */
export function Changes({ view, language }: ChangesProps): Html {
  const words = INDEX_WORDS[language];
  const labels = VERDICT_LABELS[language];
  const changes = view.changes.slice(0, SHOWN);
  if (changes.length === 0) return <></>;
  return (
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">{words.changes}</h2>
      <ol>
        {changes.map(({ slug, name, atMs, code, before }) => (
          <li>
            <span class="when">
              <Moment atMs={atMs} language={language} />
              <Zone language={language} />
            </span>
            <a href={pathOf(view.address, language, `/status/${slug}`)}>{name}</a>
            <span class="turn">
              <Lit color={COLOR_OF[code]}>{labels[code]}</Lit>{" "}
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
