import type { BadgeContent, BadgeTone } from "../model/monitor.ts";
import { countSituations } from "./situation.ts";
import type { SiteView } from "./view.ts";
import { FRAME_WORDS } from "./words/frame.ts";
import { describeSituation } from "./words/index-page.ts";
import type { Language } from "./words/language.ts";

/** Key of the badge with the situation of all services. */
export const OVERALL_BADGE_KEY = "badge.svg";

/** The badge of all services, with the heading of the list. It says nothing of now: caches may keep it. */
export function overallBadgeOf(view: SiteView, language: Language): BadgeContent {
  const count = countSituations(view.services);
  const isUnknown = count("none") === view.services.length;
  const tone: BadgeTone = count("outage") > 0 ? "bad" : count("warning") > 0 ? "poor" : "best";
  return {
    label: FRAME_WORDS[language].siteName,
    message: describeSituation(count, language),
    tone: isUnknown ? "none" : tone,
  };
}
