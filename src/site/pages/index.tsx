import type { Color } from "../../model/verdict.ts";
import { type Html, renderPage } from "../html.ts";
import type { Language } from "../words/language.ts";
import type { ServiceView, SiteView } from "../view.ts";
import { nameCategory } from "../words/category.ts";
import { describeProblems, INDEX_WORDS, TOTAL_WORDS } from "../words/index-page.ts";
import { pluralOf } from "../words/plural.ts";
import { scriptWords } from "../words/script.ts";
import { FRAME_WORDS } from "../words/frame.ts";
import { urlOf } from "./links.ts";
import { Changes } from "./changes.tsx";
import { Filters } from "./filters.tsx";
import type { Assets } from "./head.tsx";
import { LastChecked, Layout } from "./layout.tsx";
import { Light } from "./status-light.tsx";
import { Group } from "./rows.tsx";
import { ConnectivityNote } from "./connectivity-note.tsx";

interface IndexProps {
  readonly view: SiteView;
  readonly language: Language;
}

/** The page of all services: outages first, then all others by category. */
export function renderIndex(view: SiteView, language: Language, assets: Assets): string {
  const words = INDEX_WORDS[language];
  return renderPage(
    <Layout
      address={view.address}
      language={language}
      path="/"
      page="index"
      title={words.title}
      description={words.description}
      image="/card.png"
      assets={assets}
      words={scriptWords(language)}
      feed={urlOf(view.address, language, "/feed.atom")}
      beforeMain={<Filters categories={view.categories} language={language} />}
    >
      <Summary view={view} language={language} />
      <Groups view={view} language={language} />
      <p class="nothing">{words.nothing}</p>
      <Changes view={view} language={language} />
    </Layout>,
  );
}

/** Worst first. */
const COLORS: readonly Color[] = ["bad", "warn", "ok", "none"];

function Summary({ view, language }: IndexProps): Html {
  const words = INDEX_WORDS[language];
  const { services } = view;
  const count = (color: Color): number =>
    services.filter(({ verdict }) => verdict.color === color).length;
  return (
    <div class="summary">
      <h1>{headingOf(services, language)}</h1>
      <ul class="totals" aria-label={words.totals}>
        {COLORS.filter((color) => count(color) > 0).map((color) => (
          <li data-light={color}>
            <Light />
            <b>{count(color)}</b> {pluralOf(count(color), TOTAL_WORDS[language][color], language)}
          </li>
        ))}
      </ul>
      <p class="when">
        {FRAME_WORDS[language].lastCheck} <LastChecked address={view.address} language={language} />
      </p>
      <ConnectivityNote view={view} language={language} />
    </div>
  );
}

function headingOf(services: readonly ServiceView[], language: Language): string {
  const words = INDEX_WORDS[language];
  const live = services.filter(({ verdict }) => verdict.live).length;
  if (live > 0) return describeProblems(live, language);
  return services.every(({ verdict }) => verdict.color === "none") ? words.noData : words.calm;
}

/** Every service is in exactly one group. */
function Groups({ view, language }: IndexProps): Html {
  const { services, categories } = view;
  const words = INDEX_WORDS[language];
  const rest = services.filter((service) => !isNow(service) && !isLasting(service));
  const shared = { view, language };
  return (
    <>
      <Group {...shared} kind="now" title={words.now} services={services.filter(isNow)} />
      <Group
        {...shared}
        kind="lasting"
        title={words.lasting}
        hint={words.lastingHint}
        services={services.filter(isLasting)}
      />
      <div class="groups">
        {categories.map((category, place) => (
          <Group
            {...shared}
            kind={`k${place}`}
            title={nameCategory(category, language)}
            services={sortByColor(rest.filter((service) => service.category.id === category.id))}
          />
        ))}
      </div>
    </>
  );
}

function isNow({ verdict }: ServiceView): boolean {
  return verdict.live;
}

function isLasting({ verdict }: ServiceView): boolean {
  return !verdict.live && verdict.color === "bad";
}

/** Problems first, services without data last, otherwise in catalogue order. */
function sortByColor(services: readonly ServiceView[]): readonly ServiceView[] {
  return COLORS.flatMap((color) => services.filter(({ verdict }) => verdict.color === color));
}
