import { domainToASCII } from "node:url";

/** The network of a host, and whether it is abroad. */
export interface Place {
  readonly network: string;
  readonly isAbroad: boolean;
  /** A name in `.ru` or `.рф`. */
  readonly isRuZone: boolean;
}

/** Domestic networks by host names: the simulated truth, independent of the catalogue. */
const DOMESTIC: Readonly<Record<string, RegExp>> = {
  yandex: /(^|\.)(ya\.ru|yandex\.(ru|net)|kinopoisk\.ru|77\.88\.8\.8)$/,
  vk: /(^|\.)(vk\.(ru|com)|mail\.ru|ok\.ru|okcdn\.ru|userapi\.com|vkvideo\.ru|max\.ru|oneme\.ru)$/,
  sber: /(^|\.)(sber(bank)?\.ru|giga\.chat|samokat\.ru)$/,
  gov: /(^|\.)(gosuslugi\.ru|gu-st\.ru|nalog(\.gov)?\.ru|rosreestr(\.gov)?\.ru|nspd\.gov\.ru)$/,
  wildberries: /(^|\.)(wildberries\.ru|wbbasket\.ru|wb\.ru)$/,
  nspk: /(^|\.)(nspk\.ru|privetmir\.ru|mironline\.ru)$/,
  rutube: /(^|\.)(rutube\.ru|rutubelist\.ru)$/,
  lesta: /(^|\.)(tanki\.su|lesta\.ru)$/,
  mts: /(^|\.)mts\.ru$/,
  beeline: /(^|\.)beeline\.ru$/,
  megafon: /(^|\.)(megafon|yota)\.ru$/,
  rostelecom: /(^|\.)(rt|t2)\.ru$/,
  selectel: /(^|\.)selectel\.ru$/,
  qrator: /(^|\.)habr\.com$/,
  "ddos-guard": /(^|\.)ddos-guard\.net$/,
  timeweb: /(^|\.)timeweb\.com$/,
  "ru-center": /(^|\.)nic\.ru$/,
};

/** The same abroad. */
const FOREIGN: Readonly<Record<string, RegExp>> = {
  gaijin: /(^|\.)(gaijin\.net|warthunder\.com)$/,
  google: /(^|\.)(google(apis|video)?\.com|gstatic\.com|youtube\.com|ytimg\.com)$/,
  meta: /(^|\.)(whatsapp\.(com|net)|instagram\.com|cdninstagram\.com|facebook\.com|fbcdn\.net|threads\.(com|net))$/,
  microsoft:
    /(^|\.)(microsoft(online)?\.com|live\.com|linkedin\.com|licdn\.com|minecraft(services)?\.(net|com)|mojang\.com)$/,
  apple: /(^|\.)(apple|icloud)\.com$/,
  akamai: /(^|\.)(akamai.*|steam.*|playstation\.com|sony\.com|epicgames\.com)$/,
  cloudflare:
    /(^|\.)(chatgpt\.com|openai\.com|claude\.(ai|com)|anthropic\.com|discord.*|perplexity\.ai|midjourney\.com|zoom\.us|x\.com|grok\.com|1\.1\.1\.1)$/,
  telegram: /(^|\.)(telegram\.org|t\.me)$/,
  quad9: /(^|\.)9\.9\.9\.9$/,
  wikimedia: /(^|\.)wikipedia\.org$/,
  icann: /(^|\.)iana\.org$/,
  switch: /(^|\.)ethz\.ch$/,
  funet: /(^|\.)funet\.fi$/,
};

const DOMESTIC_HOSTERS = [
  "mts",
  "beeline",
  "megafon",
  "rostelecom",
  "selectel",
  "ddos-guard",
  "qrator",
  "servicepipe",
  "ngenix",
  "dataline",
];
const FOREIGN_HOSTERS = ["amazon", "fastly", "ovh", "hetzner", "level3", "cogent"];

/**
 * The place of a host. Hosts outside the known networks are distributed over hosters by their registrable name.
 *
 * @param isForeign the side of the border, if the catalogue has it; otherwise it is derived from the name.
 */
export function placeOf(host: string, isForeign?: boolean): Place {
  const name = domainToASCII(host) || host;
  const isRuZone = /\.(ru|xn--p1ai)$/.test(name);
  const home = networkIn(DOMESTIC, name);
  if (home !== undefined) return { network: home, isAbroad: false, isRuZone };
  const foreign = networkIn(FOREIGN, name);
  if (foreign !== undefined) return { network: foreign, isAbroad: true, isRuZone };
  // `.su` is domestic as well, and two domestic services have names in foreign zones.
  const isAbroad = isForeign ?? !(isRuZone || /\.(su|info|st)$/.test(name));
  const hosters = isAbroad ? FOREIGN_HOSTERS : DOMESTIC_HOSTERS;
  const domain = name.split(".").slice(-2).join(".");
  return { network: hosters[hashOf(domain) % hosters.length] ?? "other", isAbroad, isRuZone };
}

function networkIn(table: Readonly<Record<string, RegExp>>, name: string): string | undefined {
  return Object.keys(table).find((network) => table[network]?.test(name) === true);
}

/** FNV-1a over the characters of a name; 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
