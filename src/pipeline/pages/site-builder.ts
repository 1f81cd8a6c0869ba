import { hashText } from "../../model/fnv1a.ts";
import { UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";
import {
  type MonitorOutput,
  type MonitorSubject,
  viewFailures,
  viewMonitor,
} from "./monitor-outputs.ts";
import { planOutages } from "./outage-pages.ts";
import { type SiteSources, viewSite } from "./site-view.ts";
import type { FamilyName, GroupFamily } from "../../publish/object-groups.ts";
import { planPictures, type SitePictures, toCardOutput } from "./social-cards.ts";
import { exceptionalDaysOf } from "../../monitors/uptime/availability.ts";
import { buildMonitorHistory, monitorHistoryKey } from "../../open-data/documents/histories.ts";
import { type Site, toDocument } from "../../model/service/snapshot.ts";
import type { MonitorView, SiteAddress } from "../../site/view.ts";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";
import { gradeUptime } from "../../model/monitor/pictures.ts";

/** Makes the website of a generation for the address where it is served. */
export type SiteMaker = ReturnType<typeof createSiteMaker>;

/** The website, as the built program with this digest makes it. Templates and files are loaded with the first page. */
export function createSiteMaker(pictures: SitePictures, build?: string) {
  let loading: ReturnType<typeof load> | undefined;
  const open = (): ReturnType<typeof load> => (loading ??= load(build));
  return {
    /** All pages except those of monitors; no pictures. */
    build: async (address: SiteAddress, sources: SiteSources): Promise<Site> => {
      const { buildSite, assets } = await open();
      const { updatedAtMs } = sources.snapshot;
      const view = viewSite(address, sources);
      return buildSite(view, assets.files, assets.versions, updatedAtMs, build);
    },
    /** The pictures for links to services, by slug and verdict. */
    cardsOf: (address: SiteAddress, sources: SiteSources): GroupFamily =>
      planPictures(address, sources, pictures),
    /** The pages and documents of outages. */
    outagesOf: async (address: SiteAddress, sources: SiteSources): Promise<GroupFamily> => {
      const { toTemplates, assets } = await open();
      const place = address.origin + address.root;
      return planOutages(sources, place, toTemplates(address, assets.versions, build));
    },
    /** What each public monitor has in addition to its badges, by family. */
    outputsOf: async (address: SiteAddress) =>
      new Map<FamilyName, MonitorOutput>([
        ["page", toPageOutput(address, await open())],
        ["feed", toFeedOutput(address, await open())],
        ["card", toCardOutput(address, pictures.drawCard)],
      ]),
  };
}

async function load(build: string | undefined) {
  const [site, assets] = await Promise.all([import("../../site/site-files.ts"), loadSiteAssets()]);
  const designOf = (address: SiteAddress) => site.designOf(address, assets.versions, build);
  return { ...site, designOf, assets };
}

function toPageOutput(
  address: SiteAddress,
  { designOf, assets: { versions }, ...pages }: Awaited<ReturnType<typeof load>>,
): MonitorOutput {
  const design = designOf(address);
  return {
    keysOf: pages.monitorPageKeys,
    signatureOf: (subject) =>
      `${design}|${hashText(JSON.stringify(toVisible(viewMonitor(subject))))}`,
    build: async (subject) => pages.buildMonitorPages(address, viewMonitor(subject), versions),
  };
}

/**
 * The feed and the history. Apart from the pages, because they change only with a failure or at the end of a day that was not whole,
 * and pages with each hour. One group for both, because each group is a row of the state.
 */
function toFeedOutput(
  address: SiteAddress,
  { designOf, ...pages }: Awaited<ReturnType<typeof load>>,
): MonitorOutput {
  const design = designOf(address);
  return {
    keysOf: (id) => [pages.monitorFeedKey(id), monitorHistoryKey(id)],
    signatureOf: (subject) => {
      const { failures, days } = pastOf(subject);
      const shown = JSON.stringify([subject.monitor.name, failures, days]);
      return `${design}|${hashText(shown)}`;
    },
    build: async (subject) => {
      const { failures, days } = pastOf(subject);
      return [
        pages.buildMonitorFeedDocument(address, viewMonitor(subject)),
        buildMonitorHistory({ id: subject.monitor.id, days, failures: failures.toReversed() }),
      ];
    },
  };
}

function pastOf({ record, clock, nowMs }: MonitorSubject) {
  return record === undefined
    ? { failures: [], days: [] }
    : { failures: viewFailures(record), days: exceptionalDaysOf(record, clock, nowMs) };
}

/** The counts grow with every check, but the grade that pages show seldom changes. */
function toVisible({ uptimes, ...others }: MonitorView): object {
  return { ...others, uptimes: UPTIME_WINDOWS.map((window) => gradeUptime(uptimes[window])) };
}

/** Files that ship with the program and are published unchanged. The scripts are built from `src/site/browser`. */
const FILES = [
  "data/assets/site.css",
  "dist/web/site.js",
  "dist/web/owners.js",
  "dist/web/follow.js",
  "dist/web/push.js",
  "dist/web/embed.js",
  "data/assets/favicon.svg",
  "data/assets/icon-192.png",
  "data/assets/icon-512.png",
  "data/assets/icon-maskable.png",
  "data/assets/card.png",
];

/** The static files of the website, and the versions of those that pages link to. Rejects with the system's error. */
async function loadSiteAssets() {
  const files = await Promise.all(
    FILES.map(async (path) => {
      const body = await readFile(new URL(path, PROGRAM_FOLDER));
      return toDocument(basename(path), body);
    }),
  );
  const versionOf = (key: string): string => {
    const body = files.find((file) => file.key === key)?.body ?? "";
    return createHash("sha256").update(body).digest("hex").slice(0, 8);
  };
  return {
    files,
    versions: {
      css: versionOf("site.css"),
      script: versionOf("site.js"),
      ownerScript: versionOf("owners.js"),
      followScript: versionOf("follow.js"),
    },
  };
}
