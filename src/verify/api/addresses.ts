/*
 * Where a client finds the documents. A deliberate copy: checks with the paths of the publisher could not find its mistakes.
 */

export const LIST_PATH = "/api/v1/status";

/** Path of the detail of a service. */
export function detailPath(slug: string): string {
  return `${LIST_PATH}/${slug}`;
}

/**
 * The objects of a public monitor. Sources: for the first, API specification, "Monitor badge"; for the others, and the value that
 * badges show, docs/verify.md.
 */
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
export function badgePath(id: string, name: string): string {
  return `/api/m/${id}/${name}`;
}

/** Paths of open data of which there is one document. Source: docs/open-data.md. */
export const DATA_PATHS = {
  changes: "/changes/v1.json",
  metrics: "/metrics",
  accuracy: "/accuracy/v1.json",
  historyIndex: "/history/v1/index.json",
  archiveIndex: "/archive/v1/index.json",
  datapackage: "/archive/v1/datapackage.json",
  overallShield: "/badge.json",
} as const;

/** Path of a document in the format of Statuspage. */
export function statuspagePath(name: string): string {
  return `/api/v2/${name}.json`;
}

/** Path of the history of a service. */
export function historyPath(slug: string): string {
  return `/history/v1/${slug}.json`;
}

/** Path of the verdict of a service for the endpoint badge of shields.io. */
export function shieldPath(slug: string): string {
  return `/badge/${slug}.json`;
}

/** Path of a file of the archive, as the index names it. */
export function archivePath(path: string): string {
  return `/archive/v1/${path}`;
}
