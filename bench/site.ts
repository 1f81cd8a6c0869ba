import { DEFAULT_SITE_SETTINGS } from "../src/model/site-settings.ts";
import { gzipSync } from "node:zlib";
import { createBadgeMaker } from "../src/setup/publish-settings.ts";
import { createSiteMaker } from "../src/pipeline/pages/site-builder.ts";
import { decideServices } from "../src/pipeline/publish/decide-services.ts";
import { fold } from "../src/services/history/fold.ts";
import type { Catalogue } from "../src/model/service/catalogue.ts";
import type { MonitorView } from "../src/site/view.ts";
import { type Document, toDocument } from "../src/model/service/snapshot.ts";
import type { State } from "../src/model/state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/model/time.ts";
import { reportAccuracy } from "../src/open-data/accuracy/report.ts";
import { reportsAsOf } from "../src/reports/counting/counts.ts";
import { renderMonitor } from "../src/site/pages/monitor.tsx";
import { summariseMonths } from "../src/pipeline/pages/month-summaries.ts";
import type { SiteSources } from "../src/pipeline/pages/site-view.ts";
import { buildDocuments } from "../src/services/snapshot/api-documents.ts";
import type { Bench } from "./benches.ts";
import type { Section } from "./report.ts";
import { measureInBrowser } from "./site-browser.ts";
import { imagineRun, imagineSevenDays } from "./seven-days.ts";

const BUILDS = 20;
const MONITOR_PAGES = 10_000;
const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "http://127.0.0.1:8080", root: "" };
const PERIOD_MS = 5 * MINUTE_MS;
/** The resources that the home page needs before it is rendered. */
const HOME: ReadonlySet<string> = new Set(["index.html", "site.css", "site.js"]);

/** The cost of the website: building it, transferring its home page, and updating it without changes of verdicts. */
export async function benchSite({ catalogue }: Bench): Promise<Section> {
  // In the middle of a half hour, so that the next run is in the same one.
  const nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS + 10 * MINUTE_MS;
  const state = imagineSevenDays(catalogue, nowMs);
  const maker = createSiteMaker(createBadgeMaker("ru"));
  const build = async (from: State, atMs: number): Promise<readonly Document[]> =>
    (await maker.build(ADDRESS, sourcesOf(catalogue, from, atMs))).flat();
  const first = await measureCpu(() => build(state, nowMs));
  const later: number[] = [];
  for (let time = 0; time < BUILDS; time += 1) {
    later.push((await measureCpu(() => build(state, nowMs))).cpuMs);
  }
  const home = first.value.filter(({ key }) => HOME.has(key));
  const kB = (documents: readonly Document[]): number =>
    documents.reduce((sum, { body }) => sum + gzipSync(body).length, 0) / 1000;
  const buildAt = (atMs: number): Promise<readonly Document[]> =>
    build(stateAt(catalogue, state, nowMs, atMs), atMs);
  const changedAt = async (minutes: number): Promise<number> =>
    countChanged(await buildAt(nowMs + PERIOD_MS), await buildAt(nowMs + minutes * MINUTE_MS));
  const monitors = measureMonitorPages();
  const service = catalogue.services[0]?.slug ?? "";
  const seen = await measureInBrowser(
    [...first.value, ...listsOf(catalogue, state, nowMs), monitorPage()],
    { "home page": "/", "page of a service": `/status/${service}`, "page of a monitor": "/m/one" },
    nowMs,
  );
  return {
    title: `Website: ${first.value.length} documents of ${catalogue.services.length} services, two languages`,
    command: "npm run bench -- site",
    figures: [
      { what: "CPU to build all", values: later, unit: "ms", digits: 0, goal: 300 },
      {
        what: "the same, the first time in a process",
        values: [first.cpuMs],
        unit: "ms",
        digits: 0,
      },
      {
        what: "home page with style and script, gzip",
        values: [kB(home)],
        unit: "kB",
        digits: 1,
        goal: 40,
      },
      {
        what: "the script alone",
        values: [kB(home.filter(({ key }) => key === "site.js"))],
        unit: "kB",
        digits: 1,
        goal: 8,
      },
      {
        what: "objects that the next run changes",
        values: [await changedAt(10)],
        unit: "",
        digits: 0,
        goal: 4,
      },
      {
        what: "objects that change when a half hour ends",
        values: [await changedAt(25)],
        unit: "",
        digits: 0,
      },
      {
        what: "objects that change when an hour ends",
        values: [await changedAt(55)],
        unit: "",
        digits: 0,
      },
      { what: "10,000 pages of monitors, CPU", values: [monitors], unit: "s", digits: 2, goal: 10 },
      ...seen.figures,
    ],
    notes: [
      "The history has seven days in which every fiftieth endpoint fails and response times vary.",
      "A page of a monitor is rendered in both languages.",
      ...seen.notes,
    ],
  };
}

