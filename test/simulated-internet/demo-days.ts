import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { readFlags, RUN } from "../../src/setup/options/options.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { prepareRun, type RunSetup } from "../../src/setup/run-setup.ts";
import type { CheckMonitors } from "../../src/pipeline/run/measurement.ts";
import type { DemoSite } from "./demo-site.ts";
import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { OPERATORS } from "../../src/contract/codes/operator.ts";
import { type Report, SURGE_SLOT_MS } from "../../src/model/service/reports.ts";
import type { Snapshot } from "../../src/model/service/snapshot.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { parseConnectTo } from "../../src/probe/network/connect-to.ts";
import { createResolver } from "../../src/probe/network/dns.ts";
import { BLOCKPAGES_FILE, compileFingerprints } from "../../src/probe/answer/fingerprints.ts";
import { SERVICE_LIMITS } from "../../src/probe/limits.ts";
import { openBrowserPool } from "../../src/probe/browser/open-browser.ts";
import { createExperiment } from "../../src/probe/experiment.ts";
import { extendRoots } from "../../src/probe/network/tls.ts";
import { createProbe, type ProbeDependencies } from "../../src/probe/probe.ts";
import { inboxKey, encodeInbox } from "../../src/state/inbox.ts";
import { run, type RunDependencies } from "../../src/pipeline/run/run.ts";
import type { Behaviour } from "./behaviour.ts";
import { USUAL_OPERATORS } from "./imagine-past.ts";
import { spoolImaginedDay } from "./imagine-archive.ts";
import { openDemoVantages } from "./demo-vantages.ts";
import { SCENARIOS } from "./demo-scenarios.ts";
import { healthyPages, hostsOf, withNationalCertificates } from "./shipped-catalogue.ts";
import { startInternetProcess, type InternetProcess } from "./internet-process.ts";

/** One simulated run of the program. */
interface Moment {
  readonly when: string;
  readonly what: string;
  readonly agoMs: number;
  /** The services whose faults begin at this run. */
  readonly begins?: "long-ago" | "earlier" | "today";
  readonly isPartial?: true;
}

const MOMENTS: readonly Moment[] = [
  { when: "three days ago", what: "no faults", agoMs: 72 * HOUR_MS },
  { when: "30 hours ago", what: "long outages begin", agoMs: 30 * HOUR_MS, begins: "long-ago" },
  { when: "two hours ago", what: "outages begin", agoMs: 2 * HOUR_MS, begins: "earlier" },
  {
    when: "5 minutes ago",
    what: "other faults begin",
    agoMs: 5 * MINUTE_MS,
    begins: "today",
    isPartial: true,
  },
  { when: "now", what: "unchanged", agoMs: 0, isPartial: true },
];

const AGAIN: Moment = { when: "again", what: "unchanged", agoMs: 0, isPartial: true };

/** While the demo is looked at, its data must not grow old. */
const REPEAT_MS = 4 * MINUTE_MS;

/** One early confirmation, because a real run takes minutes to confirm a change. */
const CONFIRM_SECONDS = "0.3";

export interface DemoRun {
  readonly when: string;
  readonly what: string;
  readonly probed: number;
  readonly durationMs: number;
  readonly snapshot: Snapshot;
}

export interface DemoPlaces {
  readonly catalogueFile: string;
  /** Store URLs. */
  readonly store: string;
  readonly state: string;
  /** URL of the website. */
  readonly baseUrl: string;
  /** As the option of that name. */
  readonly reports: string;
  readonly monitors: DemoMonitors;
  /** File that says who runs the site. */
  readonly about?: string;
  /** Monitors by their owners, and notices in browsers; absent: neither. */
  readonly owners?: DemoOwners;
}

/** A site that may be added though it is on the loopback, and the public key for notices. */
export interface DemoOwners {
  readonly site: DemoSite;
  readonly alertsKey: string;
}

/** Monitors and their check results: they are not part of the simulated internet. */
export interface DemoMonitors {
  /** The registry. */
  readonly file: string;
  readonly check: CheckMonitors;
}

/**
 * Runs the program's own `run` against a simulated internet, with its own resolver, sockets, TLS and stores; only the clock,
 * the trusted roots and the user reports are simulated. Yields each run as it ends. An abort of `stop` ends it early. If the
 * caller asks for more than the days, it gets a run of the present every four minutes.
 */
export async function* runDays(
  catalogue: Catalogue,
  places: DemoPlaces,
  nowMs: number,
  stop: AbortSignal,
): AsyncGenerator<DemoRun> {
  const internet = await startInternetProcess({
    behaviours: withNationalCertificates(healthyPages(catalogue), catalogue),
    warmHosts: hostsOf(catalogue),
  });
  try {
    const vantages = await openDemoVantages();
    const prepared = await prepareDemo(places, stop);
    const readExchange = () => Promise.resolve(vantages.exchange);
    const setup = { ...prepared, deps: { ...prepared.deps, readExchange } };
    for (const moment of MOMENTS) {
      await internet.set(faultsOf(moment.begins));
      const demoRun = await runMoment(moment, nowMs - moment.agoMs, {
        setup,
        internet,
        catalogue,
        stop,
      });
      if (demoRun === undefined) return;
      await vantages.answer();
      if (moment === MOMENTS[0])
        await spoolImaginedDay(setup.deps.stateStore, catalogue, {
          firstRunMs: nowMs - moment.agoMs,
          nowMs,
        });
      yield demoRun;
    }
    while (await pause(REPEAT_MS, stop)) {
      const again = await runMoment(AGAIN, Date.now(), { setup, internet, catalogue, stop });
      if (again === undefined) return;
      await vantages.answer();
      yield again;
    }
  } finally {
    await internet.close();
  }
}

