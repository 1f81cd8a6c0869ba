/*
 * Where a client finds the documents. A deliberate copy: checks with the paths of the publisher could not find its mistakes.
 */

export const LIST_PATH = "/api/v1/status";

/** Paths of documents of a service, by its slug. Sources: API specification, "Endpoints"; docs/open-data.md. */
export const detailPath = (slug: string): string => `${LIST_PATH}/${slug}`;
export const historyPath = (slug: string): string => `/history/v1/${slug}.json`;
export const shieldPath = (slug: string): string => `/badge/${slug}.json`;

/** Paths of open data of which there is one document. Source: docs/open-data.md. */
export const DATA_PATHS = {
  changes: "/changes/v1.json",
  metrics: "/metrics",
  accuracy: "/accuracy/v1.json",
  historyIndex: "/history/v1/index.json",
  outages: "/outages/v1/index.json",
  operators: "/operators/v1.json",
  archiveIndex: "/archive/v1/index.json",
  datapackage: "/archive/v1/datapackage.json",
  overallShield: "/badge.json",
} as const;

/** English names of services. Source: docs/website.md. */
export const NAMES_PATH = "/names.json";

/** Path of a document in the format of Statuspage. */
export const statuspagePath = (name: string): string => `/api/v2/${name}.json`;

/** Path of a file of the archive, as the index names it. */
export const archivePath = (path: string): string => `/archive/v1/${path}`;

/** The objects of a public monitor. Sources: for the first, API specification, "Monitor badge"; for the others, docs/verify.md. */
export const BADGE_NAMES = [
  "badge.svg",
  "badge.png",
  "badge.json",
  "badge-24h.svg",
  "badge-7d.svg",
  "badge-90d.svg",
] as const;
export type BadgeName = (typeof BADGE_NAMES)[number];

/** Path of an object of a monitor. */
export const badgePath = (id: string, name: string): string => `/api/m/${id}/${name}`;
