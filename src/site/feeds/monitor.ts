import { fileOf, monitorFeedPath } from "../pages/parts/links.ts";
import type { MonitorView, OutageView, SiteAddress } from "../view.ts";
import { LANGUAGES } from "../words/language.ts";
import { describeLength } from "../words/length.ts";
import { CONDITION_HINTS, CONDITION_WORDS, MONITOR_WORDS } from "../words/pages/monitor-page.ts";
import { describeCause } from "../words/outage.ts";
import { formatMachine } from "../words/time.ts";
import { buildAtom, type FeedEntry } from "./atom.ts";
import { idOf } from "./ids.ts";

/** The feed of the failures of one monitor, in both languages: an entry for its beginning, and one for its end. */
export function buildMonitorFeed(address: SiteAddress, monitor: MonitorView): string {
  const { id, name, outages } = monitor;
  return buildAtom(address, {
    languages: LANGUAGES,
    name: `m/${id}`,
    titleIn: (language) => MONITOR_WORDS[language].feedTitle(name),
    self: address.origin + fileOf(address, monitorFeedPath(id)),
    page: `/m/${id}`,
    entries: outages.flatMap((outage) => [...toEnd(monitor, outage), toBeginning(monitor, outage)]),
  });
}

function toBeginning({ id, name }: MonitorView, outage: OutageView): FeedEntry {
  return {
    id: idOf("failing", LANGUAGES[0], id, formatMachine(outage.sinceMs)),
    atMs: outage.sinceMs,
    subject: name,
    page: `/m/${id}`,
    term: "failing",
    labelIn: (language) => CONDITION_WORDS[language].failing,
    textIn: (language) =>
      `${CONDITION_HINTS[language].failing} ${MONITOR_WORDS[language].reason}: ${describeCause(outage, language)}.`,
  };
}

function toEnd({ id, name }: MonitorView, outage: OutageView): readonly FeedEntry[] {
  const { sinceMs, endedAtMs } = outage;
  if (endedAtMs === null) return [];
  return [
    {
      id: idOf("over", LANGUAGES[0], id, formatMachine(endedAtMs)),
      atMs: endedAtMs,
      subject: name,
      page: `/m/${id}`,
      term: "over",
      labelIn: (language) => MONITOR_WORDS[language].isOver,
      textIn: (language) => {
        const { lasted, reason } = MONITOR_WORDS[language];
        const length = describeLength(endedAtMs - sinceMs, language);
        return `${lasted} ${length}. ${reason}: ${describeCause(outage, language)}.`;
      },
    },
  ];
}
