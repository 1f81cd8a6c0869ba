import type { BadgeContent, BadgeTone } from "../model/monitor.ts";
import type { Verdict } from "../model/verdict.ts";
import { cardKey } from "./card-content.ts";
import { countSituations, type OverallSituation, overallSituation } from "./situation.ts";
import { FRAME_WORDS } from "./words/frame.ts";
import { describeSituation } from "./words/index-page.ts";
import type { Language } from "./words/language.ts";

/** Key of the badge with the situation of all services. */
export const OVERALL_BADGE_KEY = "badge.svg";

/** Name of this badge among the pictures. It is none of a card, because each of those contains a dot. */
export const OVERALL_BADGE_ID = "badge";

/** Object key of a picture of the list or a service: of the badge, or of the card with this `cardId`. */
export function pictureKey(id: string): string {
  return id === OVERALL_BADGE_ID ? OVERALL_BADGE_KEY : cardKey(id);
}

const TONES: Readonly<Record<OverallSituation, BadgeTone>> = {
  outage: "bad",
  warning: "poor",
  ok: "best",
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
    tone: TONES[overallSituation(services)],
  };
}
