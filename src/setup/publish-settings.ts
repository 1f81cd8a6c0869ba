import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Catalogue } from "../model/service/catalogue.ts";
import { buildUrlGuard } from "../probe/probe-config.ts";
import type { PublishSetup } from "../pipeline/publish/publish-setup.ts";
import { isInStore } from "../store/location.ts";
import { createBadgeMaker, parseBadgeLanguage } from "./badge-builder.ts";
import { type CatalogueSource, openCatalogueSource } from "./catalogue-source.ts";
import type { MonitorRulesFlags, PublishFlags } from "./io.ts";
import { type Cell, createCellTest, parseCell } from "./cell.ts";
import { checkPorts, checkRanges, findOwnAddresses } from "./read-probe-config.ts";
import { readNetworks } from "./files/read-networks.ts";
import { openRegistrySource } from "./registry/registry-source.ts";
import {
  type ProblemCollector,
  ifGiven,
  parseBaseUrl,
  parseKeepArchive,
  parseRemovalShare,
  type Parsed,
} from "./parse-options.ts";
import { createSiteMaker } from "../pipeline/pages/site-builder.ts";
import { readSiteSettings } from "./site-settings.ts";
import { needsAddress, openStores } from "./stores.ts";
import { createTruthSource } from "./files/truth-file.ts";
import type { MonitorRules } from "../monitors/registry/registry-schema.ts";

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

/** In the public store everybody could read the ids and URLs of private monitors. */
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
