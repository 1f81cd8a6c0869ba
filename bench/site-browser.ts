import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Document } from "../src/model/service/snapshot.ts";
import { createFront } from "../src/preview/front.ts";
import { type Listening } from "../src/http-server/listen.ts";
import { listenPreview } from "../test/preview/listen-preview.ts";
import { createMemoryStore } from "../test/store/memory-store.ts";
import type { Figure } from "./report.ts";

const CHROMIUM = "/usr/bin/chromium";
const VISITS = 7;

/**
 * A mid-range phone on a slow mobile network, as in Lighthouse.
 * Source: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  timezoneId: "Europe/Moscow",
};
const CPU_SLOWER = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_024 * 1_024) / 8,
  uploadThroughput: (750 * 1_024) / 8,
};
const PROFILE =
  "Phone: 412 × 823, processor slowed down 4 times, 1.6 Mbit/s, 150 ms for each request, nothing cached, gzip; Chromium on this machine.";

interface Visit {
  /** Largest contentful paint. */
  readonly paintMs: number;
  readonly firstPaintMs: number;
  /** What tasks take beyond 50 ms each, until the first update by the script. Source: https://web.dev/articles/tbt */
  readonly blockedMs: number;
  /** Sum of all layout shifts until the first update by the script. */
  readonly shift: number;
  /** Page, style and script, with their headers, as transferred. */
  readonly wireBytes: number;
}

export interface Seen {
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

/**
 * Measures pages in a browser.
 *
 * @param paths by what they are called in the report.
 * @param nowMs the time of the documents: with the real clock they would be stale, and the pages different.
 */
export async function measureInBrowser(
  documents: readonly Document[],
  paths: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<Seen> {
  if (!existsSync(CHROMIUM)) {
    return { figures: [], notes: [`In a browser: skipped, ${CHROMIUM} is not installed.`] };
  }
  const server = await serve(documents, nowMs);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const figures: Figure[] = [];
    for (const [what, path] of Object.entries(paths))
      figures.push(...figuresOf(what, await visitAgain(browser, server.url + path)));
    return { figures, notes: [PROFILE] };
  } finally {
    await browser.close();
    await server.close();
  }
}

function figuresOf(what: string, visits: readonly Visit[]): readonly Figure[] {
  const of = (get: (visit: Visit) => number): readonly number[] => visits.map(get);
  return [
    {
      what: `${what}: largest paint on a phone`,
      values: of(({ paintMs }) => paintMs / 1_000),
      unit: "s",
      digits: 2,
      goal: 0.9,
    },
    {
      what: `${what}: first paint`,
      values: of(({ firstPaintMs }) => firstPaintMs / 1_000),
      unit: "s",
      digits: 2,
    },
    {
      what: `${what}: main thread blocked`,
      values: of(({ blockedMs }) => blockedMs),
      unit: "ms",
      digits: 0,
      goal: 150,
    },
    {
      what: `${what}: layout shift`,
      values: of(({ shift }) => shift),
      unit: "",
      digits: 3,
      goal: 0,
    },
    {
      what: `${what}: page, style and script over the wire`,
      values: of(({ wireBytes }) => wireBytes / 1_000),
      unit: "kB",
      digits: 1,
      goal: 40,
    },
  ];
}

/** The preview front. Its `Date` is constant, and pages use it as their clock. */
async function serve(documents: readonly Document[], nowMs: number): Promise<Listening> {
  const store = createMemoryStore();
  for (const { key, ...document } of documents) await store.write(key, document);
  const front = createFront(store);
  return await listenPreview(
    async (request) => {
      const response = await front.fetch(request);
      response.headers.set("Date", new Date(nowMs).toUTCString());
      return response;
    },
    { port: 0 },
  );
}

/** The first visit is a warm-up. */
async function visitAgain(browser: Browser, url: string): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (let time = 0; time <= VISITS; time += 1) visits.push(await visit(browser, url));
  return visits.slice(1);
}

const READ = `new Promise((resolve) => {
  const found = { paintMs: 0, shift: 0, blockedMs: 0 };
  const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note))
    .observe({ type, buffered: true });
  watch("largest-contentful-paint", ({ startTime }) => (found.paintMs = startTime));
  watch("layout-shift", ({ value }) => (found.shift += value));
  watch("longtask", ({ duration }) => (found.blockedMs += Math.max(0, duration - 50)));
  const [first] = performance.getEntriesByName("first-contentful-paint");
  setTimeout(() => resolve(JSON.stringify({ ...found, firstPaintMs: first?.startTime ?? 0 })), 300);
})`;

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const readWireBytes = await slowDown(page);
    await page.goto(url);
    // After the first answers that the script got.
    await page.locator("body.fresh").waitFor({ state: "attached" });
    const found: Omit<Visit, "wireBytes"> = JSON.parse(String(await page.evaluate(READ)));
    return { ...found, wireBytes: readWireBytes() };
  } finally {
    await context.close();
  }
}

/** Emulates a phone. The returned function gives the bytes transferred for page, style and script. */
async function slowDown(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  const awaited = new Set<string>();
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, type }) => {
    if (type === "Document" || type === "Stylesheet" || type === "Script") awaited.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (awaited.has(requestId)) bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER });
  return () => bytes;
}
