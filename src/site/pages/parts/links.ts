import type { Language } from "../../words/language.ts";
import type { SiteAddress } from "../../view.ts";

/** Path of a page in a language, from the root of the host: `/en/status/vtb` of `/status/vtb`. */
export function pathOf(address: SiteAddress, language: Language, path: string): string {
  return address.root + (language === "en" ? `/en${path}` : path);
}

/** Absolute URL of a page in a language. */
export function urlOf(address: SiteAddress, language: Language, path: string): string {
  return address.origin + pathOf(address, language, path);
}

/** Path of the bilingual feed of one service. */
export function serviceFeedPath(slug: string): string {
  return `/feed/${slug}.atom`;
}

/** Path of the bilingual feed of one monitor. */
export function monitorFeedPath(id: string): string {
  return `/feed/m/${id}.atom`;
}

/** Path of a file without a language, such as `/site.css`. */
export function fileOf(address: SiteAddress, path: string): string {
  return address.root + path;
}

/** Whether pages have the switch for notices: a notifier sends them, and an intake takes subscriptions. */
export function hasPush({ pushKey, reportUrl }: SiteAddress): boolean {
  return pushKey !== null && reportUrl !== null;
}
