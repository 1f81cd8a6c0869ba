import { randomUUID } from "node:crypto";
import { createResolver } from "../probe/dns.ts";
import { SERVICE_LIMITS } from "../probe/limits.ts";
import { type Check, renderChecks } from "../render/checks.ts";
import { type CatalogueFlags, nameCatalogue, readCatalogue } from "./catalogue-file.ts";
import { checkCatalogue, checkResolver, checkStore, checkTrust } from "./doctor-checks.ts";
import { checkAnchors } from "./doctor-anchors.ts";
import { checkContent } from "./doctor-content.ts";
import { checkKeys } from "./doctor-keys.ts";
import { checkLeftOut } from "./doctor-doubts.ts";
import { checkFreshness } from "./doctor-freshness.ts";
import { checkWebsite } from "./doctor-website.ts";
import { checkInbox } from "./doctor-inbox.ts";
import { checkRaces, parseRaces } from "./doctor-races.ts";
import type { ExitCode, Io } from "./io.ts";
import { checkOverlay } from "./overlay-check.ts";
import { readProbeConfig } from "./probe-config.ts";
import { ifGiven, openChecklist, parseBaseUrl } from "./settings.ts";
import { openStores } from "./stores.ts";

export interface DoctorFlags extends CatalogueFlags {
  readonly store: string;
  readonly state: string;
  readonly baseUrl?: string;
  readonly dns?: string;
  readonly connectTo?: readonly string[];
  readonly extraCa?: string;
  /** True: without a time. */
  readonly races?: string | true;
  readonly json?: boolean;
}

/** `doctor`: tries everything that a run will need, and says what to mend. Exit code 1 when a check failed. */
export async function doctorCommand(flags: DoctorFlags, io: Io): Promise<ExitCode> {
  const { take, settle } = openChecklist();
  const read = take(await readCatalogue(flags));
  const stores = take(await openStores(flags.store, flags.state));
  const config = take(await readProbeConfig(flags, io));
  const baseUrl = take(ifGiven(flags.baseUrl, parseBaseUrl));
  const raceMs = take(parseRaces(flags.races));
  settle();
  if (read === undefined || stores === undefined || config === undefined)
    throw new TypeError("nothing to check");
  const { catalogue } = read;
  const resolve = createResolver(
    config.dns === undefined ? [] : [config.dns],
    SERVICE_LIMITS.dnsMs,
  );
  const checks = [
    checkCatalogue(nameCatalogue(flags), catalogue),
    ...checkOverlay(flags.catalogueOverlay, read),
    checkTrust(catalogue, flags.extraCa),
    ...(await checkStore("public", flags.store, stores.publicStore, io.wallMs)),
    ...(await checkKeys(flags.store, stores.publicStore)),
    ...(await checkStore("private", flags.state, stores.stateStore, io.wallMs)),
    ...(await checkInbox(flags.state, stores.stateStore, io.wallMs())),
    ...(await checkResolver(catalogue, resolve)),
    await checkAnchors(catalogue, config, io.stop),
    await checkLeftOut(catalogue, stores.stateStore),
    await checkFreshness(stores.publicStore, io.wallMs()),
    await checkWebsite(flags.store, baseUrl, stores),
    await checkContent(flags.store, stores),
    ...(raceMs === undefined ? [] : await race(flags, raceMs, io.stop)),
  ];
  io.print(flags.json === true ? JSON.stringify(checks, undefined, 2) : renderChecks(checks));
  return checks.some(({ result }) => result === "fail") ? 1 : 0;
}

/** One place after the other: both may be in one store. */
async function race(
  { store, state }: DoctorFlags,
  forMs: number,
  stop: AbortSignal,
): Promise<readonly Check[]> {
  const rules = { forMs, now: () => performance.now(), newId: randomUUID, stop };
  return [await checkRaces("public", store, rules), await checkRaces("private", state, rules)];
}
