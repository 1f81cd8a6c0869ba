import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import { COLOR_OF } from "../../contract/codes/verdict.ts";
import { type Html, renderPage } from "../html.ts";
import type { OutagePageView } from "../view.ts";
import { cardKey, cardOfOutage, serviceCardId } from "../pictures.ts";
import { nameService } from "../words/catalogue.ts";
import { describeCause } from "../words/failure.ts";
import { describeOperators } from "../words/operators.ts";
import { describeDuration } from "../words/numbers.ts";
import {
  describeOutage,
  nameOutage,
  OUTAGE_PAGE_WORDS,
  OUTAGE_SCOPE_WORDS,
  TRUTH_WORDS,
} from "../words/pages/outage-page.ts";
import { toIsoSeconds } from "../../model/time.ts";
import {
  Card,
  Light,
  LinkItem,
  Moment,
  OperatorSource,
  type PageProps,
} from "./parts/elements.tsx";
import type { FrameProps } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";
import { fileOf, pathOf } from "./parts/links.ts";

interface OutageProps extends PageProps {
  readonly outage: OutagePageView;
}

/** The page of one outage. It says nothing that changes after its end, but corrections. */
export function renderOutage(frame: FrameProps, outage: OutagePageView): string {
  const { address, language } = frame;
  const title = nameOutage(outage, language);
  const name = nameService(outage, language);
  const words = OUTAGE_PAGE_WORDS[language];
  const { code } = outage.about;
  const props = { address, outage, language };
  return renderPage(
    <Layout
      {...frame}
      path={outage.path}
      title={title}
      about={name}
      description={`${title}. ${describeOutage(outage, language)}`}
      image={imageOf(outage)}
      structured={toEvent(outage, title)}
    >
      <article class="outage-page" data-color={outage.endedAtMs === null ? COLOR_OF[code] : "none"}>
        <p class="crumbs">
          <a href={pathOf(address, language, "/outages")}>{words.all}</a>
          <span>
            <a href={pathOf(address, language, `/status/${outage.slug}`)}>{name}</a>
          </span>
        </p>
        <h1>{title}</h1>
        <p class="says">
          <Light /> <span class="label">{VERDICT_LABELS[language][code]}</span>
        </p>
        <Corrections {...props} />
        <Facts {...props} />
        {outage.about.operators !== undefined && <OperatorSource language={language} />}
        <Together {...props} />
        <ul class="links">
          <LinkItem href={fileOf(address, `/${outage.dataKey}`)}>{words.data}</LinkItem>
        </ul>
      </article>
    </Layout>,
  );
}

/** That of the service in this outage. It stays as long as the list has the outage; the page is not written again after that. */
function imageOf(outage: OutagePageView): string {
  const picture = cardOfOutage(outage);
  return picture === undefined ? "/card.png" : `/${cardKey(serviceCardId(picture))}`;
}

/** Source: https://schema.org/Event */
function toEvent({ toldAtMs, endedAtMs }: OutagePageView, name: string) {
  return {
    "@type": "Event",
    name,
    startDate: toIsoSeconds(toldAtMs),
    ...(endedAtMs !== null && { endDate: toIsoSeconds(endedAtMs) }),
    eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
  };
}

function Facts({ address, outage, language }: OutageProps): Html {
  const words = OUTAGE_PAGE_WORDS[language];
  const { toldAtMs, endedAtMs, isEndUnseen, isReported, about } = outage;
  const at = (atMs: number): Html => <Moment atMs={atMs} language={language} address={address} />;
  const end =
    endedAtMs === null ? (
      words.lasts
    ) : (
      <>
        {isEndUnseen ? `${words.unseen} ` : ""}
        {at(endedAtMs)}
      </>
    );
  const rows: readonly (readonly [name: string, value: Html | string | null | undefined])[] = [
    [words.since, at(about.sinceMs)],
    [words.told, at(toldAtMs)],
    [words.end, end],
    [
      words.length,
      endedAtMs === null || isEndUnseen ? null : describeDuration(endedAtMs - toldAtMs, language),
    ],
    [words.scope, OUTAGE_SCOPE_WORDS[language][about.scope]],
    [words.cause, describeCause({ ...about, code: about.cause }, language)],
    [words.network, about.network],
    [words.operators, about.operators && describeOperators(about.operators, language)],
    [words.reported, isReported ? words.wasReported : null],
  ];
  return (
    <dl class="rows">
      {rows
        .filter(([, value]) => Boolean(value))
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Corrections({ outage: { corrections }, language }: OutageProps): Html {
  if (corrections.length === 0) return <></>;
  return (
    <Card id="corrections" title={OUTAGE_PAGE_WORDS[language].corrections}>
      <ul>
        {corrections.map(({ what, source }) => (
          <li>
            {TRUTH_WORDS[language][what]}:{" "}
            {/^https?:\/\//u.test(source) ? (
              <a href={source} rel="noopener noreferrer nofollow">
                {source}
              </a>
            ) : (
              source
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Together({ address, outage: { together }, language }: OutageProps): Html {
  if (together.length === 0) return <></>;
  return (
    <Card id="together" title={OUTAGE_PAGE_WORDS[language].together}>
      <ul class="links">
        {together.map((link) => (
          <LinkItem href={pathOf(address, language, link.path)}>
            {nameService(link, language)}
          </LinkItem>
        ))}
      </ul>
    </Card>
  );
}
