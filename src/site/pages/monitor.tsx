import type { MonitorCondition } from "../../model/monitor/uptime.ts";
import type { Color } from "../../contract/codes/verdict.ts";
import { gradeUptimes } from "../../model/monitor/pictures.ts";
import { Line } from "../charts/line.tsx";
import { Strip } from "../charts/strip.tsx";
import { type Html, renderPage } from "../html.ts";
import type { Language } from "../words/language.ts";
import type { MonitorView, SiteAddress } from "../view.ts";
import { showUrl } from "../show-host.ts";
import { kindsOf } from "../words/chart.ts";
import { FAILURE_WORDS } from "../words/failure.ts";
import {
  CONDITION_HINTS,
  CONDITION_WORDS,
  MONITOR_WORDS,
  WARNING_WORDS,
} from "../words/pages/monitor-page.ts";
import { scriptWords } from "../words/pages/script.ts";
import { Badge } from "./parts/badge.tsx";
import { Card } from "./parts/card.tsx";
import type { Assets } from "./parts/head.tsx";
import { DataLinks } from "./parts/data-links.tsx";
import { LastChecked, Layout } from "./parts/layout.tsx";
import { fileOf, monitorFeedPath } from "./parts/links.ts";
import { Outages } from "./parts/outages.tsx";
import { Age, Light, Moment } from "./parts/status-light.tsx";
import type { MonitorProps } from "./parts/page-props.ts";
import { Uptimes } from "./parts/uptimes.tsx";

/** The public page of one monitor. Its name and URL are untrusted. */
export function renderMonitor(
  address: SiteAddress,
  monitor: MonitorView,
  language: Language,
  assets: Assets,
): string {
  const { id, name, condition } = monitor;
  const words = MONITOR_WORDS[language];
  const props = { address, monitor, language };
  return renderPage(
    <Layout
      address={address}
      language={language}
      path={`/m/${id}`}
      page="monitor"
      title={`${name}: ${CONDITION_WORDS[language][condition]} — ${words.kind}`}
      description={`${name}. ${words.description}`}
      image={`/card/m/${id}.png`}
      feed={address.origin + fileOf(address, monitorFeedPath(id))}
      assets={assets}
      words={scriptWords(language)}
      isUnindexed={monitor.owner?.isYoung === true}
    >
      <article
        class="monitor"
        data-id={id}
        data-condition={condition}
        data-light={LIGHTS[condition]}
      >
        <Condition {...props} />
        <Uptimes
          uptimes={gradeUptimes(monitor.uptimes)}
          hint={words.uptimeHint}
          language={language}
        />
        <Charts {...props} />
        <Failures {...props} />
        <Badge {...props} />
        <Abuse {...props} />
      </article>
    </Layout>,
  );
}

/** The last failures, and where the others are. */
function Failures({ address, monitor: { id, outages }, language }: MonitorProps): Html {
  return (
    <Outages outages={outages} address={address} language={language}>
      <ul class="links">
        <li>
          <a href={fileOf(address, monitorFeedPath(id))}>{MONITOR_WORDS[language].feed}</a>
        </li>
        <DataLinks address={address} language={language} historyKey={`history/v1/m/${id}.json`} />
      </ul>
    </Outages>
  );
}

/** Where to complain about a monitor that its owner has added. */
function Abuse({ address, monitor, language }: MonitorProps): Html {
  const { contact } = address.people;
  const words = MONITOR_WORDS[language];
  if (monitor.owner === undefined || contact === undefined) return <></>;
  return (
    <p class="hint">
      {words.isOwned} <a href={contact}>{words.abuse}</a>
    </p>
  );
}

const LIGHTS: Readonly<Record<MonitorCondition, Color>> = {
  healthy: "ok",
  failing: "bad",
  refused: "warn",
  unknown: "none",
};

function Condition({ address, monitor, language }: MonitorProps): Html {
  const { name, url, condition, sinceMs, code, warning } = monitor;
  const words = MONITOR_WORDS[language];
  return (
    <>
      <p class="crumbs">
        <span>{words.kind}</span>
      </p>
      <h1>{name}</h1>
      <p class="url">
        <a href={url} rel="nofollow ugc noopener noreferrer">
          {showUrl(url)}
        </a>
      </p>
      <div class="verdict">
        <p class="says">
          <Light />
          <span class="label">
            {warning === "robot-wall" ? words.walled : CONDITION_WORDS[language][condition]}
          </span>
        </p>
        {sinceMs !== null && (
          <p class="since-line">
            {words.since}{" "}
            <span class="moment">
              <Moment atMs={sinceMs} language={language} address={address} class="since" />
              <Age />
            </span>
          </p>
        )}
        <p class="explains">
          {warning !== "robot-wall" && CONDITION_HINTS[language][condition]}
          {code !== undefined && ` ${words.reason}: ${FAILURE_WORDS[language][code]}.`}
          {warning !== undefined && ` ${WARNING_WORDS[language][warning]}`}
        </p>
        {condition !== "unknown" && (
          <p class="since-line">
            {words.lastCheck}: <LastChecked address={address} language={language} />
          </p>
        )}
      </div>
    </>
  );
}

function Charts({ monitor, language }: MonitorProps): Html {
  const words = MONITOR_WORDS[language];
  return (
    <>
      <Card id="days" title={words.days} hint={words.daysHint}>
        <Strip cells={kindsOf(monitor.days)} unit="day" language={language} />
      </Card>
      <Card id="response" title={words.response} hint={words.responseHint}>
        <Line hours={monitor.responseMs} language={language} />
      </Card>
    </>
  );
}
