import { SYMPTOMS } from "../../model/service/choices.ts";
import type { OperatorSum } from "../../model/service/reports.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { Bars, LineChart } from "../charts/plot.tsx";
import { Strip } from "../charts/strip.tsx";
import { type Html, renderPage } from "../html.ts";
import { cardKey, presentCardOf, serviceCardId } from "../pictures.ts";
import { isUnchecked } from "../situation.ts";
import type { ServicePageView, ServiceView } from "../view.ts";
import { kindsOf } from "../words/chart.ts";
import { scriptWords } from "../words/pages/script.ts";
import { SERVICE_WORDS, SYMPTOM_WORDS } from "../words/pages/service-page.ts";
import { FRAME_WORDS } from "../words/pages/frame.ts";
import { composeAnswer } from "../answer.ts";
import { OPERATOR_NAMES, OPERATORS } from "../../contract/codes/operator.ts";
import { OPERATOR_WORDS } from "../words/operators.ts";
import { describeVerdict } from "../words/describe-answer.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import { Follow } from "./parts/follow.tsx";
import { fileUrlOf, hasPush, serviceFeedPath } from "./parts/links.ts";
import { Annotations, EvidenceCard, nameOfPlace } from "./parts/evidence.tsx";
import { Card, Chip, HeadRow, OperatorSource, type ServiceProps } from "./parts/elements.tsx";
import { Months, Outages, Uptimes } from "./parts/history.tsx";
import type { FrameProps } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";
import { Places } from "./parts/places.tsx";
import { VerdictPanel } from "./parts/verdict-panel.tsx";
import { nameService } from "../words/catalogue.ts";

/** The page of one service: verdict, advice, evidence, charts and the report button. */
export function renderService(
  frame: FrameProps,
  view: ServicePageView,
  service: ServiceView,
): string {
  const { address, language } = frame;
  const { slug, verdict } = service;
  const name = nameService(service, language);
  return renderPage(
    <Layout
      {...frame}
      path={`/status/${slug}`}
      page="service"
      title={`${name}: ${VERDICT_LABELS[language][verdict.code]}. ${SERVICE_WORDS[language].question}`}
      about={name}
      description={`${name}: ${describeVerdict(composeAnswer(service), language)} ${FRAME_WORDS[language].vantage}`}
      image={`/${cardKey(serviceCardId(presentCardOf(slug, verdict)))}`}
      hasWords
      isUnchecked={isUnchecked(view)}
      hasPush={hasPush(address)}
      feed={fileUrlOf(address, serviceFeedPath(slug))}
    >
      <Article {...{ address, language, view, service }} />
    </Layout>,
  );
}

function Article(props: ServiceProps): Html {
  const { slug, verdict, reports } = props.service;
  return (
    <article
      class="service"
      data-slug={slug}
      data-code={verdict.code}
      data-color={verdict.color}
      data-live={String(verdict.live)}
      data-since={verdict.sinceMs === null ? "" : String(toUnixSeconds(verdict.sinceMs))}
      data-hour={String(reports.hour)}
      data-day={String(reports.day)}
    >
      <VerdictPanel {...props} />
      <div class="columns">
        <div class="column">
          <ReportForm {...props} />
          <Annotations {...props} />
          <Places {...props} />
          <EvidenceCard {...props} />
        </div>
        <div class="column">
          <Charts {...props} />
          <Follow {...props} />
        </div>
      </div>
    </article>
  );
}

function Charts(props: ServiceProps): Html {
  const { service, language } = props;
  const words = SERVICE_WORDS[language];
  const measured = service.endpoints.find(({ isCritical }) => isCritical);
  return (
    <>
      <Uptimes uptimes={service.uptimes} hint={words.uptimeHint} language={language} />
      <Card id="checks" title={words.halfHours}>
        <Strip cells={kindsOf(service.halfHours)} unit="half-hour" language={language} />
      </Card>
      <Card id="days" title={words.days} hint={words.daysHint}>
        <Strip cells={kindsOf(service.days)} unit="day" language={language} />
      </Card>
      <Outages
        outages={service.outages}
        {...props}
        historyKey={`history/v1/${service.slug}.json`}
        past={service.pastWhenTold === null ? service.past : null}
      />
      <Months months={service.months} language={language} />
      <Reports {...props} />
      <Card
        id="response"
        title={words.response}
        hint={measured && `${words.responseHint}: ${nameOfPlace(measured, language)}.`}
      >
        <LineChart hours={service.responseMs} language={language} />
      </Card>
    </>
  );
}

