import { hash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Catalogue } from "../model/service/catalogue.ts";
import { buildUrlGuard } from "../probe/probe-config.ts";
import type { PublishSetup } from "../pipeline/publish/publish-setup.ts";
import { isInStore } from "../store/location.ts";
import { type CatalogueSource, openCatalogueSource } from "./catalogue-source.ts";
import type { MonitorRulesFlags, PublishFlags } from "./io.ts";
import { checkPorts, checkRanges, findOwnAddresses } from "./read-probe-config.ts";
import { readNetworks } from "./files/read-networks.ts";
import { openRegistrySource } from "./registry/registry-source.ts";
import {
  type Parsed,
  type ProblemCollector,
  ifGiven,
  parseBaseUrl,
  parseKeepArchive,
  parseRemovalShare,
} from "./parse-options.ts";
import { createSiteMaker } from "../pipeline/pages/site-builder.ts";
import { readSiteSettings } from "./site-settings.ts";
import { needsAddress, openStores } from "./stores.ts";
import { createTruthSource } from "./files/truth-file.ts";
import type { MonitorRules } from "../monitors/registry/registry-schema.ts";
import { readFile } from "node:fs/promises";
import {
  type BadgeLanguage,
  looksOf,
  signatureOf,
  badgeKeys,
  buildBadgeDocuments,
} from "../images/badge/content.ts";
import type { MonitorOutput, MonitorSubject } from "../pipeline/pages/monitor-outputs.ts";
import type { SitePictures } from "../pipeline/pages/social-cards.ts";
import { FONT_FILE } from "./shipped-files.ts";
import { createYoungCollector } from "./collect-garbage.ts";

/** The settings of publishing, except for the log. */
export interface PublishSettings {
  readonly setup: Omit<PublishSetup, "emit">;
  readonly catalogue: CatalogueSource;
  readonly warnings: readonly string[];
}

/** `ready` is undefined if there was a problem. */
export interface ReadPublishSettings {
  readonly catalogue: Catalogue | undefined;
  readonly ready: PublishSettings | undefined;
}

/** Parses the options of publishing and adds every problem to the collector. */
export async function readPublishSettings(
  flags: PublishFlags,
  { unwrap }: ProblemCollector,
  openSource: typeof openRegistrySource = openRegistrySource,
): Promise<ReadPublishSettings> {
  const catalogue = unwrap(await openCatalogueSource(flags));
  const stores = unwrap(await openStores(flags.store, flags.state));
  const maxRemovalShare = unwrap(parseRemovalShare(flags.maxRemovals, flags.force === true));
  const language = unwrap(parseBadgeLanguage(flags.badgeLanguage));
  const baseUrl = unwrap(ifGiven(flags.baseUrl, parseBaseUrl));
  const keptArchive = unwrap(parseKeepArchive(flags.keepArchive));
  const categories = catalogue?.current().categories.map(({ id }) => id) ?? [];
  const site = unwrap(await readSiteSettings(flags, categories));
  const rules = unwrap(readMonitorRules(flags));
  unwrap(refusePublicRegistry(flags));
  const cell = unwrap(ifGiven(flags.cell, parseCell));
  unwrap(refuseDoubleServices(flags, cell));
  const source = rules && unwrap(await openSource(flags.monitors, rules, createCellTest(cell)));
  if (!catalogue || !stores || maxRemovalShare === undefined || !language || !source) {
    return { catalogue: catalogue?.current(), ready: undefined };
  }
  const badges = createBadgeMaker(language);
  const ready: PublishSettings = {
    setup: {
      readCatalogue: isMonitorsOnly(flags) ? withoutServices(catalogue) : catalogue.read,
      isMonitorsOnly: isMonitorsOnly(flags),
      readTruth: createTruthSource(flags),
      ...stores,
      mustVerify: stores.mustVerify || flags.audit === true,
      auditsAll: flags.audit === true,
      maxRemovalShare,
      readRegistry: source.read,
      badges,
      networkOf: await readNetworks(),
      site: createSiteMaker(badges),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(site === undefined ? {} : { siteSettings: site.settings }),
      ...(keptArchive?.days === undefined ? {} : { keepArchiveDays: keptArchive.days }),
      needsAddress: needsAddress(flags.store),
      ...(flags.at === undefined ? { latestMs: () => Date.now() } : {}),
      // Shared by all publishes of this process.
      memory: {},
      ...EFFECTS,
    },
    catalogue,
    warnings: [...source.warnings, ...(site?.warnings ?? [])],
  };
  return { catalogue: catalogue.current(), ready };
}

