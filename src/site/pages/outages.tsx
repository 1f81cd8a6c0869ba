import { toUnixSeconds } from "../../model/time.ts";
import type { Html } from "../html.ts";
import { describeLength } from "../words/length.ts";
import { describeCause } from "../words/outage.ts";
import { SERVICE_WORDS } from "../words/service-page.ts";
import { Card } from "./card.tsx";
import type { ServiceProps } from "./page-props.ts";
import { Moment } from "./status-light.tsx";

/** The last outages of a service: beginning, length and cause. */
export function Outages({ service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  return (
    <Card id="outages" title={words.outages}>
      {service.outages.length === 0 ? (
        <p class="empty">{words.noOutages}</p>
      ) : (
        <ol class="outages">
          {service.outages.map(({ sinceMs, endedAtMs, ...cause }) => (
            <li
              data-since={String(toUnixSeconds(sinceMs))}
              data-until={endedAtMs === null ? "" : String(toUnixSeconds(endedAtMs))}
            >
              <Moment atMs={sinceMs} language={language} />
              <b>
                {endedAtMs === null ? words.lasts : describeLength(endedAtMs - sinceMs, language)}
              </b>
              <span class="cause">{describeCause(cause, language)}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
