import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import type { Language } from "../../contract/codes/language.ts";
import { type Html, renderPage } from "../html.ts";
import type { MonthView, OutagePageView } from "../view.ts";
import { OUTAGE_WORDS } from "../words/failure.ts";
import { countOf, describeLength } from "../words/numbers.ts";
import { nameDay, OUTAGE_PAGE_WORDS, OUTAGE_SCOPE_WORDS } from "../words/pages/outage-page.ts";
import { formatMachine, formatTime } from "../words/time.ts";
import { LinkTo } from "./outage.tsx";
import { Card, type PageProps } from "./parts/elements.tsx";
import { Months } from "./parts/history.tsx";
import type { Assets } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";
import { fileOf } from "./parts/links.ts";

interface ListProps extends PageProps {
  readonly outages: readonly OutagePageView[];
  readonly months: readonly MonthView[];
  readonly assets: Assets;
}

/** The page with the outages of the last days, the newest first. What began together stands together. */
export function renderOutages({ address, outages, months, language, assets }: ListProps): string {
  const words = OUTAGE_PAGE_WORDS[language];
  return renderPage(
    <Layout
      address={address}
      language={language}
      path="/outages"
      page="static"
      title={words.title}
      description={words.description}
      image="/card.png"
      assets={assets}
    >
      <article class="outage-days">
        <h1>{words.title}</h1>
        <p class="hint">{outages.length === 0 ? words.none : words.intro}</p>
        {daysOf(outages, language).map(([day, events]) => (
          <Card id={`day-${day.id}`} title={day.name}>
            {events.map((event) => (
              <Event address={address} event={event} language={language} />
            ))}
          </Card>
        ))}
        <Months months={months} language={language} />
        <ul class="links">
          <li>
            <a href={fileOf(address, "/outages/v1/index.json")}>{words.json}</a>
          </li>
        </ul>
      </article>
    </Layout>,
  );
}

type Event = readonly OutagePageView[];

/** Outages by the day on which they were told, in Moscow, and within a day those that began together. */
function daysOf(outages: readonly OutagePageView[], language: Language) {
  const days = new Map<string, OutagePageView[][]>();
  let last: OutagePageView | undefined;
  for (const outage of outages) {
    const name = nameDay(outage.toldAtMs, language);
    const events = days.get(name) ?? [];
    days.set(name, events);
    const isTogether = last?.together.some(({ path }) => path === outage.path) === true;
    if (isTogether && events.length > 0) events.at(-1)?.push(outage);
    else events.push([outage]);
    last = outage;
  }
  return [...days].map(([name, events]) => {
    const id = formatMachine(events[0]?.[0]?.toldAtMs ?? 0).slice(0, 10);
    return [{ name, id }, events] as const;
  });
}

function Event({ address, event, language }: PageProps & { readonly event: Event }): Html {
  const words = OUTAGE_PAGE_WORDS[language];
  return (
    <>
      {event.length > 1 && (
        <h3>
          {words.together}: {countOf(event.length, words.services, language)}
        </h3>
      )}
      <ol class="outages">
        {event.map((outage) => {
          const { toldAtMs, endedAtMs, about } = outage;
          return (
            <li data-light={endedAtMs === null ? "bad" : "none"}>
              <span>
                {formatTime(toldAtMs)}{" "}
                <LinkTo address={address} link={outage} language={language} />
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
                ]
                  .filter((text) => text !== "")
                  .join("; ")}
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
