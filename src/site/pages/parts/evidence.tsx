import { showHost } from "./links.ts";
import { STAGES, type Stage } from "../../../model/failures.ts";
import type { Color } from "../../../contract/codes/verdict.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../../contract/codes/language.ts";
import type { EndpointStatus, EndpointView } from "../../view.ts";
import { kindsIn, StripLine } from "../../charts/strip.tsx";
import { describeCells, kindsOf } from "../../words/chart.ts";
import { EXPERIMENT_WORDS, FAILURE_WORDS, STAGE_WORDS } from "../../words/failure.ts";
import { ANNOTATION_WORDS, nameEndpoint } from "../../words/catalogue.ts";
import { ENDPOINT_STATUS_WORDS, SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { Card, type LanguageProps, Light, Moment, type ServiceProps } from "./elements.tsx";
import type { Annotation } from "../../../model/service/catalogue.ts";
import { formatDay } from "../../words/time.ts";

/** Result of the last check of each endpoint, in plain words. */
export function EvidenceCard({ address, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  const { endpoints, staleCheckMs } = service;
  return (
    <Card id="evidence" title={words.evidence} hint={words.evidenceHint}>
      {staleCheckMs !== null && (
        <p>
          {words.staleEvidence} <Moment {...{ address, language }} atMs={staleCheckMs} />
        </p>
      )}
      <ul class="evidence">
        {endpoints.map((endpoint) => (
          <Item endpoint={endpoint} isStale={staleCheckMs !== null} language={language} />
        ))}
      </ul>
    </Card>
  );
}

/** One light for each part of a service that has several, so that a visitor sees which one fails. */
export function Parts({ service, language }: ServiceProps): Html {
  const { endpoints, staleCheckMs } = service;
  if (endpoints.length < 2) return <></>;
  return (
    <ul class="parts" aria-label={SERVICE_WORDS[language].parts}>
      {endpoints.map((endpoint) => (
        <li data-light={staleCheckMs === null ? lightOf(endpoint.status) : "none"}>
          <Light />
          {nameEndpoint(endpoint, language) ?? hostLabel(endpoint.url)}
          <span class="unseen">: {describeStatus(endpoint, language)}</span>
        </li>
      ))}
    </ul>
  );
}

interface ItemProps extends LanguageProps {
  readonly endpoint: EndpointView;
  /** What was found says nothing about now, so it has no colour. */
  readonly isStale: boolean;
}

const LIGHTS: Readonly<Record<EndpointStatus["kind"], Color>> = {
  ok: "ok",
  denied: "warn",
  failed: "bad",
  elsewhere: "ok",
  "only-browsers": "ok",
  "not-browsers": "bad",
  "not-at-home": "bad",
  refused: "none",
  skipped: "none",
  unknown: "none",
};

/** What a wall hides is not known. */
function lightOf(status: EndpointStatus): Color {
  return status.kind === "ok" && status.wall !== undefined ? "none" : LIGHTS[status.kind];
}

function Item({ endpoint, isStale, language }: ItemProps): Html {
  const { status, isCritical, url } = endpoint;
  const host = hostLabel(url);
  const name = nameEndpoint(endpoint, language);
  const halfHours = kindsOf(endpoint.halfHours);
  const text = describeCells(kindsIn(halfHours), "half-hour", language);
  return (
    <li data-light={isStale ? "none" : lightOf(status)}>
      <Light />
      <p>
        <strong>{name ?? host}</strong>
        {isCritical && <span class="tag">{SERVICE_WORDS[language].critical}</span>}
        {name !== undefined && <span class="host">{host}</span>}
      </p>
      <p>{describeStatus(endpoint, language)}</p>
      {status.kind === "failed" && status.cutBy !== undefined && (
        <p>{EXPERIMENT_WORDS[language][status.cutBy]}</p>
      )}
      {status.kind === "failed" && <Steps failed={status.stage} language={language} />}
      <StripLine cells={halfHours} text={text} />
    </li>
  );
}

function describeStatus({ status, isBrowserServed }: EndpointView, language: Language): string {
  const words = ENDPOINT_STATUS_WORDS[language];
  if (status.kind === "failed") {
    const suffix = status.httpStatus === undefined ? "" : ` (HTTP ${status.httpStatus})`;
    return FAILURE_WORDS[language][status.code] + suffix;
  }
  if (status.kind !== "ok") return words[status.kind];
  const { wall, isFlaky, isUnverified } = status;
  return [
    wall === undefined ? words[isFlaky ? "flaky" : "ok"] : `${words.wall} (${wall})`,
    ...(isBrowserServed === true ? [words.browser] : []),
    ...(isUnverified ? [words.unverified] : []),
  ].join("; ");
}

function Steps({ failed, language }: LanguageProps & { readonly failed: Stage }): Html {
  const at = STAGES.indexOf(failed);
  return (
    <div class="steps">
      <p>
        {SERVICE_WORDS[language].failedStage}: {STAGE_WORDS[language][failed]}
      </p>
      <ol aria-hidden="true">
        {STAGES.map((_, place) => (
          <li class={place < at ? "done" : place === at ? "failed" : "ahead"}></li>
        ))}
      </ol>
    </div>
  );
}

/** Name and host of an endpoint; only the host if it has no name in this language. */
export function nameOfPlace(endpoint: EndpointView, language: Language): string {
  const name = nameEndpoint(endpoint, language);
  const host = hostLabel(endpoint.url);
  return name === undefined ? host : `${name} (${host})`;
}

/** The host of an absolute web address, as people read it; other texts are returned unchanged. */
export function hostLabel(url: string): string {
  return showHost(/^https?:\/\/([^/?#]+)/iu.exec(url)?.[1] ?? url);
}

/** The annotations of a service, each with its date and source; nothing if there are none. */
export function Annotations({ service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  if (service.annotations.length === 0) return <></>;
  return (
    <Card id="annotations" title={words.annotations} hint={words.annotationsHint}>
      <ul class="annotations">
        {service.annotations.map((annotation) => (
          <Statement annotation={annotation} language={language} />
        ))}
      </ul>
    </Card>
  );
}

/** The catalogue has each reason in English, and mostly in Russian as well. */
function Statement(props: LanguageProps & { readonly annotation: Annotation }): Html {
  const { annotation, language } = props;
  const { kind, since, source, reason, reasonRu } = annotation;
  const words = SERVICE_WORDS[language];
  const isTranslated = language === "ru" && reasonRu !== undefined;
  return (
    <li>
      <p>
        <strong>{ANNOTATION_WORDS[language][kind]}</strong>
      </p>
      <p>
        {words.annotatedSince} <time datetime={since}>{formatDay(since, language)}</time>
      </p>
      <p lang={isTranslated ? "ru" : "en"}>{isTranslated ? reasonRu : reason}</p>
      <p class="hint">
        {source === undefined ? (
          words.unconfirmed
        ) : (
          <>
            {words.source}:{" "}
            <a href={source.url} rel="noopener noreferrer nofollow" lang={languageOf(source.title)}>
              {source.title}
            </a>{" "}
            (
            <a href={ARCHIVE + source.url} rel="noopener noreferrer nofollow">
              {words.archive}
            </a>
            )
          </>
        )}
      </p>
    </li>
  );
}

/** Before an address. Pages vanish: the archive leads to the newest copy that it has of one, or says that it has none. */
const ARCHIVE = "https://web.archive.org/web/";

function languageOf(title: string): Language {
  return /\p{Script=Cyrillic}/u.test(title) ? "ru" : "en";
}
