import type { MonitorCondition } from "../../model/monitor/uptime.ts";
import type { Color } from "../../contract/codes/verdict.ts";
import { gradeUptimes } from "../../model/monitor/pictures.ts";
import { Strip } from "../charts/strip.tsx";
import { type Html, renderPage } from "../html.ts";
import type { MonitorView } from "../view.ts";
import { kindsOf } from "../words/chart.ts";
import { FAILURE_WORDS } from "../words/failure.ts";
import {
  CONDITION_HINTS,
  CONDITION_WORDS,
  MONITOR_WORDS,
  WARNING_WORDS,
} from "../words/pages/monitor-page.ts";
import type { FrameProps } from "./parts/head.tsx";
import { Layout } from "./parts/layout.tsx";
import { cardKey } from "../pictures.ts";
import { fileOf, fileUrlOf, monitorFeedPath, showUrl, urlOf } from "./parts/links.ts";
import { LineChart } from "../charts/plot.tsx";
import { badgeBbCode, badgeHtml, badgeMarkdown } from "../words/badge-snippet.ts";
import {
  Age,
  Card,
  Chip,
  LastChecked,
  Light,
  LinkItem,
  Moment,
  type MonitorProps,
} from "./parts/elements.tsx";
import { Outages, Uptimes } from "./parts/history.tsx";

/** The public page of one monitor. Its name and URL are untrusted. */
export function renderMonitor(frame: FrameProps, monitor: MonitorView): string {
  const { address, language } = frame;
  const { id, name, condition } = monitor;
  const words = MONITOR_WORDS[language];
  const props = { address, monitor, language };
  return renderPage(
    <Layout
      {...frame}
      path={`/m/${id}`}
      page="monitor"
      title={`${name}: ${CONDITION_WORDS[language][condition]} — ${words.kind}`}
      description={`${name}. ${words.description}`}
      image={`/${cardKey(`m/${id}`)}`}
      feed={fileUrlOf(address, monitorFeedPath(id))}
      hasWords
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
        <Card id="days" title={words.days} hint={words.daysHint}>
          <Strip cells={kindsOf(monitor.days)} unit="day" language={language} />
        </Card>
        <Card id="response" title={words.response} hint={words.responseHint}>
          <LineChart hours={monitor.responseMs} language={language} />
        </Card>
        <Outages {...props} outages={monitor.outages} historyKey={`history/v1/m/${id}.json`}>
          <LinkItem href={fileOf(address, monitorFeedPath(id))}>{words.feed}</LinkItem>
        </Outages>
        <Badge {...props} />
        <Abuse {...props} />
      </article>
    </Layout>,
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

/** The badge in each of its forms, which the script switches, and the snippets that embed it. */
export function Badge({ address, monitor, language }: MonitorProps): Html {
  const words = MONITOR_WORDS[language];
  const path = fileOf(address, `/api/m/${monitor.id}/badge.svg`);
  const link = {
    badge: address.origin + path,
    page: urlOf(address, language, `/m/${monitor.id}`),
    alternative: words.badgeAlt,
  };
  return (
    <Card id="badge" title={words.badge} hint={words.badgeHint}>
      <fieldset class="chips forms" hidden>
        <legend>{words.badgeForm}</legend>
        {Object.entries(words.badgeForms).map(([form, label], place) => (
          <Chip name="badge" id={`badge-${form}`} value={form} isChecked={place === 0}>
            {label}
          </Chip>
        ))}
      </fieldset>
      <p class="badge">
        <img src={path} alt={words.badgeAlt} height="20" />
      </p>
      <Snippet name="HTML" copy={words.copy} text={badgeHtml(link)} />
      <Snippet name="Markdown" copy={words.copy} text={badgeMarkdown(link)} />
      <Snippet name="BBCode" copy={words.copy} text={badgeBbCode(link)} />
      <p class="hint">{words.notOurs}</p>
    </Card>
  );
}

function Snippet({ name, copy, text }: Record<"name" | "copy" | "text", string>): Html {
  const id = `snippet-${name.toLowerCase()}`;
  return (
    <div class="snippet">
      <label for={id}>{name}</label>
      <button type="button" class="copy" data-copy={id} hidden>
        {copy}
      </button>
      <textarea id={id} readonly rows={3} spellcheck={false}>
        {text}
      </textarea>
    </div>
  );
}
