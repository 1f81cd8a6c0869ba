import { createResolver } from "../../probe/network/dns.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import { type Check, ok, renderChecks } from "../../doctor/check.ts";
import { readCatalogue } from "../../setup/files/catalogue-file.ts";
import { checkAnchors, checkCatalogue, checkResolver, checkTruth } from "../../doctor/checks.ts";
import { checkContent } from "../../doctor/content.ts";
import { checkMachine } from "../../doctor/machine.ts";
import { checkNotifier } from "../../doctor/notifier.ts";
import { checkEngine, readEngineTrial } from "../../doctor/engine.ts";
import { checkFreshness, checkLeftOut, checkWebsite } from "../../doctor/published.ts";
import { checkRaces } from "../../doctor/races.ts";
import { checkInbox, checkKeys, checkStores, type TriedStore } from "../../doctor/store.ts";
import { type Action, type Call, sleep } from "../../setup/io.ts";
import type { DOCTOR, Flags } from "../../setup/options/options.ts";
import type { StoreRole } from "../../store/store-error.ts";
import { prepareRun, type RunSetup } from "../../setup/run-setup.ts";
import { toJsonText } from "../output/text.ts";

type DoctorFlags = Flags<(typeof DOCTOR)[number]>;

/** `doctor`: checks everything that a run needs, and says what to fix. Exit code 1 if a check failed. */
export const doctorCommand: Action<DoctorFlags> = async (call) => {
  const { flags, problems, io } = call;
  const checks =
    flags.channels === undefined
      ? await checkRunner(call)
      : await checkNotifier(flags.channels, flags, problems, io);
  io.print(flags.isJson ? toJsonText(checks) : renderChecks(checks));
  return checks.some(({ result }) => result === "fail") ? 1 : 0;
};

async function checkRunner({ flags, problems, io }: Call<DoctorFlags>): Promise<readonly Check[]> {
  // First what only doctor reads, so that its problems are said together with those of a run.
  const engine = problems.unwrap(await readEngineTrial(flags, problems));
  const runFlags = { ...flags, only: [] };
  const setup = await prepareRun(runFlags, problems, io);
  const { read } = problems.settle({ read: await readCatalogue(flags) });
  const stores = setup.deps;
  const { catalogue } = read;
  const servers = flags.dns === undefined ? [] : [flags.dns.server];
  const resolve = createResolver(servers, SERVICE_LIMITS.dnsMs);
  const places = await readPlaces(flags, setup);
  const checked = await checkStores(
    [
      { role: "public", url: flags.store, store: stores.publicStore },
      { role: "private", url: flags.state, store: stores.stateStore },
      ...places.stores,
    ],
    io.wallMs,
  );
  // What follows from a store that cannot be used would only repeat its fault.
  const has = (role: StoreRole): boolean => checked.get(role)?.[0].result !== "fail";
  const [hasPublic, hasState] = [has("public"), has("private")];
  return [
    ...(await checkMachine(runFlags, setup.warnings, io.env)),
    ...checkCatalogue(flags, read),
    ...(await checkTruth(flags)),
    ...(checked.get("public") ?? []),
    ...(hasPublic ? await checkKeys(flags.store, stores.publicStore) : []),
    ...(checked.get("private") ?? []),
    ...(hasState ? await checkInbox(flags.state, stores.stateStore, io.wallMs()) : []),
    ...places.checks,
    ...(checked.get("exchange") ?? []),
    ...(await checkResolver(catalogue, resolve)),
    await checkAnchors(catalogue, setup.deps.probe, io.stop),
    ...(hasState ? await checkLeftOut(catalogue, stores.stateStore) : []),
    ...(hasPublic ? [await checkFreshness(stores.publicStore, io.wallMs())] : []),
    ...(hasState ? [await checkWebsite(flags.store, flags.baseUrl, stores)] : []),
    ...(hasPublic && hasState ? [await checkContent(flags.store, stores)] : []),
    ...(await checkEngine(engine, (ms) => sleep(ms, io.stop))),
    ...(hasPublic && hasState ? await race(flags, io.stop) : []),
  ];
}

/** The places that probe as well, and the store in which they meet the runner. */
async function readPlaces(
  { exchange }: DoctorFlags,
  { deps }: RunSetup,
): Promise<{ readonly checks: readonly Check[]; readonly stores: readonly TriedStore[] }> {
  const places = await deps.readExchange(() => undefined);
  if (places === undefined || exchange === undefined) return { checks: [], stores: [] };
  const ids = places.vantages.map(({ id }) => id).join(", ");
  return {
    checks: [{ name: "vantages", ...ok(ids) }],
    stores: [{ role: "exchange", url: exchange, store: places.store }],
  };
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
