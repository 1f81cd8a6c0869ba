import type { CardContent } from "../model/social-card.ts";
import { gradeUptime } from "../model/uptime-grade.ts";
import type { BadgeTone } from "../model/monitor.ts";
import { COLOR_OF, type Color, type VerdictCode } from "../model/verdict.ts";
import type { MonitorView, SiteAddress } from "./view.ts";
import { COLOR_OF_SITUATION, type OverallSituation } from "./situation.ts";
import { CARD_WORDS, OVERALL_WORDS } from "./words/card.ts";
import { FRAME_WORDS } from "./words/frame.ts";
import { VERDICT_LABELS } from "./words/verdict.ts";

const COLOR_OF_TONE: Readonly<Record<BadgeTone, Color>> = {
  best: "ok",
  good: "ok",
  fair: "warn",
  poor: "warn",
  bad: "bad",
  none: "none",
};

/** Object key of the picture of a service (by its `cardId`) or of a monitor (`m/<id>`). */
export function cardKey(name: string): string {
  return `card/${name}.png`;
}

/** In place of a slug, for the pictures of the list. */
export const LIST_CARD = "all-services";

/** Name of the picture of a service with a verdict, or of the list. Unique, because no slug contains a dot. */
export function cardId(slug: string, code: VerdictCode | OverallSituation): string {
  return `${slug}.${code}`;
}

/** The picture for links to the page of a service with this name and verdict. */
export function cardOfService(address: SiteAddress, name: string, code: VerdictCode): CardContent {
  return {
    title: name,
    label: VERDICT_LABELS.ru[code],
    sublabel: VERDICT_LABELS.en[code],
    color: COLOR_OF[code],
    site: hostOf(address),
  };
}

/** The picture for links to the list in a situation: without counts, so that it is drawn once. */
export function cardOfList(address: SiteAddress, situation: OverallSituation): CardContent {
  return {
    title: FRAME_WORDS.ru.siteName,
    label: OVERALL_WORDS.ru[situation],
    sublabel: OVERALL_WORDS.en[situation],
    color: COLOR_OF_SITUATION[situation],
    site: hostOf(address),
  };
}

/** The picture for links to the page of a monitor: its 30-day uptime, in whole per cent so that it is rarely redrawn. */
export function cardOfMonitor(
  address: SiteAddress,
  { name, uptimes }: Pick<MonitorView, "name" | "uptimes">,
): CardContent {
  const { value, tone } = gradeUptime(uptimes["30d"]);
  const percent = value?.replace(/\..*$/u, "%") ?? null;
  return {
    title: name,
    label: CARD_WORDS.ru(percent),
    sublabel: CARD_WORDS.en(percent),
    color: COLOR_OF_TONE[tone],
    site: hostOf(address),
  };
}

function hostOf({ origin, root }: SiteAddress): string {
  return origin.replace(/^https?:\/\//u, "") + root;
}
