/* What names in URLs are made of; none of them needs percent-encoding. */

/** Names of services, categories, channels and places: lowercase letters and digits, in groups joined by single hyphens. */
export const SLUG_SOURCE = "[a-z0-9]+(-[a-z0-9]+)*";
export const SLUG_FORM: RegExp = new RegExp(`^${SLUG_SOURCE}$`, "u");

/** Of a service, characters. Source: docs/services/catalogue.md, "Limits". */
export const MAX_SLUG_LENGTH = 64;

/** Ids of monitors. Source: docs/monitors/registry.md, "Ids". */
export const MONITOR_ID_SOURCE = "[A-Za-z0-9_-]{1,64}";
export const MONITOR_ID: RegExp = new RegExp(`^${MONITOR_ID_SOURCE}$`, "u");

/** 128 random bits as base64url: tokens, and ids that cannot be guessed. */
export const TOKEN_SOURCE = "[A-Za-z0-9_-]{22}";

/** 256 bits as base64url: keys, and hashes of them. */
export const KEY_SOURCE = "[A-Za-z0-9_-]{43}";
