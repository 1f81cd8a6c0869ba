/** The objects of a public monitor in the public store, in the order of a listing. Source: docs/monitors/badges.md. */
export const BADGE_NAMES: readonly string[] = [
  "badge-24h.svg",
  "badge-7d.svg",
  "badge-90d.svg",
  "badge.json",
  "badge.png",
  "badge.svg",
];
