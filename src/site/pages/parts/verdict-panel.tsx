import type { Html } from "../../html.ts";
import { composeAnswer } from "../../answer.ts";
import { describeAnswer, QUESTIONS } from "../../words/describe-answer.ts";
import { nameCategory, nameService } from "../../words/catalogue.ts";
import { SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { SINCE_WORDS, VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";
import { describeOperators } from "../../words/operators.ts";
import { describePast } from "../../words/told-with.ts";
import { PLACES_WORDS } from "../../words/scope.ts";
import { Parts } from "./evidence.tsx";
import { pathOf } from "./links.ts";
import {
  Age,
  ConnectivityNotes,
  LastChecked,
  Light,
  Live,
  Moment,
  type ServiceProps,
} from "./elements.tsx";

/** The verdict of the service: since when, who may be the cause, and what to do. */
export function VerdictPanel(props: ServiceProps): Html {
  const { address, service, language } = props;
  const { operators, scope, verdict } = service;
  const words = SERVICE_WORDS[language];
  const answer = describeAnswer(composeAnswer(service), scope.places, language);
  return (
    <>
      <p class="crumbs">
        <a href={pathOf(address, language, "/")}>{words.back}</a>
        <span>{nameCategory(service.category, language)}</span>
      </p>
      <h1>{nameService(service, language)}</h1>
      <Note {...props} />
      <div class="verdict">
        <p class="says">
          <Light />
          <span class="label">{VERDICT_LABELS[language][verdict.code]}</span>{" "}
          <Live isLive={verdict.live} language={language} />
        </p>
        <p class="unanswered old">{words.unanswered}</p>
        <p class="unanswered new">{words.isChanging}</p>
        <p class="explains">{answer.sentence}</p>
        {operators.unusual !== undefined && (
          <p class="explains operators">{describeOperators(operators.unusual, language)}</p>
        )}
        <Since {...props} />
        <dl class="questions">
          {(["isDown", "isBlocked", "isMe"] as const).map((question) => (
            <div>
              <dt>{QUESTIONS[language][question]}</dt>
              <dd>{answer[question]}</dd>
            </div>
          ))}
        </dl>
        <details class="why">
          <summary>{words.why}</summary>
          {answer.elsewhere !== undefined && <p class="explains scope">{answer.elsewhere}</p>}
          <p class="advice">
            {answer.advice}
            {address.reportUrl !== null && answer.report && ` ${answer.report}`}
          </p>
        </details>
      </div>
      <Parts {...props} />
      <Jumps {...props} />
      <ConnectivityNotes {...props} />
      <Facts {...props} />
    </>
  );
}

/** What has to stand beside the name: an operator writes it into the overlay. */
function Note({ service: { note, noteEn }, language }: ServiceProps): Html {
  if (note === undefined) return <></>;
  const isEnglish = language === "en" && noteEn !== undefined;
  return (
    <p class="hint" lang={isEnglish ? "en" : "ru"}>
      {isEnglish ? noteEn : note}
    </p>
  );
}

/** What visitors look for below: on a phone it is screens away. */
function Jumps({ address, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  return (
    <nav class="jumps" aria-label={words.jumps}>
      {address.reportUrl !== null && <a href="#report">{words.report}</a>}
      {service.scope.places.length > 0 && <a href="#places">{PLACES_WORDS[language].title}</a>}
      <a href="#checks">{words.past}</a>
      <a href="#follow">{words.follow}</a>
    </nav>
  );
}

/** Since when, and how long earlier outages lasted. */
function Since({ address, service, language }: ServiceProps): Html {
  const { pastWhenTold, verdict } = service;
  const { code, sinceMs } = verdict;
  if (sinceMs === null) return <></>;
  return (
    <>
      <p class="since-line">
        {SINCE_WORDS[language][code]}{" "}
        <span class="moment">
          <Moment atMs={sinceMs} language={language} address={address} class="since" />
          <Age />
        </span>
      </p>
      {pastWhenTold !== null && <p class="past">{describePast(pastWhenTold, language)}</p>}
    </>
  );
}

function Facts(props: ServiceProps): Html {
  const { service, language } = props;
  const words = SERVICE_WORDS[language];
  const { reports, staleCheckMs, verdict, unknown } = service;
  return (
    <dl class="facts">
      <div>
        <dt>{words.reportsHour}</dt>
        <dd class="reports-hour">{reports.hour}</dd>
      </div>
      <div>
        <dt>{words.reportsDay}</dt>
        <dd class="reports-day">{reports.day}</dd>
      </div>
      <div class="wide">
        <dt>{staleCheckMs === null ? words.lastCheck : words.staleCheck}</dt>
        <dd>
          {staleCheckMs !== null ? (
            <Moment {...props} atMs={staleCheckMs} />
          ) : verdict.sinceMs === null && unknown === null ? (
            words.neverChecked
          ) : (
            <LastChecked {...props} />
          )}
        </dd>
      </div>
    </dl>
  );
}
