import { type Operator, OPERATOR_NAMES, OPERATORS } from "../../contract/codes/operator.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import type { Language } from "../../contract/codes/language.ts";
import { dayPath } from "../../model/service/outage-ids.ts";
import { groupBy } from "../../model/lists.ts";
import { type Html, renderPage } from "../html.ts";
import type { OutageListView, OutagePageView } from "../view.ts";
import { nameCategory, nameService } from "../words/catalogue.ts";
import { OUTAGE_WORDS } from "../words/failure.ts";
import { countOf, describeLength } from "../words/numbers.ts";
import { OUTAGE_PAGE_WORDS, OUTAGE_SCOPE_WORDS } from "../words/pages/outage-page.ts";
import { formatDay, formatTime, toMoscowDay } from "../words/time.ts";
import { Chip, LinkItem, OperatorSource, type PageProps } from "./parts/elements.tsx";
import { Months } from "./parts/history.tsx";
import type { Assets } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";
import { fileOf, fileUrlOf, outageFeedPath, pathOf } from "./parts/links.ts";
import { MAX_CATEGORIES } from "./parts/list.tsx";

interface ListProps extends PageProps {
  readonly list: OutageListView;
  readonly assets: Assets;
}

/** The page with the outages of the last days, the newest first. What began together stands together. */
export function renderOutages({ address, list, language, assets }: ListProps): string {
  const words = OUTAGE_PAGE_WORDS[language];
  const { outages, months, days } = list;
  const tags = tagsOf(list, language);
  return renderPage(
    <Layout
      {...{ address, language, assets }}
      path="/outages"
      title={words.title}
      description={words.description}
      image="/card.png"
      feed={fileUrlOf(address, outageFeedPath)}
    >
      <article class="outage-days">
        <h1>{words.title}</h1>
        <p class="hint">{outages.length === 0 ? words.none : words.intro}</p>
        <Tags tags={tags} language={language} />
        {[...groupBy(outages, ({ toldAtMs }) => toMoscowDay(toldAtMs))].map(([day, told]) => (
          <section class="card day" aria-labelledby={`day-${day}`}>
            <h2 id={`day-${day}`}>
              {days.has(day) ? (
                <a href={pathOf(address, language, dayPath(day))}>{formatDay(day, language)}</a>
              ) : (
                formatDay(day, language)
              )}
            </h2>
            <Events address={address} outages={told} tags={tags} language={language} />
          </section>
        ))}
        <Months months={months} language={language} />
        <ul class="links">
          <LinkItem href={fileOf(address, outageFeedPath)}>{words.feed}</LinkItem>
          <LinkItem href={fileOf(address, "/outages/v1/index.json")}>{words.json}</LinkItem>
        </ul>
      </article>
    </Layout>,
  );
}

interface DayProps extends PageProps {
  /** In Moscow, `YYYY-MM-DD`. */
  readonly day: string;
  readonly outages: readonly OutagePageView[];
  readonly assets: Assets;
}

/** The page of a day that is over. It says nothing that changes after it, but corrections. */
export function renderDay({ address, day, outages, language, assets }: DayProps): string {
  const words = OUTAGE_PAGE_WORDS[language];
  const title = words.dayTitle(formatDay(day, language));
  return renderPage(
    <Layout
      {...{ address, language, assets }}
      path={dayPath(day)}
      title={title}
      description={`${title}. ${words.description}`}
      image="/card.png"
    >
      <article class="outage-days">
        <p class="crumbs">
          <a href={pathOf(address, language, "/outages")}>{words.all}</a>
        </p>
        <h1>{title}</h1>
        <section class="card day">
          <Events address={address} outages={outages} tags={[]} language={language} isDay />
        </section>
        <ul class="links">
          <LinkItem href={fileOf(address, `/outages/v1/${day}.json`)}>{words.dayData}</LinkItem>
        </ul>
      </article>
    </Layout>,
  );
}

/** What outages can be chosen by: a category, or an operator whose subscribers reported them. */
interface Tag {
  readonly id: string;
  readonly label: string;
}

/** Those that occur, at most as many as the style sheet knows. */
function tagsOf({ outages, categories }: OutageListView, language: Language): readonly Tag[] {
  const known = new Set(outages.flatMap(tagIdsOf));
  const all = [
    ...categories.map((one) => ({ id: one.id, label: nameCategory(one, language) })),
    ...OPERATORS.map((one) => ({ id: idOfOperator(one), label: OPERATOR_NAMES[language][one] })),
  ];
  return all.filter(({ id }) => known.has(id)).slice(0, MAX_CATEGORIES);
}