function sourcesOf(catalogue: Catalogue, state: State, nowMs: number): SiteSources {
  const reports = reportsAsOf(state.reports.ledger, nowMs);
  const snapshot = decideServices(catalogue, state.history, reports, nowMs, nowMs);
  const accuracy = reportAccuracy(state.accuracy, []);
  const months = summariseMonths(state, catalogue.services, nowMs);
  return {
    catalogue,
    state,
    snapshot,
    nowMs,
    reportsAtMs: nowMs,
    accuracy,
    truth: [],
    months,
    operators: new Map(),
  };
}

/** The documents that the script requests. */
function listsOf(catalogue: Catalogue, state: State, nowMs: number): readonly Document[] {
  return buildDocuments(sourcesOf(catalogue, state, nowMs).snapshot);
}

/** The state of `nowMs` after further identical runs, the last one at `atMs`. */
function stateAt(catalogue: Catalogue, state: State, nowMs: number, atMs: number): State {
  let { history } = state;
  for (let runMs = nowMs + PERIOD_MS; runMs <= atMs; runMs += PERIOD_MS) {
    const run = imagineRun(catalogue, runMs, () => 0.5);
    history = fold(history, run, catalogue);
  }
  return { ...state, history };
}

function countChanged(before: readonly Document[], after: readonly Document[]): number {
  const bodies = new Map(before.map(({ key, body }) => [key, Buffer.from(body)]));
  return after.filter(({ key, body }) => bodies.get(key)?.equals(body) !== true).length;
}

function measureMonitorPages(): number {
  const startedUs = process.cpuUsage();
  const address = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" };
  const assets = {
    css: "00000000",
    script: "00000000",
    ownerScript: "00000000",
    followScript: "00000000",
  };
  for (let index = 0; index < MONITOR_PAGES; index += 1) {
    const monitor = imagineMonitor(index);
    renderMonitor({ address, language: "ru", assets }, monitor);
    renderMonitor({ address, language: "en", assets }, monitor);
  }
  const { user, system } = process.cpuUsage(startedUs);
  return (user + system) / 1e6;
}

function monitorPage(): Document {
  const assets = {
    css: "00000000",
    script: "00000000",
    ownerScript: "00000000",
    followScript: "00000000",
  };
  return toDocument(
    "m/one",
    renderMonitor({ address: ADDRESS, language: "ru", assets }, imagineMonitor(1)),
  );
}

function imagineMonitor(index: number): MonitorView {
  const count = { decided: 8_640, healthy: 8_640 - (index % 300) };
  return {
    id: `monitor-${index}`,
    name: `Магазин № ${index}`,
    url: `https://shop-${index}.example.ru/`,
    condition: index % 10 === 0 ? "failing" : "healthy",
    sinceMs: 1_800_000_000_000,
    uptimes: { "24h": count, "7d": count, "30d": count, "90d": count },
    outages: [],
    days: Array.from({ length: 90 }, (_, day) => ((day + index) % 20 === 0 ? "minor" : "whole")),
    responseMs: Array.from({ length: 24 }, (_, hour) => 100 + ((hour * index) % 300)),
  };
}

async function measureCpu<T>(act: () => Promise<T>) {
  const startedUs = process.cpuUsage();
  const value = await act();
  const { user, system } = process.cpuUsage(startedUs);
  return { value, cpuMs: (user + system) / 1000 };
}
