import { hashText } from "../model/fnv1a.ts";
import { UPTIME_WINDOWS } from "../model/monitor.ts";
import { gradeUptime } from "../model/uptime-grade.ts";
import type { MonitorOutput } from "./monitor-outputs.ts";
import { viewFailures, viewMonitor } from "./monitor-view.ts";
import { loadSiteAssets } from "./site-assets.ts";
import { type SiteMaker, viewSite } from "./site-view.ts";
import { planPictures, type SitePictures, toCardOutput } from "./social-cards.ts";
import type { MonitorView, SiteAddress } from "../site/view.ts";

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
    import("../site/site-files.ts"),
    import("../site/monitor-documents.ts"),
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

/** Apart from the pages, because it changes only with a failure, and they with each hour. */
function toFeedOutput(
  address: SiteAddress,
  { pages }: Awaited<ReturnType<typeof load>>,
): MonitorOutput {
  let design: string | undefined;
  return {
    keysOf: (id) => [pages.monitorFeedKey(id)],
    signatureOf: ({ monitor: { name }, record }) => {
      design ??= pages.hashMonitorFeedTemplate(address);
      const failures = record === undefined ? [] : viewFailures(record);
      return `${design}|${hashText(JSON.stringify([name, failures]))}`;
    },
    build: async (subject) => [pages.buildMonitorFeedDocument(address, viewMonitor(subject))],
  };
}

/** The counts grow with every check, but the grade that pages show seldom changes. */
function toVisible({ uptimes, ...others }: MonitorView): object {
  return { ...others, uptimes: UPTIME_WINDOWS.map((window) => gradeUptime(uptimes[window])) };
}
