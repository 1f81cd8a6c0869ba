import type { Color } from "../../model/verdict.ts";
import { type Html, renderPage } from "../html.ts";
import type { Language } from "../language.ts";
import type { ServiceView, SiteView } from "../view.ts";
import { nameCategory } from "../words/category.ts";
import { describeTrouble, INDEX_WORDS, TOTAL_WORDS } from "../words/index-page.ts";
import { pluralOf } from "../words/plural.ts";
import { scriptWords } from "../words/script.ts";
import { FRAME_WORDS } from "../words/ui.ts";
import { Changes } from "./changes.tsx";
import { Filters } from "./filters.tsx";
import type { Assets } from "./head.tsx";
import { Checked, Layout } from "./layout.tsx";
import { Light } from "./light.tsx";
import { Group } from "./rows.tsx";
import { WayNote } from "./way.tsx";

interface IndexProps {
  readonly view: SiteView;
  readonly language: Language;
}

/** The page of all services: what is broken first, then everything else by category. */
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
      feed="/feed.atom"
      notMain={<Filters categories={view.categories} language={language} />}
    >
      <Summary view={view} language={language} />
      <Groups view={view} language={language} />
      <p class="nothing">{words.nothing}</p>
      <Changes view={view} language={language} />
    </Layout>,
  );
}

/** The worst first. */
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
        {FRAME_WORDS[language].lastCheck} <Checked address={view.address} language={language} />
      </p>
      <WayNote view={view} language={language} />
    </div>
  );
}

function headingOf(services: readonly ServiceView[], language: Language): string {
  const words = INDEX_WORDS[language];
  const live = services.filter(({ verdict }) => verdict.live).length;
  if (live > 0) return describeTrouble(live, language);
  return services.every(({ verdict }) => verdict.color === "none") ? words.noData : words.calm;
}

/** Every service stands in exactly one group. */
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
            services={byTrouble(rest.filter((service) => service.category.id === category.id))}
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

/** In catalogue order, but what has problems first and what nobody knows last. */
function byTrouble(services: readonly ServiceView[]): readonly ServiceView[] {
  return COLORS.flatMap((color) => services.filter(({ verdict }) => verdict.color === color));
}
