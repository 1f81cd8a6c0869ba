import type { UptimeGrade } from "../../../model/monitor/pictures.ts";
import { UPTIME_WINDOWS, type UptimeWindow } from "../../../model/monitor/monitor.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import { formatUptime, UPTIME_WORDS, WINDOW_WORDS } from "../../words/uptime.ts";
import { Card } from "./card.tsx";

interface UptimesProps {
  readonly uptimes: Readonly<Record<UptimeWindow, UptimeGrade>>;
  readonly hint: string;
  readonly language: Language;
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
