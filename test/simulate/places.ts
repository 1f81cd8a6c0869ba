import { domainToASCII } from "node:url";

/** Where a host stands: who carries its traffic, and whether that is behind the way abroad. */
export interface Place {
  readonly network: string;
  readonly isAbroad: boolean;
  /** A name that the registry of `.ru` and `.рф` has to know. */
  readonly isRuZone: boolean;
}

/** Owners that run networks of their own, by parts of host names. What the world is like, not what the catalogue says. */
const OWNERS: readonly (readonly [network: string, isAbroad: boolean, pattern: RegExp])[] = [
  ["yandex", false, /(^|\.)(ya\.ru|yandex\.(ru|net)|kinopoisk\.ru)$/],
  [
    "vk",
    false,
    /(^|\.)(vk\.ru|mail\.ru|ok\.ru|okcdn\.ru|userapi\.com|vkvideo\.ru|max\.ru|oneme\.ru)$/,
  ],
  ["sber", false, /(^|\.)(sber(bank)?\.ru|giga\.chat|samokat\.ru)$/],
  [
    "gov",
    false,
    /(^|\.)(gosuslugi\.ru|gu-st\.ru|nalog(\.gov)?\.ru|rosreestr(\.gov)?\.ru|nspd\.gov\.ru)$/,
  ],
  ["wildberries", false, /(^|\.)(wildberries\.ru|wbbasket\.ru|wb\.ru)$/],
  ["nspk", false, /(^|\.)(nspk\.ru|privetmir\.ru|mironline\.ru)$/],
  ["rutube", false, /(^|\.)(rutube\.ru|rutubelist\.ru)$/],
  ["lesta", false, /(^|\.)(tanki\.su|lesta\.ru)$/],
  ["gaijin", true, /(^|\.)(gaijin\.net|warthunder\.com)$/],
  ["google", true, /(^|\.)(google(apis|video)?\.com|gstatic\.com|youtube\.com|ytimg\.com)$/],
  [
    "meta",
    true,
    /(^|\.)(whatsapp\.(com|net)|instagram\.com|cdninstagram\.com|facebook\.com|fbcdn\.net|threads\.(com|net))$/,
  ],
  [
    "microsoft",
    true,
    /(^|\.)(microsoft(online)?\.com|live\.com|linkedin\.com|licdn\.com|minecraft(services)?\.(net|com)|mojang\.com)$/,
  ],
  ["apple", true, /(^|\.)(apple|icloud)\.com$/],
  ["akamai", true, /(^|\.)(akamai.*|steam.*|playstation\.com|sony\.com|epicgames\.com)$/],
  [
    "cloudflare",
    true,
    /(^|\.)(chatgpt\.com|openai\.com|claude\.(ai|com)|anthropic\.com|discord.*|perplexity\.ai|midjourney\.com|zoom\.us|x\.com|grok\.com)$/,
  ],
  ["telegram", true, /(^|\.)(telegram\.org|t\.me)$/],
];

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

/** The place of a host name. Others than the known owners are spread over hosters by their registrable name. */
export function placeOf(host: string): Place {
  const name = domainToASCII(host) || host;
  const isRuZone = /\.(ru|xn--p1ai)$/.test(name);
  const owner = OWNERS.find(([, , pattern]) => pattern.test(name));
  if (owner !== undefined) return { network: owner[0], isAbroad: owner[1], isRuZone };
  // Anchors abroad may have a Russian name in front of a foreign domain, and `.su` is a domestic zone as well.
  const isAbroad = !isRuZone && !/\.(su|info|st)$/.test(name);
  const hosters = isAbroad ? FOREIGN_HOSTERS : DOMESTIC_HOSTERS;
  const domain = name.split(".").slice(-2).join(".");
  return { network: hosters[hashOf(domain) % hosters.length] ?? "other", isAbroad, isRuZone };
}

/** FNV-1a over the characters of a name; 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
