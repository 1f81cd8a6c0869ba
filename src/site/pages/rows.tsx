import type { Html } from "../html.ts";
import type { Language } from "../words/language.ts";
import type { ServiceView, SiteView } from "../view.ts";
import { CODES_WITH_START, INDEX_WORDS } from "../words/index-page.ts";
import { VERDICT_LABELS } from "../words/verdict.ts";
import { pathOf } from "./links.ts";
import { Light, Live, Moment } from "./status-light.tsx";
import { nameService } from "../words/service-name.ts";

interface GroupProps {
  readonly view: SiteView;
  readonly language: Language;
  /** CSS class: `now`, `lasting`, or `k3` for the fourth category, by which the style sheet filters. */
  readonly kind: string;
  readonly title: string;
  readonly hint?: string;
  readonly services: readonly ServiceView[];
}

/** Services under a heading; nothing if there are none. */
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
  const { slug, verdict, category } = service;
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
        <span class="name">{nameService(service, language)}</span>{" "}
        <span class="state">
          <span class="label">{VERDICT_LABELS[language][code]}</span>{" "}
          <Live isLive={live}>{words.live}</Live>
          {isDated && sinceMs !== null && CODES_WITH_START.has(code) && (
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

/** The names that the search knows, for `browser/search.ts`. */
function searchOf({ name, nameEn, slug, aliases }: ServiceView): string {
  const names = [name, nameEn, slug, ...aliases].filter((one) => one !== undefined);
  return [...new Set(names.map((one) => one.toLowerCase().replaceAll("|", " ")))].join("|");
}
