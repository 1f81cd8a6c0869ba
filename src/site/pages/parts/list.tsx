import { Age, Chip, Light, Live, Moment, type PageProps, type ViewProps } from "./elements.tsx";
import type { Html } from "../../html.ts";
import { nameCategory, nameService } from "../../words/catalogue.ts";
import { INDEX_WORDS } from "../../words/pages/index-page.ts";
import type { Scope } from "../../../model/service/interference.ts";
import type { ServiceView } from "../../view.ts";
import { kindsOf, reportsPhrase } from "../../words/chart.ts";
import { SCOPE_MARKS } from "../../words/scope.ts";
import { situationOf } from "../../situation.ts";
import { composeAnswer } from "../../answer.ts";
import { VERDICTS } from "../../../contract/codes/verdict.ts";
import { VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";
import { StripLine } from "../../charts/strip.tsx";
import { pathOf } from "./links.ts";

/** The style sheet has rules for this many. */
export const MAX_CATEGORIES = 16;

/** What a list can be filtered by. */
export interface Tag {
  readonly id: string;
  readonly label: string;
}

interface CategoryChipsProps {
  readonly title: string;
  /** Label of the choice of everything. */
  readonly all: string;
  /** At most `MAX_CATEGORIES`. */
  readonly tags: readonly Tag[];
}

/** Works without a script: the style sheet hides what does not have the chosen tag. */
export function CategoryChips({ title, all, tags }: CategoryChipsProps): Html {
  return (
    <fieldset class="chips categories">
      <legend>{title}</legend>
      {[{ id: "", label: all }, ...tags].map(({ id, label }, at) => (
        <Chip
          name="category"
          id={`category-${at === 0 ? "all" : at - 1}`}
          value={id}
          isChecked={at === 0}
        >
          {label}
        </Chip>
      ))}
    </fieldset>
  );
}

/** Search and filters. The style sheet does the filtering; only the search needs a script, which shows it. */
export function Filters({ address, view: { categories }, language }: ViewProps): Html {
  const words = INDEX_WORDS[language];
  const tags = categories
    .slice(0, MAX_CATEGORIES)
    .map((category) => ({ id: category.id, label: nameCategory(category, language) }));
  return (
    <section class="filters" aria-label={words.filters}>
      <search hidden aria-label={words.searchLabel}>
        <input
          type="search"
          id="search"
          aria-label={words.searchLabel}
          placeholder={words.searchHint}
          data-others={NOT_COVERED}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
        />
        <p id="found" role="status"></p>
      </search>
      <fieldset class="chips states">
        <legend>{words.byState}</legend>
        {Object.entries(words.states).map(([state, label]) => (
          <Chip name="state" id={`state-${state}`} value={state} isChecked={state === "all"}>
            {label}
          </Chip>
        ))}
      </fieldset>
      <CategoryChips title={words.byCategory} all={words.allCategories} tags={tags} />
      <Hits address={address} language={language} />
    </section>
  );
}

/** What the search has found, in place of the list. */
function Hits({ address, language }: PageProps): Html {
  const words = INDEX_WORDS[language];
  const { contact } = address.people;
  return (
    <div id="hits" hidden>
      <p class="hint" hidden></p>
      {contact !== undefined && (
        <p id="ask" hidden>
          <a href={contact}>{words.ask}</a>
        </p>
      )}
      <ul class="rows"></ul>
      <p>
        <button type="button" id="all" class="plain">
          {words.showAll}
        </button>
      </p>
    </div>
  );
}

/**
 * Well-known names that the shipped catalogue does not have, so that the search says so and offers no service that sounds alike. Written
 * from what is popular in Russia in 2026; a name that the catalogue gets has to go, which a test finds. Separated by `|`.
 */
export const NOT_COVERED: string =
  "amazon|амазон|tinder|тиндер|badoo|баду|mamba|мамба|hh|headhunter|хедхантер|хх ру|superjob|суперджоб|" +
  "работа ру|почта банк|мтс банк|озон банк|ozon bank|яндекс банк|вайлдберриз банк|росбанк|открытие|" +
  "банк открытие|мкб|московский кредитный банк|убрир|русский стандарт|хоум банк|home credit|ренессанс кредит|" +
  "отп банк|уралсиб|юникредит|ситибанк|банк санкт петербург|псб|промсвязьбанк|домрф|дом рф|абсолют банк|" +
  "точка банк|модульбанк|киви|qiwi|юмани|yoomoney|paypal|пейпал|webmoney|вебмани|ebay|ибей|етси|etsy|shein|" +
  "шейн|temu|тему|lamoda|ламода|dns|днс|dns shop|мвидео|м видео|эльдорадо|ситилинк|citilink|леруа мерлен|" +
  "лемана про|икея|ikea|пятерочка|магнит|лента|ашан|перекресток|вкусвилл|дикси|метро|детский мир|спортмастер|" +
  "золотое яблоко|летуаль|юла|youla|циан|cian|домклик|авто ру|auto ru|дром|drom|booking|букинг|airbnb|" +
  "эйрбиэнби|островок|ostrovok|авиасейлс|aviasales|туту|tutu|аэрофлот|aeroflot|победа|s7|uber|убер|" +
  "яндекс такси|яндекс го|яндекс карты|ситимобил|максим такси|индрайв|indrive|блаблакар|blablacar|" +
  "делимобиль|2гис|2gis|pinterest|пинтерест|reddit|реддит|tumblr|snapchat|снапчат|wechat|вичат|line|лайн|imo|" +
  "имо|zangi|занги|bip|icq|аська|qip|bluesky|блюскай|mastodon|мастодон|truth social|livejournal|живой журнал|" +
  "пикабу|pikabu|хабр|habr|vc ru|двач|2ch|4pda|википедия|wikipedia|дзен|dzen|рамблер|rambler|bing maps|yahoo|" +
  "яху|duckduckgo|notion|ноушен|figma|фигма|trello|трелло|miro|миро|canva|канва|github|гитхаб|gitlab|гитлаб|" +
  "slack|слак|jira|adobe|адоб|photoshop|autodesk|битрикс24|bitrix24|amocrm|амосрм|tilda|тильда|wordpress|wix|" +
  "cloudflare|клаудфлер|tor|тор|нордвпн|nordvpn|okko|окко|иви|ivi|start|старт|premier|премьер|kion|кион|wink|" +
  "винк|амедиатека|more tv|hbo|disney|дисней плюс|apple music|эпл мьюзик|apple tv|deezer|soundcloud|саундклауд|" +
  "звук|vk музыка|вк музыка|shazam|шазам|литрес|litres|букмейт|dota|дота|dota 2|дота 2|counter strike|" +
  "контр страйк|cs2|кс го|кс2|valorant|валорант|league of legends|лига легенд|genshin impact|геншин|" +
  "геншин импакт|варзон|warzone|call of duty|fifa|фифа|ea|origin|ubisoft|юбисофт|battle net|батлнет|blizzard|" +
  "близзард|xbox|иксбокс|nintendo|нинтендо|танчики онлайн|warface|варфейс|standoff|стандофф|clash royale|" +
  "brawl stars|бравл старс|gta|гта|gta 5|сбермобайл|тинькофф мобайл|мотив|ттк|мгтс|netbynet|уфанет|starlink|" +
  "старлинк|есим|пфр|сфр|социальный фонд|росгосстрах|фссп|мвд|гас выборы|электронный дневник|дневник ру|учи ру|" +
  "сферум|sferum|skillbox|скиллбокс|stepik|duolingo|дуолинго|coursera|1xbet|фонбет|винлайн|стрипчат|onlyfans|" +
  "онлифанс|pornhub|порнхаб|boosty|бусти|patreon|патреон|телетайп|rustore|рустор|google play|гугл плей|" +
  "app gallery|huawei|хуавей|xiaomi|сяоми|samsung|самсунг";

interface GroupProps extends ViewProps {
  /** CSS class: a situation, or `k3` for the fourth category, by which the style sheet filters. */
  readonly kind: string;
  readonly title: string;
  readonly hint?: string;
  /** What a row adds: since when and how many reports, or also what the last day was like. */
  readonly details?: "facts" | "facts and strip";
  readonly services: readonly ServiceView[];
}

/** Services under a heading; nothing if there are none. */
export function Group(props: GroupProps): Html {
  const { kind, title, hint, details, services, language } = props;
  if (services.length === 0) return <></>;
  const above = details === undefined ? services.filter(isAbove).length : 0;
  return (
    <section class={`group ${kind}`} aria-labelledby={`group-${kind}`}>
      <h2 id={`group-${kind}`}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ul class="rows">
        {services.map((service) => (
          <Row {...props} service={service} />
        ))}
      </ul>
      {above > 0 && <p class="hint rest">{INDEX_WORDS[language].above(above)}</p>}
    </section>
  );
}

function isAbove({ verdict }: ServiceView): boolean {
  const situation = situationOf(verdict);
  return situation !== "ok" && situation !== "none";
}

interface RowProps extends ViewProps, Pick<GroupProps, "details"> {
  readonly service: ServiceView;
}

function Row(props: RowProps): Html {
  const { address, view, language, service, details } = props;
  const isRepeated = details === undefined && isAbove(service);
  const { slug, verdict, category } = service;
  const { code, color, live } = verdict;
  const place = view.categories.findIndex(({ id }) => id === category.id);
  return (
    <li
      class={`row k${place}${isRepeated ? " above" : ""}`}
      data-slug={slug}
      data-code={code}
      data-color={color}
      data-live={String(live)}
      data-category={category.id}
      data-search={searchOf(service)}
    >
      <a href={pathOf(address, language, `/status/${slug}`)}>
        <Light />
        <span class="name">{nameService(service, language)}</span>{" "}
        <span class="state">
          <span class="label">{VERDICT_LABELS[language][code]}</span>{" "}
          <Live isLive={live} language={language} />
        </span>
        {details !== undefined && <Facts {...props} />}
        {details === "facts and strip" && <StripLine cells={kindsOf(service.halfHours)} />}
      </a>
    </li>
  );
}

function Facts({ address, language, service }: RowProps): Html {
  const { verdict, reports } = service;
  const { code, sinceMs } = verdict;
  const { scope } = service.scope;
  // A verdict with a cause of its own has no sentence about other places, and so no mark.
  const marks: Readonly<Partial<Record<Scope, string>>> = SCOPE_MARKS[language];
  const mark = composeAnswer(service).elsewhere === undefined ? undefined : marks[scope];
  return (
    <>
      {" "}
      <span class="facts-line">
        {sinceMs !== null && VERDICTS[code].hasStart && (
          <span class="dated">
            {INDEX_WORDS[language].since} <Moment {...{ address, language }} atMs={sinceMs} />
            <Age />
          </span>
        )}{" "}
        {mark !== undefined && <span class="tag">{mark}</span>}{" "}
        {reports.hour > 0 && (
          <span>
            {reportsPhrase(reports.hour, language)} {INDEX_WORDS[language].inHour}
          </span>
        )}
      </span>
    </>
  );
}

/** The names that the search knows, for `browser/search.ts`. */
function searchOf({ name, nameEn, slug, aliases }: ServiceView): string {
  const names = [name, nameEn, slug, ...aliases].filter((one) => one !== undefined);
  return [...new Set(names.map((one) => one.toLowerCase().replaceAll("|", " ")))].join("|");
}