/**
 * The report button with its symptoms; nothing without an intake. Without the script it is a plain form: its response
 * redirects to `#reported`, where the style sheet shows the thanks. Source: docs/reports/intake.md, Requests.
 */
function ReportForm({ address, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  if (address.reportUrl === null) return <></>;
  const base = address.reportUrl || address.root;
  return (
    <form class="card report" method="post" action={`${base}/report/${service.slug}`}>
      <h2 id="report">{words.report}</h2>
      <div class="send">
        <button type="submit">{words.press}</button>
        <p id="reported" role="status"></p>
        <p class="thanks">{scriptWords(language).thanks}</p>
      </div>
      <fieldset class="chips">
        <legend>{words.symptom}</legend>
        {SYMPTOMS.map((symptom) => (
          <Chip name="symptom" id={`symptom-${symptom}`} value={symptom} isChecked={false}>
            {SYMPTOM_WORDS[language][symptom]}
          </Chip>
        ))}
      </fieldset>
      <input type="hidden" name="language" value={language} />
      <p class="hint">{words.reportHint}</p>
    </form>
  );
}

/** Reports of the last day beside what is usual, and what they complain of; nothing where there are none and cannot be. */
function Reports(props: ServiceProps): Html {
  const { address, service, language } = props;
  const words = SERVICE_WORDS[language];
  const { reportHours, usualReports, symptoms } = service;
  const hasReports = reportHours.some((count) => count > 0);
  const total = symptoms.reduce((sum, [, count]) => sum + count, 0);
  if (address.reportUrl === null && !hasReports) return <></>;
  return (
    <Card id="reports" title={words.reportsChart}>
      <Bars hours={reportHours} usual={usualReports} language={language} />
      {hasReports && usualReports.length > 0 && <p class="key-line">{words.usual}</p>}
      <Operators {...props} />
      {symptoms.length > 0 && (
        <dl class="symptoms" aria-label={words.symptoms}>
          {symptoms.map(([symptom, count]) => {
            const percent = Math.round((count / total) * 100);
            return (
              <div>
                <dt>{SYMPTOM_WORDS[language][symptom]}</dt>
                <dd>
                  <progress max="100" value={String(percent)} aria-hidden="true"></progress>
                  {percent}%
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </Card>
  );
}

/**
 * Reports of each operator with enough of them, and what is usual. The rows of the others are hidden: the script shows that of the
 * visitor's own operator, where the front tells it, above all.
 */
function Operators({ service: { operators: sums }, language }: ServiceProps): Html {
  const words = OPERATOR_WORDS[language];
  const { operators } = sums;
  if (operators.length === 0) return <></>;
  const shown = new Set(operators.map(({ operator }) => operator));
  const others = OPERATORS.slice(1).filter((operator) => !shown.has(operator));
  const rows: readonly (Partial<OperatorSum> & Pick<OperatorSum, "operator">)[] = [
    ...operators,
    ...others.map((operator) => ({ operator })),
  ];
  return (
    <>
      <table class="operators" data-own={words.own}>
        <HeadRow titles={[words.operator, words.hour, words.day, words.share, words.usual]} />
        <tbody>
          {rows.map(({ operator, hour, day, percent, usual, isUnusual = false }) => (
            <tr
              data-operator={operator}
              class={isUnusual ? "stands-out" : undefined}
              hidden={!shown.has(operator)}
            >
              <th scope="row">{OPERATOR_NAMES[language][operator]}</th>
              <td>{hour ?? words.few}</td>
              <td>{day ?? words.few}</td>
              {[percent, usual?.percent].map((each) => (
                <td>{each === undefined ? "–" : `${each}%`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <OperatorSource language={language} hint={words.hint} />
    </>
  );
}
