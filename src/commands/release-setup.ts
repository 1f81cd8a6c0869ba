import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Catalogue } from "../model/catalogue.ts";
import { buildUrlGuard } from "../probe/config.ts";
import type { ReleaseSetup } from "../release.ts";
import { liesIn } from "../store/location.ts";
import { createBadgeMaker, parseBadgeLanguage } from "./badge-maker.ts";
import { type CatalogueSource, openCatalogueSource } from "./catalogue-source.ts";
import type { MonitorRulesFlags, ReleaseFlags } from "./io.ts";
import { checkPorts, checkRanges, findOwnAddresses } from "./probe-config.ts";
import { openRegistrySource } from "./registry-source.ts";
import {
  type Checklist,
  ifGiven,
  parseBaseUrl,
  parseRemovalShare,
  type Parsed,
} from "./settings.ts";
import { createSiteMaker } from "./site-maker.ts";
import { needsAddress, openStores } from "./stores.ts";
import type { MonitorRules } from "../monitors/schema.ts";

/** All that publishing takes but a log, and what its user should know. */
export interface ReadyRelease {
  readonly setup: Omit<ReleaseSetup, "emit">;
  readonly catalogue: CatalogueSource;
  readonly warnings: readonly string[];
}

/** What was read, as far as it could be; `ready` is there when nothing was wrong. */
export interface ReadRelease {
  readonly catalogue: Catalogue | undefined;
  readonly ready: ReadyRelease | undefined;
}

/** Reads what publishing is told, noting every problem. */
export async function readRelease(
  flags: ReleaseFlags,
  { take }: Checklist,
  openSource: typeof openRegistrySource = openRegistrySource,
): Promise<ReadRelease> {
  const catalogue = take(await openCatalogueSource(flags));
  const stores = take(await openStores(flags.store, flags.state));
  const maxRemovalShare = take(parseRemovalShare(flags.maxRemovals, flags.force === true));
  const language = take(parseBadgeLanguage(flags.badgeLanguage));
  const baseUrl = take(ifGiven(flags.baseUrl, parseBaseUrl));
  const rules = take(readMonitorRules(flags));
  take(refusePublicRegistry(flags));
  const source = rules && take(await openSource(flags.monitors, rules));
  if (!catalogue || !stores || maxRemovalShare === undefined || !language || !source) {
    return { catalogue: catalogue?.current(), ready: undefined };
  }
  const badges = createBadgeMaker(language);
  const ready: ReadyRelease = {
    setup: {
      readCatalogue: catalogue.read,
      ...stores,
      mustLook: stores.mustLook || flags.audit === true,
      auditsAll: flags.audit === true,
      maxRemovalShare,
      readRegistry: source.read,
      badges,
      site: createSiteMaker(badges.drawCard),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      needsAddress: needsAddress(flags.store),
      // Whatever this process publishes, it publishes from one memory.
      memory: {},
      ...EFFECTS,
    },
    catalogue,
    warnings: source.warnings,
  };
  return { catalogue: catalogue.current(), ready };
}

/** Everybody could read the ids, and the addresses that owners did not want to show. */
function refusePublicRegistry({ monitors, store }: ReleaseFlags): Parsed<undefined> {
  if (monitors === undefined || !liesIn(store, monitors)) return { value: undefined };
  return {
    problem: `--monitors ${monitors} lies in the public store ${store}: the registry is private, give it a place of its own.`,
  };
}

/** What a URL of a monitor may be. */
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

const EFFECTS: Pick<ReleaseSetup, "now" | "pause" | "random" | "newMark"> = {
  pause: (ms) => delay(ms),
  random: () => Math.random(),
  newMark: () => randomUUID(),
  now: () => performance.now(),
};
