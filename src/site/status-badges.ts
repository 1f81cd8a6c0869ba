import type { Service } from "../model/service/catalogue.ts";
import type { BadgeContent, BadgeTone } from "../model/monitor/monitor.ts";
import type { Color, Verdict } from "../contract/codes/verdict.ts";
import { cardKey } from "./card-content.ts";
import { countSituations, type OverallSituation, overallSituation } from "./situation.ts";
import { FRAME_WORDS } from "./words/pages/frame.ts";
import { describeSituation } from "./words/pages/index-page.ts";
import type { Language } from "./words/language.ts";
import { nameService } from "./words/service-name.ts";
import { VERDICT_LABELS } from "../contract/codes/verdict-words.ts";

/** Name of the badge of all services among the pictures of the website. */
export const OVERALL_BADGE_ID = "badge";

/** Name of the badge of a service among the pictures of the website. No name of a card has a slash. */
export function serviceBadgeId(slug: string): string {
  return `badge/${slug}`;
}

/** Object keys of a picture of the website: `badge/vtb.svg` and `badge/vtb.json` of a badge, `card/vtb.ok.png` of a card. */
export function pictureKeys(id: string): readonly string[] {
  const isBadge = id === OVERALL_BADGE_ID || id.startsWith("badge/");
  return isBadge ? [`${id}.svg`, `${id}.json`] : [cardKey(id)];
}

const TONE_OF_SITUATION: Readonly<Record<OverallSituation, BadgeTone>> = {
  outage: "bad",
  warning: "poor",
  ok: "best",
  none: "none",
};

const TONE_OF_COLOR: Readonly<Record<Color, BadgeTone>> = {
  ok: "best",
  warn: "poor",
  bad: "bad",
  none: "none",
};

/** The badge of all services, with the heading of the list. It says nothing of now: caches may keep it. */
export function overallBadgeOf(
  services: readonly { readonly verdict: Verdict }[],
  language: Language,
): BadgeContent {
  return {
    label: FRAME_WORDS[language].siteName,
    message: describeSituation(countSituations(services), language),
    tone: TONE_OF_SITUATION[overallSituation(services)],
  };
}

/** The badge of one service, with its name and the label of its verdict. */
export function serviceBadgeOf(
  service: Pick<Service, "name" | "nameEn">,
  { code, color }: Verdict,
  language: Language,
): BadgeContent {
  return {
    label: nameService(service, language),
    message: VERDICT_LABELS[language][code],
    tone: TONE_OF_COLOR[color],
  };
}
