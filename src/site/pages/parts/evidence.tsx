import { showHost } from "../../show-host.ts";
import { FAILURES, type Stage } from "../../../model/probe-outcome.ts";
import type { Color } from "../../../contract/codes/verdict.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import type { EndpointStatus, EndpointView } from "../../view.ts";
import { EXPERIMENT_WORDS } from "../../words/experiment.ts";
import { nameEndpoint } from "../../words/endpoint.ts";
import { FAILURE_WORDS, STAGE_WORDS } from "../../words/failure.ts";
import { ENDPOINT_STATUS_WORDS, SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { Card } from "./card.tsx";
import { Light, Moment } from "./status-light.tsx";
import type { ServiceProps } from "./page-props.ts";

/** Result of the last check of each endpoint, in plain words. */
export function Evidence({ view, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  const { endpoints, staleCheckMs } = service;
  return (
    <Card id="evidence" title={words.evidence} hint={words.evidenceHint}>
      {staleCheckMs === null ? (
        <></>
      ) : (
        <p>
          {words.staleEvidence}{" "}
          <Moment atMs={staleCheckMs} language={language} address={view.address} />
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

interface ItemProps {
  readonly endpoint: EndpointView;
  /** What was found says nothing about now, so it has no colour. */
  readonly isStale: boolean;
  readonly language: Language;
}

const LIGHTS: Readonly<Record<EndpointStatus["kind"], Color>> = {
  ok: "ok",
  denied: "warn",
  failed: "bad",
  elsewhere: "ok",
  refused: "none",
  skipped: "none",
  unknown: "none",
};

/** What a wall hides is not known. */
function lightOf(status: EndpointStatus): Color {
  return status.kind === "ok" && status.wall !== undefined ? "none" : LIGHTS[status.kind];
}

function Item({ endpoint, isStale, language }: ItemProps): Html {
  const { status, isCritical, url, what } = endpoint;
  const host = hostLabel(url);
  const name = nameEndpoint(what, language);
  return (
    <li data-light={isStale ? "none" : lightOf(status)}>
      <Light />
      <p>
        <strong>{name ?? host}</strong>
        {isCritical && <span class="tag">{SERVICE_WORDS[language].critical}</span>}
        {name !== undefined && <span class="host">{host}</span>}
      </p>
      <p>{describeStatus(status, language)}</p>
      {status.kind === "failed" && status.cutBy !== undefined && (
        <p>{EXPERIMENT_WORDS[language][status.cutBy]}</p>
      )}
      {status.kind === "failed" && <Steps failed={status.stage} language={language} />}
    </li>
  );
}

function describeStatus(status: EndpointStatus, language: Language): string {
  const words = ENDPOINT_STATUS_WORDS[language];
  switch (status.kind) {
    case "ok":
      return [
        status.wall === undefined
          ? status.isFlaky
            ? words.flaky
            : words.ok
          : `${words.wall} (${status.wall})`,
        ...(status.isUnverified ? [words.unverified] : []),
      ].join("; ");
    case "failed": {
      const suffix = status.httpStatus === undefined ? "" : ` (HTTP ${status.httpStatus})`;
      return FAILURE_WORDS[language][status.code] + suffix;
    }
    case "denied":
    case "elsewhere":
    case "refused":
    case "skipped":
    case "unknown":
      return words[status.kind];
  }
}

/** The stages in the order of a check, which is the order of `FAILURES`. */
const STAGES: readonly Stage[] = [...new Set(Object.values(FAILURES))];

interface StepsProps {
  readonly failed: Stage;
  readonly language: Language;
}

/** How far a check got. */
function Steps({ failed, language }: StepsProps): Html {
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
export function nameOf({ what, url }: EndpointView, language: Language): string {
  const name = nameEndpoint(what, language);
  return name === undefined ? hostLabel(url) : `${name} (${hostLabel(url)})`;
}

/** The host of an absolute web address, as people read it; other texts are returned unchanged. */
export function hostLabel(url: string): string {
  return showHost(/^https?:\/\/([^/?#]+)/iu.exec(url)?.[1] ?? url);
}
