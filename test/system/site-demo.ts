import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckMonitors } from "../../src/pipeline/run/measurement.ts";
import type { Catalogue } from "../../src/model/service/catalogue.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import type { Report } from "../../src/model/service/reports.ts";
import type { State } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { inboxKey, encodeInbox } from "../../src/state/inbox.ts";
import {
  openPublishing,
  publishGeneration,
} from "../../src/pipeline/publish/publish-generation.ts";
import { createFront } from "../../src/preview/front.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { loadState } from "../../src/state/state-file.ts";
import { openStore } from "../../src/store/open.ts";
import { type DemoPlaces, runDays, prepareDemo } from "../simulated-internet/demo-days.ts";
import { findShortfalls } from "../simulated-internet/demo-overview.ts";
import { writeDemoCatalogue } from "../simulated-internet/shipped-catalogue.ts";

/** A monitor of the demo with a public page. */
export interface DemoMonitor {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  /** Results of its checks, one per run; if there are none, it is not checked yet. */
  readonly checks: readonly CheckResult[];
}

const FINE: CheckResult = { kind: "healthy", totalMs: 240 };
const BROKEN: CheckResult = { kind: "failing", code: "tls-reset" };
const WARNED: CheckResult = { ...FINE, warning: "mixed-addresses" };
const REFUSED: CheckResult = { kind: "refused", code: "dns-special-address" };

/** Hostile and difficult names. */
export const DEMO_MONITORS: readonly DemoMonitor[] = [
  {
    id: "plain",
    url: "https://shop.example.ru/",
    name: "Магазин",
    checks: [FINE, FINE, WARNED],
  },
  {
    id: "script",
    url: `https://x.example.ru/?q="><script>alert(3)</script>&a=1&lt;`,
    name: `"><script>alert(1)</script></title></textarea>`,
    checks: [FINE, FINE, BROKEN],
  },
  {
    id: "image",
    url: "https://y.example.ru/'onmouseover='alert(4)",
    name: `<img src=x onerror='alert(2)'> & &amp; &lt;b&gt; {{7*7}} \${1}`,
    // After a healthy check it would be failing.
    checks: [REFUSED, REFUSED, REFUSED],
  },
  {
    id: "Emoji_-1",
    url: "https://z.example.ru/",
    name: "👩\u200D👩\u200D👧 🏳\uFE0F\u200D🌈 مرحبا \u200F y\u0308\u0323 ]]>",
    checks: [BROKEN, BROKEN, FINE],
  },
  {
    id: `${"l".repeat(62)}-1`,
    url: `https://long.example.ru/${"very-long-path/".repeat(100)}`,
    name: "Ш".repeat(120),
    checks: [],
  },
];

/** A registry refuses these. */
export const REFUSED_NAMES = ["safe \u202Egnp.exe", "two\nlines", "\u2066isolated\u2069"] as const;

/** The website of the demo, served like `serve`. */
export interface DemoSite {
  readonly url: string;
  readonly state: State;
  close(): Promise<void>;
}

/** More publishes than all pictures need on a slow machine. */
const MAX_PUBLISHES = 60;

/** Runs the demo with monitors into a folder, and publishes until no picture is missing. */
export async function openDemoSite(): Promise<DemoSite> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-site-"));
  const store = `file:${join(folder, "public")}`;
  const stateUrl = `file:${join(folder, "state")}`;
  const opened = await openStore(store, { role: "public" });
  if (opened.kind === "refused") throw new Error(opened.message);
  const server = await listenPreview(createFront(opened.store).fetch, { port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const file = join(folder, "monitors.jsonl");
    await writeFile(file, registryText());
    const catalogueFile = join(folder, "catalogue.yaml");
    const baseUrl = server.url;
    const monitors = { file, check: checkInTurn() };
    const places = { catalogueFile, store, state: stateUrl, baseUrl, reports: "on", monitors };
    return { url: server.url, state: await play(places), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function play(places: DemoPlaces): Promise<State> {
  const catalogue = await writeDemoCatalogue(places.catalogueFile);
  const { signal } = new AbortController();
  const nowMs = Date.now();
  for await (const { when, snapshot } of runDays(catalogue, places, nowMs, signal)) {
    const shortfalls = when === "now" ? findShortfalls(snapshot) : [];
    if (shortfalls.length > 0) throw new Error(shortfalls.join("\n"));
    if (when === "now") break;
  }
  const { deps } = await prepareDemo(places, signal);
  await reportQuietly(deps.stateStore, catalogue, nowMs);
  for (let publishes = 1; publishes <= MAX_PUBLISHES; publishes += 1) {
    // Like a run, because a refresh draws no pictures.
    const { published } = await publishGeneration(
      openPublishing({ ...deps, emit: () => undefined }),
      nowMs,
      (state) => ({ state, nowMs, events: [] }),
      { reportsAtMs: nowMs },
    );
    if (published.postponedGroups > 0) continue;
    return (await loadState(deps.stateStore)).state;
  }
  throw new Error("some pictures are never drawn");
}

/** A few reports of each service, now and some hours ago: too few for a surge, with different counts. */
async function reportQuietly(
  store: ObjectStore,
  { services }: Catalogue,
  nowMs: number,
): Promise<void> {
  const reports = services.flatMap(({ slug }, at): readonly Report[] => {
    const report = (network: string, agoMs: number): Report => {
      return { slug, atMs: nowMs - agoMs, network: `${network}${at}`, block: `b${at % 16}` };
    };
    const now = Array.from({ length: at % 3 }, (_, each) => report(`n${each}-`, 20 * MINUTE_MS));
    const before = Array.from({ length: at % 5 }, (_, each) => report(`o${each}-`, 5 * HOUR_MS));
    return [...before, ...now];
  });
  const object = { contentType: "application/json", cacheControl: "no-store" };
  await store.write(inboxKey(`${nowMs}-quiet`), { ...object, body: encodeInbox(reports) });
}

function registryText(): string {
  const good = DEMO_MONITORS.map(({ id, url, name }) => ({ id, url, name, public: true }));
  const bad = REFUSED_NAMES.map((name, at) => {
    return { id: `refused-${at}`, url: "https://r.example.ru/", name, public: true };
  });
  const hidden = { id: "private", url: "https://p.example.ru/", name: "Личный", public: false };
  return [...good, ...bad, hidden].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** The results of each monitor, one per run. */
function checkInTurn(): CheckMonitors {
  let run = -1;
  return (targets) => {
    run += 1;
    const found = targets.map(({ id }): readonly [string, CheckResult] => {
      const check = DEMO_MONITORS.find((monitor) => monitor.id === id)?.checks[run];
      return [id, check ?? { kind: "skipped" }];
    });
    return Promise.resolve(new Map(found));
  };
}
