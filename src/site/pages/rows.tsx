import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { ServiceView, SiteView } from "../view.ts";
import { DATED, INDEX_WORDS } from "../words/index-page.ts";
import { transliterate } from "../words/transliterate.ts";
import { VERDICT_LABELS } from "../words/verdict.ts";
import { pathOf } from "./address.ts";
import { Light, Live, Moment } from "./light.tsx";

interface GroupProps {
  readonly view: SiteView;
  readonly language: Language;
  /** `now`, `lasting`, or `k3` for the category in fourth place, by which the style sheet filters. */
  readonly kind: string;
  readonly title: string;
  readonly hint?: string;
  readonly services: readonly ServiceView[];
}

/** Some services under a heading; nothing at all when there are none. */
export function Group({ view, language, kind, title, hint, services }: GroupProps): Html {
  if (services.length === 0) return <></>;
  return (
    <section class={`group ${kind}`} aria-labelledby={`group-${kind}`}>
      <h2 id={`group-${kind}`}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ul class="rows">
        {services.map((service) => (
          <Row view={view} language={language} service={service} isDated={kind === "now"} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly view: SiteView;
  readonly language: Language;
  readonly service: ServiceView;
  readonly isDated: boolean;
}

function Row({ view, language, service, isDated }: RowProps): Html {
  const { slug, name, verdict, category } = service;
  const { code, color, live, sinceMs } = verdict;
  const place = view.categories.findIndex(({ id }) => id === category.id);
  const words = INDEX_WORDS[language];
  return (
    <li
      class={`row k${place}`}
      data-slug={slug}
      data-code={code}
      data-color={color}
      data-live={String(live)}
      data-category={category.id}
      data-search={searchOf(service)}
    >
      <a href={pathOf(view.address, language, `/status/${slug}`)}>
        <Light />
        <span class="name">{name}</span>{" "}
        <span class="state">
          <span class="label">{VERDICT_LABELS[language][code]}</span>{" "}
          <Live isLive={live}>{words.live}</Live>
          {isDated && sinceMs !== null && DATED.has(code) && (
            <span class="dated">
              {" "}
              {words.since} <Moment atMs={sinceMs} language={language} />
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

/** What a search looks at: the name as it is and in Latin letters, and the slug. */
function searchOf({ name, slug }: ServiceView): string {
  const text = name.toLowerCase();
  return [...new Set([text, transliterate(text), slug])].join(" ");
}