function tagIdsOf({ category, about: { operators } }: OutagePageView): readonly string[] {
  return [category, ...(operators?.shares ?? []).map(({ operator }) => idOfOperator(operator))];
}

/** No category has a colon. */
function idOfOperator(operator: Operator): string {
  return `operator:${operator}`;
}

/** Works without a script: the style sheet hides what does not have the chosen one. */
function Tags({ tags, language }: Pick<PageProps, "language"> & TagsProps): Html {
  const words = OUTAGE_PAGE_WORDS[language];
  if (tags.length < 2) return <></>;
  return (
    <fieldset class="chips categories">
      <legend>{words.filter}</legend>
      <Chip name="category" id="category-all" value="" isChecked>
        {words.everything}
      </Chip>
      {tags.map(({ id, label }, place) => (
        <Chip name="category" id={`category-${place}`} value={id} isChecked={false}>
          {label}
        </Chip>
      ))}
    </fieldset>
  );
}

interface TagsProps {
  readonly tags: readonly Tag[];
}

type Event = readonly [OutagePageView, ...(readonly OutagePageView[])];

/** Outages that began together are one event. */
function eventsOf(outages: readonly OutagePageView[]): readonly Event[] {
  const events: [OutagePageView, ...OutagePageView[]][] = [];
  let last: OutagePageView | undefined;
  for (const outage of outages) {
    const isTogether = last?.together.some(({ path }) => path === outage.path) === true;
    const event = events.at(-1);
    if (isTogether && event !== undefined) event.push(outage);
    else events.push([outage]);
    last = outage;
  }
  return events;
}

function Events({
  address,
  outages,
  tags,
  language,
  isDay = false,
}: PageProps & TagsProps & Pick<DayProps, "outages"> & { readonly isDay?: boolean }): Html {
  return (
    <>
      {outages.some(({ about }) => about.operators !== undefined) && (
        <OperatorSource language={language} />
      )}
      {eventsOf(outages).map((event) => (
        <div class="event">
          {event.length > 1 && isDay && <h2>{nameEvent(event, language)}</h2>}
          {event.length > 1 && !isDay && <h3>{nameEvent(event, language)}</h3>}
          <ol class="outages">
            {event.map((outage) => (
              <Told address={address} outage={outage} tags={tags} language={language} />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}

/** `14:02: 6 сервисов в сети Cloudflare`, or that they began together. */
function nameEvent(event: Event, language: Language): string {
  const words = OUTAGE_PAGE_WORDS[language];
  const count = countOf(event.length, words.services, language);
  const [{ about }] = event;
  const isOneNetwork =
    about.network !== null && event.every((one) => one.about.network === about.network);
  const first = formatTime(event.at(-1)?.toldAtMs ?? 0);
  return isOneNetwork
    ? words.inNetwork(first, count, about.network ?? "")
    : `${words.together}: ${count}`;
}

function Told({
  address,
  outage,
  tags,
  language,
}: PageProps & TagsProps & { readonly outage: OutagePageView }): Html {
  const { toldAtMs, endedAtMs, about } = outage;
  const own = new Set(tagIdsOf(outage));
  const places = tags.flatMap(({ id }, place) => (own.has(id) ? [`k${place}`] : []));
  return (
    <li class={["told", ...places].join(" ")} data-light={endedAtMs === null ? "bad" : "none"}>
      <span>
        {formatTime(toldAtMs)}{" "}
        <a href={pathOf(address, language, outage.path)}>{nameService(outage, language)}</a>
      </span>
      <b>
        {endedAtMs === null
          ? OUTAGE_WORDS[language].lasts
          : describeLength(endedAtMs - toldAtMs, language)}
      </b>
      <span class="cause">
        {[
          VERDICT_LABELS[language][about.code],
          OUTAGE_SCOPE_WORDS[language][about.scope],
          about.network ?? "",
          ...(about.operators?.shares ?? []).map(
            ({ operator }) => OPERATOR_NAMES[language][operator],
          ),
        ]
          .filter((text) => text !== "")
          .join("; ")}
      </span>
    </li>
  );
}
