import { toUnixSeconds } from "../../../model/time.ts";
import type { Html } from "../../html.ts";
import type { OutageView, SiteAddress } from "../../view.ts";
import type { Language } from "../../words/language.ts";
import { describeLength } from "../../words/length.ts";
import { describeCause, OUTAGE_WORDS } from "../../words/outage.ts";
import { Card } from "./card.tsx";
import { Moment } from "./status-light.tsx";

interface OutagesProps {
  readonly outages: readonly OutageView[];
  readonly address: SiteAddress;
  readonly language: Language;
  /** Below the list. */
  readonly children?: Html;
}

/** The last outages of a service or a monitor: beginning, length and cause. */
export function Outages({ outages, address, language, children }: OutagesProps): Html {
  const words = OUTAGE_WORDS[language];
  return (
    <Card id="outages" title={words.title}>
      {outages.length === 0 ? (
        <p class="empty">{words.none}</p>
      ) : (
        <ol class="outages">
          {outages.map(({ sinceMs, endedAtMs, ...cause }) => (
            <li
              data-since={String(toUnixSeconds(sinceMs))}
              data-until={endedAtMs === null ? "" : String(toUnixSeconds(endedAtMs))}
            >
              <Moment atMs={sinceMs} language={language} address={address} />
              <b>
                {endedAtMs === null ? words.lasts : describeLength(endedAtMs - sinceMs, language)}
              </b>
              <span class="cause">{describeCause(cause, language)}</span>
            </li>
          ))}
        </ol>
      )}
      {children ?? <></>}
    </Card>
  );
}
