import { type Language, LANGUAGES } from "../../../contract/codes/language.ts";
import type { SiteAddress } from "../../view.ts";
import { domainToUnicode } from "node:url";

/** Object key of a page in a language: `en/status/vtb` of `/status/vtb`. Russian is at the root, other languages are in folders. */
export function pageKeyOf(language: Language, path: string): string {
  return language === "ru" ? path.slice(1) : language + path;
}

/** Object keys of a page, one of each language. */
export function pageKeys(path: string): readonly string[] {
  return LANGUAGES.map((language) => pageKeyOf(language, path));
}

/** Path of a page in a language, from the root of the host: `/en/status/vtb` of `/status/vtb`. */
export function pathOf(address: SiteAddress, language: Language, path: string): string {
  return `${address.root}/${pageKeyOf(language, path)}`;
}

/** Absolute URL of a page in a language. */
export function urlOf(address: SiteAddress, language: Language, path: string): string {
  return address.origin + pathOf(address, language, path);
}

/** Path of the bilingual feed of one service. */
export function serviceFeedPath(slug: string): string {
  return `/feed/${slug}.atom`;
}

/** Path of the bilingual feed of outages. No slug of a catalogue may be this name. */
export const outageFeedPath: string = serviceFeedPath("all-outages");

/** Path of the bilingual feed of one monitor. */
export function monitorFeedPath(id: string): string {
  return `/feed/m/${id}.atom`;
}

/** Path of a file without a language, such as `/site.css`. */
export function fileOf(address: SiteAddress, path: string): string {
  return address.root + path;
}

/** Absolute URL of a file without a language. */
export function fileUrlOf(address: SiteAddress, path: string): string {
  return address.origin + fileOf(address, path);
}

/** Whether pages have the switch for notices: a notifier sends them, and an intake takes subscriptions. */
export function hasPush({ pushKey, reportUrl }: SiteAddress): boolean {
  return pushKey !== null && reportUrl !== null;
}

/** Of one alphabet each, so that no letter of one looks like that of another. Source: UTS 39, "Restriction-Level Detection". */
const PLAIN_LABELS = [/^[a-z\d-]+$/u, /^[\p{Script=Cyrillic}\d-]+$/u];

/**
 * A host, with or without a port, as people write it: `xn--e1afmkfd.xn--p1ai` is `пример.рф`. A name of mixed alphabets, of others than
 * Latin and Cyrillic, or in Cyrillic letters below a Latin ending, could pass for another and stays in Punycode.
 */
export function showHost(host: string): string {
  if (!/(?:^|\.)xn--/iu.test(host)) return host;
  const [, name = host, port = ""] = /^(.*?)((?::\d+)?)$/u.exec(host) ?? [];
  const labels = domainToUnicode(name).split(".");
  const isPlain = labels.every((label) => PLAIN_LABELS.some((plain) => plain.test(label)));
  const isCyrillic = /\p{Script=Cyrillic}/u.test(labels.at(-1) ?? "");
  return isPlain && isCyrillic ? labels.join(".") + port : host;
}

/** An absolute web address with its host as people write it. */
export function showUrl(url: string): string {
  return url.replace(/^(https?:\/\/)([^/?#]+)/u, (_, scheme: string, host: string) => {
    return scheme + showHost(host);
  });
}
