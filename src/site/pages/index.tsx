import { type Html, renderPage } from "../html.ts";
import {
  COLOR_OF_SITUATION,
  countSituations,
  isUnchecked,
  overallSituation,
  situationOf,
  SITUATIONS,
  sortBySeverity,
} from "../situation.ts";
import type { SiteView } from "../view.ts";
import { nameCategory, nameService } from "../words/catalogue.ts";
import { cardKey, listCardId } from "../pictures.ts";
import { describeSituation, INDEX_WORDS, SITUATION_WORDS } from "../words/pages/index-page.ts";
import { pluralOf } from "../words/numbers.ts";
import { FRAME_WORDS } from "../words/pages/frame.ts";
import { pathOf, urlOf } from "./parts/links.ts";
import { Filters, Group } from "./parts/list.tsx";
import type { FrameProps } from "./parts/head.tsx";
import {
  ConnectivityNotes,
  LastChecked,
  Light,
  Moment,
  type ViewProps,
} from "./parts/elements.tsx";
import { Layout } from "./parts/layout.tsx";
import { COLOR_OF } from "../../contract/codes/verdict.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";

/** The page of all services: what happens now, what lasts, and then all of them by category. */
export function renderIndex(frame: FrameProps, view: SiteView): string {
  const { address, language } = frame;
  const props = { address, language, view };
  const words = INDEX_WORDS[language];
  return renderPage(
    <Layout
      {...frame}
      path="/"
      page="index"
      title={words.title}
      description={words.description}
      image={`/${cardKey(listCardId(overallSituation(view.services)))}`}
      hasWords
      isUnchecked={isUnchecked(view)}
      feed={urlOf(address, language, "/feed.atom")}
      beforeMain={<Filters {...props} />}
    >
      <Summary {...props} />
      <Groups {...props} />
      <p class="no-services">{words.nothing}</p>
      <Changes {...props} />
    </Layout>,
  );
}

function Summary(props: ViewProps): Html {
  const { view, language } = props;
  const count = countSituations(view.services);
  return (
    <div class="summary">
      <h1>{describeSituation(view.services, language)}</h1>
      <ul class="totals" aria-label={INDEX_WORDS[language].totals}>
        {SITUATIONS.filter((situation) => count(situation) > 0).map((situation) => (
          <li data-situation={situation} data-light={COLOR_OF_SITUATION[situation]}>
            <Light />
            <b>{count(situation)}</b>{" "}
            {pluralOf(count(situation), SITUATION_WORDS[language][situation], language)}
          </li>
        ))}
      </ul>
      <p class="when">
        {FRAME_WORDS[language].lastCheck} <LastChecked {...props} />
      </p>
      <ConnectivityNotes {...props} />
    </div>
  );
}

/** Problems are in a group of their situation, and every service is in its category. */
function Groups(props: ViewProps): Html {
  const { view, language } = props;
  const words = INDEX_WORDS[language];
  const services = sortBySeverity(view.services);
  const problems = [
    { kind: "outage", title: words.outages, details: "facts and strip" },
    { kind: "warning", title: words.warnings, details: "facts and strip" },
    { kind: "lasting", title: words.lasting, hint: words.lastingHint, details: "facts" },
  ] as const;
  return (
    <>
      <div class="problems">
        {problems.map((group) => (
          <Group
            {...props}
            {...group}
            services={services.filter(({ verdict }) => situationOf(verdict) === group.kind)}
          />
        ))}
      </div>
      <div class="groups">
        {view.categories.map((category, place) => (
          <Group
            {...props}
            kind={`k${place}`}
            title={nameCategory(category, language)}
            services={services.filter((service) => service.category.id === category.id)}
          />
        ))}
      </div>
    </>
  );
}

/** The feed has more. */
const MAX_SHOWN = 10;

/** The last changes of verdicts, newest first; nothing if there are none. */
function Changes({ address, view, language }: ViewProps): Html {
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
              <Moment {...{ atMs, language, address }} />
            </span>
            <a href={pathOf(address, language, `/status/${slug}`)}>
              {nameService(names, language)}
            </a>
            <span class="turn">
              <span class="lit" data-light={COLOR_OF[code]}>
                <Light />
                {labels[code]}
              </span>{" "}
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
