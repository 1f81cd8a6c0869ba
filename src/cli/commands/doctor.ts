import { createResolver } from "../../probe/network/dns.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import { type Check, ok, renderChecks } from "../../doctor/check.ts";
import { readCatalogue } from "../../setup/files/catalogue-file.ts";
import { checkAnchors, checkCatalogue, checkResolver } from "../../doctor/checks.ts";
import { checkContent } from "../../doctor/content.ts";
import { checkMachine } from "../../doctor/machine.ts";
import { checkNotifier } from "../../doctor/notifier.ts";
import { checkEngine, readEngineTrial } from "../../doctor/engine.ts";
import { checkFreshness, checkLeftOut, checkWebsite } from "../../doctor/published.ts";
import { checkRaces } from "../../doctor/races.ts";
import { checkInbox, checkKeys, checkStore } from "../../doctor/store.ts";
import { type Action, type Io, sleep } from "../../setup/io.ts";
import type { DOCTOR, Flags } from "../../setup/options/options.ts";
import type { ProblemCollector } from "../../setup/parse-options.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";
import { prepareRun, type RunSetup } from "../../setup/run-setup.ts";

type DoctorFlags = Flags<(typeof DOCTOR)[number]>;

/** `doctor`: checks everything that a run needs, and says what to fix. Exit code 1 if a check failed. */
export const doctorCommand: Action<DoctorFlags> = async ({ flags, problems, io }) => {
  const checks =
    flags.channels === undefined
      ? await checkRunner(flags, problems, io)
      : await checkNotifier(flags.channels, flags, problems, io);
  io.print(flags.isJson ? JSON.stringify(checks, undefined, 2) : renderChecks(checks));
  return checks.some(({ result }) => result === "fail") ? 1 : 0;
};

async function checkRunner(
  flags: DoctorFlags,
  problems: ProblemCollector,
  io: Io,
): Promise<readonly Check[]> {
  // First what only doctor reads, so that its problems are said together with those of a run.
  const engine = problems.unwrap(await readEngineTrial(flags, problems));
  const runFlags = { ...flags, only: [] };
  const setup = await prepareRun(runFlags, problems, io);
  const { read, config } = problems.settle({
    read: await readCatalogue(flags),
    config: await readProbeConfig(flags, io),
  });
  const stores = setup.deps;
  const { catalogue } = read;
  const resolve = createResolver(
    config.dns === undefined ? [] : [config.dns],
    SERVICE_LIMITS.dnsMs,
  );
  const publicChecks = await checkStore("public", flags.store, stores.publicStore, io.wallMs);
  const stateChecks = await checkStore("private", flags.state, stores.stateStore, io.wallMs);
  // What follows from a store that cannot be used would only repeat its fault.
  const [hasPublic, hasState] = [publicChecks, stateChecks].map(isUsable);
  const hasBoth = hasPublic === true && hasState === true;
  return [
    ...(await checkMachine(runFlags, setup.warnings, io.env)),
    ...checkCatalogue(flags, read),
    ...publicChecks,
    ...(hasPublic === true ? await checkKeys(flags.store, stores.publicStore) : []),
    ...stateChecks,
    ...(hasState === true ? await checkInbox(flags.state, stores.stateStore, io.wallMs()) : []),
    ...(await checkPlaces(flags, setup, io)),
    ...(await checkResolver(catalogue, resolve)),
    await checkAnchors(catalogue, config, io.stop),
    ...(hasState === true ? await checkLeftOut(catalogue, stores.stateStore) : []),
    ...(hasPublic === true ? [await checkFreshness(stores.publicStore, io.wallMs())] : []),
    ...(hasState === true ? [await checkWebsite(flags.store, flags.baseUrl, stores)] : []),
    ...(hasBoth ? [await checkContent(flags.store, stores)] : []),
    ...(await checkEngine(engine, (ms) => sleep(ms, io.stop))),
    ...(await race(flags, io.stop)),
  ];
}

/** The first check of a store is whether it can be used at all. */
function isUsable([first]: readonly Check[]): boolean {
  return first?.result !== "fail";
}

/** The places that probe as well, and the store in which they meet the runner. */
async function checkPlaces(
  { exchange }: DoctorFlags,
  { deps }: RunSetup,
  io: Io,
): Promise<readonly Check[]> {
  const places = await deps.readExchange?.(() => undefined);
  if (places === undefined || exchange === undefined) return [];
  const ids = places.vantages.map(({ id }) => id).join(", ");
  return [
    { name: "vantages", ...ok(ids) },
    ...(await checkStore("exchange", exchange, places.store, io.wallMs)),
  ];
}

/** One after the other, because both stores may be on one server. */
async function race(
  { store, state, raceMs: forMs }: DoctorFlags,
  stop: AbortSignal,
): Promise<readonly Check[]> {
  if (forMs === undefined) return [];
  const rules = { forMs, now: () => performance.now(), stop };
  return [await checkRaces("public", store, rules), await checkRaces("private", state, rules)];
}
