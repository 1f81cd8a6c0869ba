import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { prepareRun, type RunSetup } from "../../src/commands/run-setup.ts";
import type { CheckMonitors } from "../../src/look-monitors.ts";
import type { Catalogue } from "../../src/model/catalogue.ts";
import { type Report, SURGE_SLOT_MS } from "../../src/model/reports.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { parseConnectTo } from "../../src/probe/connect-to.ts";
import { createResolver } from "../../src/probe/dns.ts";
import {
  BLOCKPAGES_FILE,
  compileFingerprints,
  matchStubAddress,
} from "../../src/probe/fingerprints.ts";
import { SERVICE_LIMITS } from "../../src/probe/limits.ts";
import { createProbe, type Probe } from "../../src/probe/probe.ts";
import { inboxKey } from "../../src/inbox.ts";
import { encodeInbox } from "../../src/reports/inbox.ts";
import { run } from "../../src/run.ts";
import type { Behaviour } from "./behaviour.ts";
import { CAST } from "./demo-cast.ts";
import { healthyPages, hostsOf, withNationalCertificates } from "./shipped-catalogue.ts";
import { startWorldProcess, type WorldProcess } from "./world-process.ts";

/** One simulated moment at which the program runs. */
interface Moment {
  readonly when: string;
  readonly what: string;
  readonly agoMs: number;
  /** Whose faults begin now. */
  readonly begins?: "long-ago" | "today";
  readonly isPartial?: true;
}

const MOMENTS: readonly Moment[] = [
  { when: "three days ago", what: "all is well", agoMs: 72 * HOUR_MS },
  { when: "30 hours ago", what: "a few break for good", agoMs: 30 * HOUR_MS, begins: "long-ago" },
  { when: "two hours ago", what: "still so", agoMs: 2 * HOUR_MS },
  {
    when: "5 minutes ago",
    what: "a bad day begins",
    agoMs: 5 * MINUTE_MS,
    begins: "today",
    isPartial: true,
  },
  { when: "now", what: "it goes on", agoMs: 0, isPartial: true },
];

/** One confirmation, soon: the demo should not take the minutes that a real run takes to confirm a change. */
const CONFIRM_SECONDS = "0.3";

/** What became of one moment. */
export interface Lived {
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
  /** Where the website is going to be served, if that matters. */
  readonly baseUrl?: string;
  readonly monitors?: DemoMonitors;
}

/** Monitors, and what is found of them: they are not part of the simulated internet. */
export interface DemoMonitors {
  /** Registry. */
  readonly file: string;
  readonly check: CheckMonitors;
}

/**
 * Plays the days against a simulated internet: the program's own `run` with its own resolver, sockets, TLS and stores, of
 * which only the clock, the roots of trust and the counts of user reports are given. Tells each run as it ends. Ends early,
 * without the rest, when `stop` is aborted.
 */
export async function* playDays(
  catalogue: Catalogue,
  places: DemoPlaces,
  nowMs: number,
  stop: AbortSignal,
): AsyncGenerator<Lived> {
  const world = await startWorldProcess({
    behaviours: withNationalCertificates(healthyPages(catalogue), catalogue),
    warmHosts: hostsOf(catalogue),
  });
  try {
    const setup = await prepareDemo(places, stop);
    for (const moment of MOMENTS) {
      await world.set(faultsOf(moment.begins));
      const lived = await live(moment, nowMs - moment.agoMs, { setup, world, catalogue, stop });
      if (lived === undefined) return;
      yield lived;
    }
  } finally {
    await world.close();
  }
}

function faultsOf(begins: Moment["begins"]): Readonly<Record<string, Behaviour>> {
  const starting = CAST.filter(({ from = "today" }) => from === begins);
  return Object.fromEntries(starting.flatMap(({ behaviours = {} }) => Object.entries(behaviours)));
}

/** What the runs of the demo are set up with; their probes go to the real internet unless they are replaced. */
export async function prepareDemo(places: DemoPlaces, stop: AbortSignal): Promise<RunSetup> {
  const { catalogueFile: catalogue, store, state, baseUrl, monitors } = places;
  const setup = await prepareRun(
    {
      catalogue,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(monitors === undefined ? {} : { monitors: monitors.file }),
      store,
      state,
      concurrency: "64",
      monitorConcurrency: "64",
      badgeLanguage: "ru",
      confirm: CONFIRM_SECONDS,
      deadline: "240",
      maxRemovals: "0.2",
    },
    { print: () => undefined, env: {}, setEnv: () => undefined, wallMs: () => Date.now(), stop },
  );
  return monitors === undefined
    ? setup
    : { ...setup, deps: { ...setup.deps, checkMonitors: monitors.check } };
}

interface Stage {
  readonly setup: RunSetup;
  readonly world: WorldProcess;
  readonly catalogue: Catalogue;
  readonly stop: AbortSignal;
}

async function live(
  moment: Moment,
  startMs: number,
  { setup, world, catalogue, stop }: Stage,
): Promise<Lived | undefined> {
  const beganMs = performance.now();
  const only = moment.isPartial === true ? rememberedSlugs(catalogue) : [];
  const probe = await buildProbe(world, catalogue);
  if (moment.agoMs === 0) await reportAll(setup.deps.stateStore, startMs);
  let probed = 0;
  const result = await run(
    {
      ...setup.deps,
      probe,
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

/** The reports of the cast, each from a network of its own, in the minutes that the next evaluation looks at. */
async function reportAll(store: ObjectStore, nowMs: number): Promise<void> {
  const atMs = Math.floor(nowMs / SURGE_SLOT_MS) * SURGE_SLOT_MS - MINUTE_MS;
  const reports = CAST.flatMap(({ slug, reports: count = 0 }) =>
    Array.from({ length: count }, (_, index): Report => {
      return { slug, atMs, network: `n${index}`, block: `b${index % 16}` };
    }),
  );
  const object = { contentType: "application/json", cacheControl: "no-store" };
  await store.write(inboxKey(`${atMs}-demo`), { ...object, body: encodeInbox(reports) });
}

function rememberedSlugs(catalogue: Catalogue): readonly string[] {
  const forgotten = new Set(CAST.filter((role) => role.isForgotten).map(({ slug }) => slug));
  return catalogue.services.map(({ slug }) => slug).filter((slug) => !forgotten.has(slug));
}

/**
 * The probe as `run` builds it, but for the roots, since Node takes those of `NODE_EXTRA_CA_CERTS` only as it starts, and
 * for the guard of addresses.
 */
async function buildProbe(world: WorldProcess, catalogue: Catalogue): Promise<Probe> {
  const connectTo = parseConnectTo(await world.connectToLines(hostsOf(catalogue)));
  if (connectTo.kind !== "ok") throw new Error(connectTo.problems.join("\n"));
  const fingerprints = compileFingerprints(JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8")));
  const root = await readFile(world.rootCaFile, "utf8");
  const national = await readFile(world.nationalCaFile, "utf8");
  return createProbe({
    resolve: createResolver([`127.0.0.1:${world.dnsPort}`], SERVICE_LIMITS.dnsMs),
    addressRules: {
      // Whatever the simulated name server says, nothing may be connected to outside this machine.
      refusalOf: () => "outside the simulated internet",
      stubOf: (address) => matchStubAddress(fingerprints, address),
    },
    connectTo: connectTo.rules,
    fingerprints,
    roots: {
      contexts: {
        public: createSecureContext({ ca: [root] }),
        national: createSecureContext({ ca: [root, national] }),
      },
      canJudgeNational: true,
    },
    limits: SERVICE_LIMITS,
  });
}
