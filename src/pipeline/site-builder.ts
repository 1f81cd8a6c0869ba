import { hashText } from "../model/fnv1a.ts";
import { type BadgeContent, UPTIME_WINDOWS } from "../model/monitor.ts";
import type { DrawCard } from "../model/social-card.ts";
import { gradeUptime } from "../model/uptime-grade.ts";
import type { MonitorOutput } from "./monitor-outputs.ts";
import { viewMonitor } from "./monitor-view.ts";
import { loadSiteAssets } from "./site-assets.ts";
import { type SiteMaker, viewSite } from "./site-view.ts";
import { planServiceCards, toCardOutput } from "./social-cards.ts";
import type { MonitorView, SiteAddress } from "../site/view.ts";
import type { Language } from "../site/words/language.ts";

/** What draws the pictures of the website. */
export interface SitePictures {
  readonly drawCard: DrawCard;
  /** The SVG of a badge. */
  readonly drawBadge: (content: BadgeContent) => Promise<Uint8Array>;
  /** Of the badges. */
  readonly language: Language;
}

/** The website. Templates and files are loaded with the first page. */
export function createSiteMaker({ drawCard, drawBadge, language }: SitePictures): SiteMaker {
  let loading: ReturnType<typeof load> | undefined;
  const open = (): ReturnType<typeof load> => (loading ??= load());
  return {
    build: async (address, sources) => {
      const { buildSite, overallBadgeOf, assets } = await open();
      const { updatedAtMs } = sources.snapshot;
      const view = viewSite(address, sources);
      const badge = await drawBadge(overallBadgeOf(view, language));
      const built = { files: assets.files, badge };
      return buildSite(view, built, assets.versions, updatedAtMs);
    },
    cardsOf: (address, sources) => planServiceCards(address, sources, drawCard),
    outputsOf: async (address) =>
      new Map([
        ["page", toPageOutput(address, await open())],
        ["card", toCardOutput(address, drawCard)],
      ]),
  };
}

async function load() {
  const [{ buildSite }, { overallBadgeOf }, pages, assets] = await Promise.all([
    import("../site/site-files.ts"),
    import("../site/overall-badge.ts"),
    import("../site/monitor-documents.ts"),
    loadSiteAssets(),
  ]);
  return { buildSite, overallBadgeOf, pages, assets };
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

/** The counts grow with every check, but the grade that pages show seldom changes. */
function toVisible({ uptimes, ...others }: MonitorView): object {
  return { ...others, uptimes: UPTIME_WINDOWS.map((window) => gradeUptime(uptimes[window])) };
}
