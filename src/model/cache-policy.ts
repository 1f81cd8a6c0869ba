/** `Cache-Control` of objects that change with the checks, and of missing ones. Source: docs/api.md, "Headers". */
export const CACHE_A_MINUTE = "max-age=60";

/** `Cache-Control` of objects that change only with the version of the program: pages request them by digest. */
export const CACHE_AN_HOUR = "max-age=3600";

/** `Cache-Control` of objects that never change. Source: RFC 8246. */
export const CACHE_FOR_EVER = "public, max-age=31536000, immutable";