/** Resolves to false if it was stopped. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}

function faultsOf(begins: Moment["begins"]): Readonly<Record<string, Behaviour>> {
  const starting = SCENARIOS.filter(({ from = "today" }) => from === begins);
  return Object.fromEntries(starting.flatMap(({ behaviours = {} }) => Object.entries(behaviours)));
}

/** The setup of the demo's runs. Its probes would go to the real internet, so the caller has to replace them. */
export async function prepareDemo(places: DemoPlaces, stop: AbortSignal): Promise<RunSetup> {
  const {
    catalogueFile: catalogue,
    store,
    state,
    baseUrl,
    reports,
    monitors,
    about,
    owners,
  } = places;
  const problems = collectProblems();
  const flags = readFlags(
    RUN,
    {
      catalogue,
      baseUrl,
      reports,
      about,
      ...(owners === undefined ? {} : { selfService: "on", alertsKey: owners.alertsKey }),
      monitors: monitors.file,
      store,
      state,
      monitorConcurrency: "64",
      confirm: CONFIRM_SECONDS,
    },
    problems,
  );
  const setup = await prepareRun(flags, problems, {
    print: () => undefined,
    env: {},
    setEnv: () => undefined,
    wallMs: () => Date.now(),
    stop,
    killGroup: () => undefined,
  });
  // The simulated Internet shares this process: on a busy machine the runner would find itself slow, and hold what the demo shows.
  const watchLag = () => (): number => 0;
  return { ...setup, deps: { ...setup.deps, checkMonitors: monitors.check, watchLag } };
}

interface Workspace {
  readonly setup: RunSetup;
  readonly internet: InternetProcess;
  readonly catalogue: Catalogue;
  readonly stop: AbortSignal;
}

async function runMoment(
  moment: Moment,
  startMs: number,
  { setup, internet, catalogue, stop }: Workspace,
): Promise<DemoRun | undefined> {
  const beganMs = performance.now();
  const only = moment.isPartial === true ? includedSlugs(catalogue) : [];
  const probes = await buildProbes(internet, catalogue);
  if (moment.agoMs === 0) await reportAll(setup.deps.stateStore, startMs);
  let probed = 0;
  const result = await run(
    {
      ...setup.deps,
      ...probes,
      emit: ({ event }) => void (probed += event === "endpoint-measured" ? 1 : 0),
    },
    { ...setup.options, only, startMs, isReplay: true, stop },
  );
  if (result.kind === "stopped") return undefined;
  if (result.kind !== "valid") throw new Error(`the run of ${moment.when} was ${result.kind}`);
  const { when, what } = moment;
  return {
    when,
    what,
    probed,
    durationMs: performance.now() - beganMs,
    snapshot: result.snapshot,
  };
}

/** Writes the reports of the scenarios, each from its own network, in the minutes of the next evaluation. */
async function reportAll(store: ObjectStore, nowMs: number): Promise<void> {
  const atMs = Math.floor(nowMs / SURGE_SLOT_MS) * SURGE_SLOT_MS - MINUTE_MS;
  const ofUsual = USUAL_OPERATORS.flatMap((count, operator) =>
    Array.from({ length: count }, () => operator),
  );
  const reports = SCENARIOS.flatMap(({ slug, reports: count = 0, operator: one }) =>
    Array.from({ length: count }, (_, index): Report => {
      const usual = ofUsual[(index * 37) % ofUsual.length] ?? 0;
      const operator = one === undefined || index % 40 === 0 ? usual : OPERATORS.indexOf(one);
      return { slug, atMs, network: `n${index}`, block: `b${index % 16}`, operator };
    }),
  );
  const object = { contentType: "application/json", cacheControl: "no-store" };
  await store.write(inboxKey(`${atMs}-demo`), { ...object, body: encodeInbox(reports) });
}

function includedSlugs(catalogue: Catalogue): readonly string[] {
  const skipped = new Set(
    SCENARIOS.filter((scenario) => scenario.isSkipped).map(({ slug }) => slug),
  );
  return catalogue.services.map(({ slug }) => slug).filter((slug) => !skipped.has(slug));
}

/**
 * The probe as `run` builds it, except for the address guard and for the roots, because Node reads `NODE_EXTRA_CA_CERTS` only
 * when it starts.
 */
async function buildProbes(
  internet: InternetProcess,
  catalogue: Catalogue,
): Promise<Pick<RunDependencies, "probe" | "experiment" | "browser">> {
  const connectTo = parseConnectTo(await internet.connectToLines(hostsOf(catalogue)));
  if (connectTo.kind !== "ok") throw new Error(connectTo.problems.join("\n"));
  const fingerprints = compileFingerprints(JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8")));
  const root = await readFile(internet.rootCaFile, "utf8");
  const national = await readFile(internet.nationalCaFile, "utf8");
  const dependencies: ProbeDependencies = {
    resolve: createResolver([`127.0.0.1:${internet.dnsPort}`], SERVICE_LIMITS.dnsMs),
    addressRules: {
      // No connection may leave this machine, for any answer of the simulated name server.
      refusalOf: () => "outside the simulated internet",
      stubOf: (address) => fingerprints.addresses.get(address),
    },
    connectTo: connectTo.rules,
    fingerprints,
    roots: {
      contexts: {
        public: createSecureContext({ ca: [root] }),
        national: createSecureContext({ ca: [root, national] }),
      },
      canJudgeNational: true,
      extend: extendRoots({ public: [root], national: [root, national] }),
    },
    limits: SERVICE_LIMITS,
  };
  return {
    probe: createProbe(dependencies),
    experiment: createExperiment(dependencies),
    browser: { ask: await openBrowserPool(), connectTo: connectTo.rules },
  };
}
