import type { Language } from "../language.ts";
import type { SiteAddress } from "../view.ts";

/** Path of a page in a language, from the root of the host: `/en/status/vtb` of `/status/vtb`. */
export function pathOf(address: SiteAddress, language: Language, path: string): string {
  return address.root + (language === "en" ? `/en${path}` : path);
}

/** The same with the origin, as other sites need it. */
export function urlOf(address: SiteAddress, language: Language, path: string): string {
  return address.origin + pathOf(address, language, path);
}

/** Path of something that has no language, such as `/site.css`. */
export function fileOf(address: SiteAddress, path: string): string {
  return address.root + path;
}
