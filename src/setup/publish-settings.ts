import { existsSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { buildUrlGuard } from "../probe/probe-config.ts";
import type { PublishSetup } from "../pipeline/publish/publish-setup.ts";
import { isInStore } from "../store/location.ts";
import { type CatalogueSource, openCatalogueSource } from "./files/catalogue-file.ts";
import type { MonitorRulesFlags, PublishFlags } from "./options/options.ts";
import { DEFAULT_REGISTRY } from "./options/shared-options.ts";
import { findOwnAddresses } from "./read-probe-config.ts";
import { readNetworks } from "./files/named-files.ts";
import { openRegistrySource } from "./registry/registry-source.ts";
import type { ProblemCollector } from "./parse-options.ts";
import { createSiteMaker } from "../pipeline/pages/site-builder.ts";
import { readSiteSettings } from "./site-settings.ts";
import { needsAddress, openStores } from "./stores.ts";
import { createTruthSource } from "./files/truth-file.ts";
import type { MonitorRules } from "../monitors/registry/registry-schema.ts";
import { readFile } from "node:fs/promises";
import type { Language } from "../contract/codes/language.ts";
import { looksOf, signatureOf, badgeKeys, buildBadgeDocuments } from "../images/badge/content.ts";
import type { MonitorOutput, MonitorSubject } from "../pipeline/pages/monitor-outputs.ts";
import type { SitePictures } from "../pipeline/pages/social-cards.ts";
import { FONT_FILE, readBuild } from "./shipped-files.ts";
import { createYoungCollector } from "./collect-garbage.ts";

/** The settings of publishing, except for the log. */
export type PublishSettings = Awaited<ReturnType<typeof preparePublish>>;

/** Reads what the options of publishing name, and adds every problem to the collector; a missing catalogue is one of them. */
export async function readPublishSettings(
  flags: PublishFlags,
  problems: ProblemCollector,
  openSource: typeof openRegistrySource = openRegistrySource,
) {
  const { cell, hasServices, baseUrl, keepArchive } = flags;
  const read = { catalogue: await openCatalogueSource(flags), stores: await openStores(flags) };
  const current = problems.unwrap(read.catalogue)?.current();
  problems.unwrap(read.stores);
  const site = readSiteSettings(flags, current?.categories.map(({ id }) => id) ?? []);
  refuseDangers(flags, problems.addProblem);
  // A registry that is in the wrong place is not opened.
  const registry =
    problems.problemWith("--monitors") ??
    (await openSource(flags.monitors, readMonitorRules(flags), cell));
  problems.unwrap(registry);
  const badges = createBadgeMaker(flags.badgeLanguage);
  const networkOf = await readNetworks();
  const build = readBuild();
  // Throws one `UsageError` with every problem, those that were added meanwhile as well.
  const ready = () => {
    const { catalogue, stores, source } = problems.settle({ ...read, source: registry });
    const setup: Omit<PublishSetup, "emit"> = {
      readCatalogue: hasServices ? catalogue.read : withoutServices(catalogue),
      isMonitorsOnly: !hasServices,
      readTruth: createTruthSource(flags),
      ...stores,
      mustVerify: stores.mustVerify || flags.isAudit,
      auditsAll: flags.isAudit,
      maxRemovalShare: flags.isForced ? 1 : flags.maxRemovals,
      readRegistry: source.read,
      badges,
      networkOf,
      build,
      site: createSiteMaker(badges, build),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      siteSettings: site.settings,
      ...(keepArchive === "forever" ? {} : { keepArchiveDays: keepArchive }),
      needsAddress: needsAddress(flags.store),
      ...(flags.atMs === undefined ? { latestMs: () => Date.now() } : {}),
      // Shared by all publishes of this process.
      memory: {},
      pause: (ms) => delay(ms),
      random: Math.random,
      newMark: randomUUID,
      now: () => performance.now(),
    };
    return { setup, catalogue, warnings: [...source.warnings, ...site.warnings] };
  };
  return { catalogue: current, ready };
}

/** The settings of publishing. Throws one `UsageError` with every problem. */
export async function preparePublish(flags: PublishFlags, problems: ProblemCollector) {
  return (await readPublishSettings(flags, problems)).ready();
}

function refuseDangers(
  { monitors, store, cell, hasServices }: PublishFlags,
  addProblem: ProblemCollector["addProblem"],
): void {
  // In the public store, everyone could read the ids and URLs of private monitors.
  const registry = monitors ?? DEFAULT_REGISTRY;
  if ((monitors !== undefined || existsSync(registry)) && isInStore(store, registry))
    addProblem(
      `--monitors ${registry} is in the public store ${store}: the registry is private, keep it elsewhere.`,
    );
  // Two states must not publish the same documents.
  if (cell !== undefined && cell.number > 0 && hasServices)
    addProblem(
      `--cell ${cell.number}/${cell.of}: the services belong to cell 0; add --no-services.`,
    );
}

/** The anchors stay: a cell has to know whether it is online. */
function withoutServices({ read }: CatalogueSource): CatalogueSource["read"] {
  return async (emit) => ({ ...(await read(emit)), services: [] });
}

/** Which URLs a monitor may have. */
export function readMonitorRules({ allowPrivate, allowPort }: MonitorRulesFlags): MonitorRules {
  const ownAddresses = findOwnAddresses();
  return { refusalOfUrl: buildUrlGuard({ allowPrivate, allowedPorts: allowPort, ownAddresses }) };
}

/** Draws badges, and cards for shared links. Renderers and their font are loaded with the first picture. */
export function createBadgeMaker(language: Language): MonitorOutput & SitePictures {
  const loadFont = once(() => readFile(FONT_FILE));
  const openBadges = once(async () => {
    const { createBadgePainter } = await import("../images/badge/badge-renderer.ts");
    return createBadgePainter(await loadFont());
  });
  const openCards = once(async () => {
    const { createCardPainter } = await import("../images/social-card/card-renderer.ts");
    return createCardPainter(await loadFont(), createYoungCollector());
  });
  const looks = ({ counts, monitor: { label } }: MonitorSubject) =>
    looksOf(counts, { language, ...(label === undefined ? {} : { label }) });
  return {
    signatureOf: (subject) => signatureOf(looks(subject)),
    keysOf: badgeKeys,
    build: async (subject) =>
      buildBadgeDocuments(subject.monitor.id, looks(subject), await openBadges()),
    drawCard: async (look) => (await openCards())(look),
    drawBadge: async (content) => (await openBadges())(content),
    language,
  };
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => (loaded ??= load());
}
