import { createResolver } from "../../probe/network/dns.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import { type Check, renderChecks } from "../../doctor/check.ts";
import { readCatalogue } from "../../setup/files/catalogue-file.ts";
import { checkAnchors, checkCatalogue, checkResolver } from "../../doctor/checks.ts";
import { checkContent } from "../../doctor/content.ts";
import { checkNotifier } from "../../doctor/notifier.ts";
import { checkEngine, readEngineTrial } from "../../doctor/engine.ts";
import { checkFreshness, checkLeftOut, checkWebsite } from "../../doctor/published.ts";
import { checkRaces } from "../../doctor/races.ts";
import { checkInbox, checkKeys, checkStore } from "../../doctor/store.ts";
import { type Action, type Io, sleep } from "../../setup/io.ts";
import type { DOCTOR, Flags } from "../../setup/options/options.ts";
import type { ProblemCollector } from "../../setup/parse-options.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";
import { openStores } from "../../setup/stores.ts";

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
  const { read, stores, config, engine } = problems.settle({
    read: await readCatalogue(flags),
    stores: await openStores(flags),
    config: await readProbeConfig(flags, io),
    engine: await readEngineTrial(flags, problems),
  });
  const { catalogue } = read;
  const resolve = createResolver(
    config.dns === undefined ? [] : [config.dns],
    SERVICE_LIMITS.dnsMs,
  );
  return [
    ...checkCatalogue(flags, read),
    ...(await checkStore("public", flags.store, stores.publicStore, io.wallMs)),
    ...(await checkKeys(flags.store, stores.publicStore)),
    ...(await checkStore("private", flags.state, stores.stateStore, io.wallMs)),
    ...(await checkInbox(flags.state, stores.stateStore, io.wallMs())),
    ...(await checkResolver(catalogue, resolve)),
    await checkAnchors(catalogue, config, io.stop),
    ...(await checkLeftOut(catalogue, stores.stateStore)),
    await checkFreshness(stores.publicStore, io.wallMs()),
    await checkWebsite(flags.store, flags.baseUrl, stores),
    await checkContent(flags.store, stores),
    ...(await checkEngine(engine, (ms) => sleep(ms, io.stop))),
    ...(await race(flags, io.stop)),
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
