import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { signatureOfCard } from "../badge/card-look.ts";
import { hashText } from "../model/fnv.ts";
import { judgeUptime } from "../model/judge-uptime.ts";
import { UPTIME_WINDOWS } from "../model/monitor.ts";
import type { CardLook, DrawCard } from "../model/card.ts";
import type { Document } from "../model/snapshot.ts";
import type { MonitorPart } from "../monitor-parts.ts";
import { viewMonitor } from "../monitor-view.ts";
import { type GroupFamily, NO_GROUPS } from "../publish/groups.ts";
import { type SiteMaker, type SiteSources, viewSite } from "../site-view.ts";
import { cardOfMonitor, cardOfService } from "../site/card-looks.ts";
import type { SiteFile } from "../site/documents.ts";
import type { MonitorView, SiteAddress } from "../site/view.ts";

/** Files that are published as they are; they ship with the program. Scripts are what the build made of `src/web`. */
const FILES: readonly (Omit<SiteFile, "body"> & { readonly path: string })[] = [
  { key: "site.css", contentType: "text/css; charset=utf-8", path: "assets/site.css" },
  { key: "site.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/site.js" },
  { key: "embed.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/embed.js" },
  { key: "favicon.svg", contentType: "image/svg+xml; charset=utf-8", path: "assets/favicon.svg" },
  { key: "icon-192.png", contentType: "image/png", path: "assets/icon-192.png" },
  { key: "icon-512.png", contentType: "image/png", path: "assets/icon-512.png" },
  { key: "card.png", contentType: "image/png", path: "assets/card.png" },
];

const PROGRAM = new URL("../../", import.meta.url);

/** The website. Templates and files are loaded when the first page has to be made. */
export function createSiteMaker(drawCard: DrawCard): SiteMaker {
  let loaded: ReturnType<typeof load> | undefined;
  const open = (): ReturnType<typeof load> => (loaded ??= load());
  return {
    build: async (address, sources) => {
      const { buildSite, files, assets } = await open();
      const view = viewSite(address, sources);
      return buildSite(view, files, assets, sources.snapshot.updatedAtMs);
    },
    cardsOf: (address, sources) => wantCards(address, sources, drawCard),
    partsOf: async (address) =>
      new Map([
        ["page", toPagePart(address, await open())],
        ["card", toCardPart(address, drawCard)],
      ]),
  };
}

async function load() {
  const [{ buildSite }, pages, files] = await Promise.all([
    import("../site/documents.ts"),
    import("../site/monitor-documents.ts"),
    Promise.all(
      FILES.map(async ({ path, ...file }) => {
        return { ...file, body: await readFile(fileURLToPath(new URL(path, PROGRAM))) };
      }),
    ),
  ]);
  const versionOf = (key: string): string => {
    const body = files.find((file) => file.key === key)?.body ?? "";
    return createHash("sha256").update(body).digest("hex").slice(0, 8);
  };
  const assets = { css: versionOf("site.css"), script: versionOf("site.js") };
  return { buildSite, pages, files, assets };
}

function toPagePart(
  address: SiteAddress,
  { pages, assets }: Awaited<ReturnType<typeof load>>,
): MonitorPart {
  let design: string | undefined;
  return {
    keysOf: pages.monitorPageKeys,
    signatureOf: (subject) => {
      design ??= pages.designOfMonitorPages(address, assets);
      return `${design}|${hashText(JSON.stringify(shownOf(viewMonitor(subject))))}`;
    },
    build: async (subject) => pages.buildMonitorPages(address, viewMonitor(subject), assets),
  };
}

/** Counts grow with every check; what is shown of them seldom changes. */
function shownOf({ uptimes, ...others }: MonitorView): object {
  return { ...others, uptimes: UPTIME_WINDOWS.map((window) => judgeUptime(uptimes[window])) };
}

function toCardPart(address: SiteAddress, drawCard: DrawCard): MonitorPart {
  return {
    keysOf: (id) => [cardKey(`m/${id}`)],
    signatureOf: (subject) => signatureOfCard(cardOfMonitor(address, viewMonitor(subject))),
    build: async (subject) => {
      const view = viewMonitor(subject);
      return [await toCard(cardKey(`m/${view.id}`), cardOfMonitor(address, view), drawCard)];
    },
  };
}

/** Whoever publishes for the first time publishes what people read: pictures come with the next run. */
function wantCards(
  address: SiteAddress,
  { state, snapshot }: SiteSources,
  drawCard: DrawCard,
): GroupFamily {
  if (state.publication.objects.size === 0) return NO_GROUPS;
  const looks = new Map(
    snapshot.services.map((service) => [service.slug, cardOfService(address, service)]),
  );
  return {
    ...NO_GROUPS,
    signatures: new Map([...looks].map(([slug, look]) => [slug, signatureOfCard(look)])),
    keysOf: (slug) => [cardKey(slug)],
    build: async (slug) => {
      const look = looks.get(slug);
      return look === undefined ? [] : [await toCard(cardKey(slug), look, drawCard)];
    },
  };
}

/** Key of the picture of a service (`<slug>`) or a monitor (`m/<id>`). */
export function cardKey(name: string): string {
  return `card/${name}.png`;
}

async function toCard(key: string, look: CardLook, drawCard: DrawCard): Promise<Document> {
  const body = await drawCard(look);
  return { key, contentType: "image/png", cacheControl: "max-age=60", body };
}
