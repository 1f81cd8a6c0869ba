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
import { LinkItem, OperatorSource, type PageProps } from "./parts/elements.tsx";
import { Months } from "./parts/history.tsx";
import type { FrameProps } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";
import { fileOf, fileUrlOf, outageFeedPath, pathOf } from "./parts/links.ts";
import { CategoryChips, MAX_CATEGORIES, type Tag } from "./parts/list.tsx";

/** The page with the outages of the last days, the newest first. What began together stands together. */
export function renderOutages(frame: FrameProps, list: OutageListView): string {
  const { address, language } = frame;
  const words = OUTAGE_PAGE_WORDS[language];
  const { outages, months, days } = list;
  const tags = tagsOf(list, language);
  return renderPage(
    <Layout
      {...frame}
      path="/outages"
      title={words.title}
      description={words.description}
      image="/card.png"
      feed={fileUrlOf(address, outageFeedPath)}
    >
      <article class="outage-days">
        <h1>{words.title}</h1>
        <p class="hint">{outages.length === 0 ? words.none : words.intro}</p>
        {tags.length > 1 && (
          <CategoryChips title={words.filter} all={words.everything} tags={tags} />
        )}
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

/**
 * The page of a day that is over. It says nothing that changes after it, but corrections.
 * @param day in Moscow, `YYYY-MM-DD`.
 */
export function renderDay(
  frame: FrameProps,
  day: string,
  outages: readonly OutagePageView[],
): string {
  const { address, language } = frame;
  const words = OUTAGE_PAGE_WORDS[language];
  const title = words.dayTitle(formatDay(day, language));
  return renderPage(
    <Layout
      {...frame}
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

/**
 * What outages can be chosen by: a category, or an operator whose subscribers reported them. Those that occur, at most as many as the
 * style sheet knows.
 */
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

type Event = readonly OutagePageView[];

/** Outages that began together are one event. */
function eventsOf(outages: readonly OutagePageView[]): readonly Event[] {
  const events: OutagePageView[][] = [];
  for (const outage of outages) {
    const event = events.at(-1);
    const isTogether = event?.at(-1)?.together.some(({ path }) => path === outage.path) === true;
    if (isTogether) event?.push(outage);
    else events.push([outage]);
  }
  return events;
}

interface EventsProps extends PageProps {
  readonly outages: readonly OutagePageView[];
  readonly tags: readonly Tag[];
  readonly isDay?: boolean;
}

function Events({ address, outages, tags, language, isDay = false }: EventsProps): Html {
  const Heading = isDay ? "h2" : "h3";
  return (
    <>
      {outages.some(({ about }) => about.operators !== undefined) && (
        <OperatorSource language={language} />
      )}
      {eventsOf(outages).map((event) => (
        <div class="event">
          {event.length > 1 && <Heading>{nameEvent(event, language)}</Heading>}
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
  const [network = null, ...others] = new Set(event.map(({ about }) => about.network));
  if (network === null || others.length > 0) return `${words.together}: ${count}`;
  return words.inNetwork(formatTime(event.at(-1)?.toldAtMs ?? 0), count, network);
}

interface ToldProps extends Omit<EventsProps, "outages"> {
  readonly outage: OutagePageView;
}

function Told({ address, outage, tags, language }: ToldProps): Html {
  const { toldAtMs, endedAtMs, isEndUnseen, about } = outage;
  const own = new Set(tagIdsOf(outage));
  const places = tags.flatMap(({ id }, place) => (own.has(id) ? [`k${place}`] : []));
  return (
    <li class={["told", ...places].join(" ")} data-light={endedAtMs === null ? "bad" : "none"}>
      <span>
        {formatTime(toldAtMs)}{" "}
        <a href={pathOf(address, language, outage.path)}>{nameService(outage, language)}</a>
      </span>
      <b>
        {isEndUnseen && `${OUTAGE_PAGE_WORDS[language].atMost} `}
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
