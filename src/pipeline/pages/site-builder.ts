import { hashText } from "../../model/fnv1a.ts";
import { UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";
import type { Document } from "../../model/service/snapshot.ts";
import { gradeUptime } from "../../model/monitor/uptime-grade.ts";
import type { MonitorOutput, MonitorSubject } from "./monitor-outputs.ts";
import { viewFailures, viewMonitor } from "./monitor-view.ts";
import { loadSiteAssets } from "./site-assets.ts";
import { type SiteMaker, viewSite } from "./site-view.ts";
import { planPictures, type SitePictures, toCardOutput } from "./social-cards.ts";
import { exceptionalDaysOf } from "../../monitors/uptime/uptime-days.ts";
import { METHOD_VERSION } from "../../model/service/method.ts";
import {
  buildMonitorHistory,
  monitorHistoryKey,
} from "../../open-data/documents/monitor-history.ts";
import type { MonitorView, SiteAddress } from "../../site/view.ts";

/** The website. Templates and files are loaded with the first page. */
export function createSiteMaker(pictures: SitePictures): SiteMaker {
  const { drawCard } = pictures;
  let loading: ReturnType<typeof load> | undefined;
  const open = (): ReturnType<typeof load> => (loading ??= load());
  return {
    build: async (address, sources) => {
      const { buildSite, assets } = await open();
      const { updatedAtMs } = sources.snapshot;
      const view = viewSite(address, sources);
      return buildSite(view, assets.files, assets.versions, updatedAtMs);
    },
    cardsOf: (address, sources) => planPictures(address, sources, pictures),
    outputsOf: async (address) =>
      new Map([
        ["page", toPageOutput(address, await open())],
        ["feed", toFeedOutput(address, await open())],
        ["card", toCardOutput(address, drawCard)],
      ]),
  };
}

async function load() {
  const [{ buildSite }, pages, assets] = await Promise.all([
    import("../../site/site-files.ts"),
    import("../../site/monitor-documents.ts"),
    loadSiteAssets(),
  ]);
  return { buildSite, pages, assets };
}

function toPageOutput(
  address: SiteAddress,
  { pages, assets: { versions } }: Awaited<ReturnType<typeof load>>,
): MonitorOutput {
  let design: string | undefined;
  return {
    keysOf: pages.monitorPageKeys,
    signatureOf: (subject) => {
      design ??= pages.hashMonitorTemplate(address, versions);
      return `${design}|${hashText(JSON.stringify(toVisible(viewMonitor(subject))))}`;
    },
    build: async (subject) => pages.buildMonitorPages(address, viewMonitor(subject), versions),
  };
}

/**
 * The feed and the history. Apart from the pages, because they change only with a failure or at the end of a day that was not whole,
 * and pages with each hour. One group for both, because each group is a row of the state.
 */
function toFeedOutput(
  address: SiteAddress,
  { pages }: Awaited<ReturnType<typeof load>>,
): MonitorOutput {
  let design: string | undefined;
  return {
    keysOf: (id) => [pages.monitorFeedKey(id), monitorHistoryKey(id)],
    signatureOf: ({ monitor: { name }, record, clock, nowMs }) => {
      design ??= pages.hashMonitorFeedTemplate(address);
      const failures = record === undefined ? [] : viewFailures(record);
      const days = record === undefined ? [] : exceptionalDaysOf(record, clock, nowMs);
      return `${design}|${METHOD_VERSION}|${hashText(JSON.stringify([name, failures, days]))}`;
    },
    build: async (subject) => [
      pages.buildMonitorFeedDocument(address, viewMonitor(subject)),
      toHistory(subject),
    ],
  };
}

function toHistory({ monitor: { id }, record, clock, nowMs }: MonitorSubject): Document {
  return buildMonitorHistory({
    id,
    days: record === undefined ? [] : exceptionalDaysOf(record, clock, nowMs),
    failures: record === undefined ? [] : viewFailures(record).toReversed(),
  });
}

/** The counts grow with every check, but the grade that pages show seldom changes. */
function toVisible({ uptimes, ...others }: MonitorView): object {
  return { ...others, uptimes: UPTIME_WINDOWS.map((window) => gradeUptime(uptimes[window])) };
}
