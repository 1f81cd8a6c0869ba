import { UPTIME_WINDOWS } from "../../../model/monitor/monitor.ts";
import type { Html } from "../../html.ts";
import { formatUptime, MONTH_WORDS, UPTIME_WORDS, WINDOW_WORDS } from "../../words/chart.ts";
import {
  Card,
  HeadRow,
  type LanguageProps,
  LinkItem,
  Moment,
  type PageProps,
} from "./elements.tsx";
import { toUnixSeconds } from "../../../model/time.ts";
import type { OutageView, ServiceView } from "../../view.ts";
import { describePast } from "../../words/told-with.ts";
import type { PastOutages } from "../../../model/service/accuracy.ts";
import { describeLength } from "../../words/numbers.ts";
import { describeCause, OUTAGE_WORDS } from "../../words/failure.ts";
import { formatMonth } from "../../words/time.ts";
import { DATA_WORDS } from "../../words/pages/data-page.ts";
import { fileOf, pathOf } from "./links.ts";

interface UptimesProps extends LanguageProps {
  readonly uptimes: ServiceView["uptimes"];
  readonly hint: string;
}

/** The uptime of a service or monitor in each window. */
export function Uptimes({ uptimes, hint, language }: UptimesProps): Html {
  const words = UPTIME_WORDS[language];
  return (
    <Card id="uptime" title={words.uptime} hint={hint}>
      <dl class="uptimes">
        {UPTIME_WINDOWS.map((window) => {
          const { value, tone } = uptimes[window];
          return (
            <div data-window={window} data-tone={tone}>
              <dt>{WINDOW_WORDS[language][window]}</dt>
              <dd>{value === null ? words.noData : formatUptime(value, language)}</dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}

interface OutagesProps extends PageProps {
  readonly outages: readonly OutageView[];
  /** Key of the history of what the page is about: `history/v1/vtb.json`. */
  readonly historyKey: string;
  readonly past?: PastOutages | null;
  /** Items of the list of links, before those to the data. */
  readonly children?: Html;
}

/** The last outages of a service or a monitor: beginning, length and cause; and where the others are. */
export function Outages(props: OutagesProps): Html {
  const { outages, address, language, historyKey, past = null, children } = props;
  const words = OUTAGE_WORDS[language];
  const data = DATA_WORDS[language];
  const momentOf = (atMs: number): Html => <Moment {...{ atMs, language, address }} />;
  return (
    <Card
      id="outages"
      title={words.title}
      hint={past === null ? undefined : describePast(past, language)}
    >
      {outages.length === 0 ? (
        <p class="empty">{words.none}</p>
      ) : (
        <ol class="outages">
          {outages.map(({ sinceMs, endedAtMs, path, ...cause }) => (
            <li
              data-since={String(toUnixSeconds(sinceMs))}
              data-until={endedAtMs === null ? "" : String(toUnixSeconds(endedAtMs))}
            >
              {path === undefined ? (
                momentOf(sinceMs)
              ) : (
                <a href={pathOf(address, language, path)}>{momentOf(sinceMs)}</a>
              )}
              <b>
                {endedAtMs === null ? words.lasts : describeLength(endedAtMs - sinceMs, language)}
              </b>
              <span class="cause">{describeCause(cause, language)}</span>
            </li>
          ))}
        </ol>
      )}
      <ul class="links">
        {children}
        <LinkItem href={fileOf(address, `/${historyKey}`)}>{data.history}</LinkItem>
        <LinkItem href={pathOf(address, language, "/data")}>{data.link}</LinkItem>
      </ul>
    </Card>
  );
}

/** Uptime and outages by month; nothing before the first day is over. */
export function Months({ months, language }: LanguageProps & Pick<ServiceView, "months">): Html {
  const words = MONTH_WORDS[language];
  if (months.length === 0) return <></>;
  return (
    <Card id="months" title={words.title} hint={words.hint}>
      <table class="months">
        <HeadRow titles={[words.month, UPTIME_WORDS[language].uptime, words.outages]} />
        <tbody>
          {months.map(({ month, uptime, outages }) => (
            <tr>
              <th scope="row">{formatMonth(month, language)}</th>
              <td>{uptime === null ? words.none : formatUptime(uptime, language)}</td>
              <td>{uptime === null ? "" : outages}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