/** In the public store, everyone could read the ids and URLs of private monitors. */
function refusePublicRegistry({ monitors, store }: PublishFlags): Parsed<undefined> {
  if (monitors === undefined || !isInStore(store, monitors)) return { value: undefined };
  return {
    problem: `--monitors ${monitors} is in the public store ${store}: the registry is private, keep it elsewhere.`,
  };
}

function isMonitorsOnly({ services = true }: PublishFlags): boolean {
  return !services;
}

/** The anchors stay: a cell has to know whether it is online. */
function withoutServices({ read }: CatalogueSource): CatalogueSource["read"] {
  return async (emit) => ({ ...(await read(emit)), services: [] });
}

/** Two states must not publish the same documents. */
function refuseDoubleServices(
  { cell: text, services = true }: PublishFlags,
  cell: Cell | undefined,
): Parsed<undefined> {
  if (cell === undefined || cell.number === 0 || !services) return { value: undefined };
  return {
    problem: `--cell ${text ?? ""}: the services belong to cell 0; add --no-services.`,
  };
}

/** Which URLs a monitor may have. */
export function readMonitorRules(flags: MonitorRulesFlags): Parsed<MonitorRules> {
  const allowPrivate = checkRanges(flags.allowPrivate ?? []);
  const allowedPorts = checkPorts(flags.allowPort ?? []);
  if ("problem" in allowPrivate) return allowPrivate;
  if ("problem" in allowedPorts) return allowedPorts;
  const config = {
    allowPrivate: allowPrivate.value,
    allowedPorts: allowedPorts.value,
    ownAddresses: findOwnAddresses(),
  };
  return { value: { refusalOfUrl: buildUrlGuard(config) } };
}

const EFFECTS: Pick<PublishSetup, "now" | "pause" | "random" | "newMark"> = {
  pause: (ms) => delay(ms),
  random: () => Math.random(),
  newMark: () => randomUUID(),
  now: () => performance.now(),
};

/** Draws badges, and cards for shared links. */
interface PictureMaker extends MonitorOutput, SitePictures {}

/** Renderers and their font are loaded with the first picture. */
export function createBadgeMaker(language: BadgeLanguage): PictureMaker {
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
    drawBadge: async (content) => (await openBadges()).paint(content),
    language,
  };
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => (loaded ??= load());
}

/** `ru` or `en`. */
function parseBadgeLanguage(text: string): Parsed<BadgeLanguage> {
  if (text === "ru" || text === "en") return { value: text };
  return { problem: `--badge-language ${text}: give ru or en.` };
}

/** A part of the monitors with a publisher and a state of its own. */
interface Cell {
  /** From 0. */
  readonly number: number;
  /** Number of cells. */
  readonly of: number;
}

/** As many as 12 bits can tell apart. */
const MAX_CELLS = 4_096;

/** `n/K`: cell n, from 0, of K. */
export function parseCell(text: string): Parsed<Cell> {
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/u.exec(text) ?? [];
  const cell = { number: Number(number), of: Number(of) };
  if (cell.of >= 1 && cell.of <= MAX_CELLS && cell.number < cell.of) return { value: cell };
  return {
    problem: `--cell ${text}: give the number of the cell, from 0, and how many there are, such as 0/10; at most ${MAX_CELLS}.`,
  };
}

/** The cell of a monitor: the first 12 bits of the SHA-256 of its id, modulo the number of cells. Source: docs/scaling.md, "Cells". */
export function cellOf(id: string, of: number): number {
  // Of a million ids, `createHash` would leave a million objects for the collector, and take five times as long.
  const digits = hash("sha256", id).slice(0, 3);
  return Number.parseInt(digits, 16) % of;
}

/** Tells the ids of a cell; undefined if there is only one. */
export function createCellTest(cell: Cell | undefined): ((id: string) => boolean) | undefined {
  if (cell === undefined || cell.of === 1) return undefined;
  return (id) => cellOf(id, cell.of) === cell.number;
}
