import { FAILURES, type Stage } from "../../model/outcome.ts";
import type { Color } from "../../model/verdict.ts";
import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { EndpointFinding, EndpointView } from "../view.ts";
import { nameEndpoint } from "../words/endpoint.ts";
import { FAILURE_WORDS, STAGE_WORDS } from "../words/failure.ts";
import { FINDING_WORDS, SERVICE_WORDS } from "../words/service-page.ts";
import { Card } from "./card.tsx";
import { Light } from "./light.tsx";
import type { ServiceProps } from "./service.tsx";

/** What the last check saw, address by address, in plain words. */
export function Evidence({ service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  return (
    <Card id="evidence" title={words.evidence} hint={words.evidenceHint}>
      <ul class="evidence">
        {service.endpoints.map((endpoint) => (
          <Item endpoint={endpoint} language={language} />
        ))}
      </ul>
    </Card>
  );
}

interface ItemProps {
  readonly endpoint: EndpointView;
  readonly language: Language;
}

const LIGHTS: Readonly<Record<EndpointFinding["kind"], Color>> = {
  ok: "ok",
  denied: "warn",
  failed: "bad",
  skipped: "none",
  unknown: "none",
};

function Item({ endpoint, language }: ItemProps): Html {
  const { finding, isCritical, url, what } = endpoint;
  const host = hostOf(url);
  const name = nameEndpoint(what, language);
  return (
    <li data-light={LIGHTS[finding.kind]}>
      <Light />
      <p>
        <strong>{name ?? host}</strong>
        {isCritical && <span class="tag">{SERVICE_WORDS[language].critical}</span>}
        {name !== undefined && <span class="host">{host}</span>}
      </p>
      <p>{describeFinding(finding, language)}</p>
      {finding.kind === "failed" && <Steps failed={finding.stage} language={language} />}
    </li>
  );
}

/** What the last check says of an endpoint, in words. */
function describeFinding(finding: EndpointFinding, language: Language): string {
  const words = FINDING_WORDS[language];
  switch (finding.kind) {
    case "ok":
      return [
        finding.isFlaky ? words.flaky : words.ok,
        ...(finding.isUnverified ? [words.unverified] : []),
      ].join("; ");
    case "failed": {
      const status = finding.httpStatus === undefined ? "" : ` (HTTP ${finding.httpStatus})`;
      return FAILURE_WORDS[language][finding.code] + status;
    }
    case "denied":
    case "skipped":
    case "unknown":
      return words[finding.kind];
  }
}

/** The stages in the order of a check. Each comes first with a failure of its own in the vocabulary. */
const STAGES: readonly Stage[] = [...new Set(Object.values(FAILURES))];

interface StepsProps {
  readonly failed: Stage;
  readonly language: Language;
}

/** How far a check came. */
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

/** What a person would call an endpoint: its name, or the host where there is none in this language. */
export function nameOf({ what, url }: EndpointView, language: Language): string {
  const name = nameEndpoint(what, language);
  return name === undefined ? hostOf(url) : `${name} (${hostOf(url)})`;
}

/** The host of an absolute web address; what is none comes back as it is. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/iu.exec(url)?.[1] ?? url;
}
