import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";
import { buildBadgeDocuments, looksOf, signatureOf } from "../src/images/badge/content.ts";
import { createCardPainter } from "../src/images/social-card/card-renderer.ts";
import { createBadgePainter } from "../src/images/badge/badge-renderer.ts";
import type { UptimeCount } from "../src/model/monitor/monitor.ts";
import { bundleScript } from "../test/bundle.ts";
import { BUNDLES } from "./command.ts";
import type { Figure, Section } from "./report.ts";
import { summarise } from "./statistics.ts";

const FONT_FILE = new URL("../data/fonts/Inter-Medium.ttf", import.meta.url);
const COLD_PROGRAM = new URL("badge-cold.ts", import.meta.url);
const COLD_TIMES = 5;
const COLD_TIMEOUT_MS = 60_000;

const MONITORS = 100_000;
/**
 * Distinct uptimes among them. A monitor up for 99 % of 30 days has one of 87 values, so a thousand is many; five thousand is
 * half of all values with two decimals.
 */
const DISTINCT_BADGES = [1_000, 5_000] as const;
const BATCH = 1_000;
/** Cards for the warm-up, and again for the measurement. */
const CARDS = 50;
/** Checks of 90 days. */
const DECIDED = 25_920;

const COLD = z.object({
  loadMs: z.number(),
  setUpMs: z.number(),
  firstMs: z.number(),
  firstPngMs: z.number(),
  laterMs: z.array(z.number()),
  laterPngMs: z.array(z.number()),
});

/** The cost of badges: for 100,000 monitors that share badges, and for the first ones of a process. */
export async function benchBadges(): Promise<Section> {
  const program = await bundleScript(COLD_PROGRAM, BUNDLES);
  const cold: z.infer<typeof COLD>[] = [];
  for (let time = 0; time < COLD_TIMES; time += 1) cold.push(await drawCold(program));
  const few = await drawMany(DISTINCT_BADGES[0]);
  const many = await drawMany(DISTINCT_BADGES[1]);
  const cards = await drawCards((index) => `Сервис номер ${index}`);
  const longCards = await drawCards((index) => LONG_TITLE.replace("N", String(index)));
  const setUpAndFirst = cold.map(({ setUpMs, firstMs }) => setUpMs + firstMs);
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  return {
    title: `Badges: ${MONITORS.toLocaleString("en")} monitors, six objects each`,
    command: "npm run bench -- badges",
    figures: [
      {
        ...figure("a monitor, 1,000 distinct badges, with rendering", few.batchesUs, "µs", 1),
        goal: 30,
      },
      figure("the same, mean of all 100,000", [meanOf(few.batchesUs)], "µs", 1),
      {
        ...figure("a monitor, 5,000 distinct badges, with rendering", many.batchesUs, "µs", 1),
        goal: 30,
      },
      figure("the same, mean of all 100,000", [meanOf(many.batchesUs)], "µs", 1),
      figure("a monitor, all badges rendered before", many.knownUs, "µs", 1),
      figure("a monitor whose badges are not written", many.signaturesUs, "µs", 2),
      {
        ...figure("SVG, the first of a process, with its set-up", setUpAndFirst, "ms", 1),
        goal: 20,
      },
      { ...figure("SVG, the first after the set-up", pick("firstMs"), "ms", 1), goal: 20 },
      { ...figure("SVG, with new texts", spread("laterMs"), "ms", 2), goal: 20 },
      figure("PNG, the first of a process", pick("firstPngMs"), "ms", 1),
      figure("PNG, later", spread("laterPngMs"), "ms", 2),
      figure("loading satori and resvg, once", pick("loadMs"), "ms", 0),
      { ...figure("a card for a shared link, CPU", cards.cpuMs, "ms", 1), goal: 60 },
      { ...figure("its PNG", cards.kilobytes, "kB", 1), goal: 40 },
      { ...figure("a card with a title of 119 letters, CPU", longCards.cpuMs, "ms", 1), goal: 60 },
      { ...figure("its PNG", longCards.kilobytes, "kB", 1), goal: 40 },
    ],
    notes: [
      "Set-up, once per process: satori reads the font, starts its layout engine, and renders a letter.",
      "A monitor: four badges, the signature, six documents; in batches of 1,000, each with its share of new badges (10 or 50).",
      `All documents have ${(many.madeBytes / 1e6).toFixed(0)} MB; one painter renders each badge and its PNG once.`,
    ],
  };

  function pick(key: "loadMs" | "firstMs" | "firstPngMs"): readonly number[] {
    return cold.map((one) => one[key]);
  }
  function spread(key: "laterMs" | "laterPngMs"): readonly number[] {
    return cold.map((one) => summarise(one[key]).median);
  }
}

async function drawCold(program: string): Promise<z.infer<typeof COLD>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, fileURLToPath(FONT_FILE)],
    { timeout: COLD_TIMEOUT_MS },
  );
  return COLD.parse(JSON.parse(stdout));
}

async function drawMany(distinct: number) {
  // Distributes new badges evenly over the batches.
  const newEvery = MONITORS / distinct;
  const painter = createBadgePainter(await readFile(FONT_FILE));
  const batchesUs: number[] = [];
  const knownUs: number[] = [];
  const signaturesUs: number[] = [];
  const seen = new Set<string>();
  let madeBytes = 0;
  for (let from = 0; from < MONITORS; from += BATCH) {
    const counts = Array.from({ length: BATCH }, (_, index) => countsOf(from + index, newEvery));
    const makeAll = async (): Promise<void> => {
      for (const [index, one] of counts.entries()) {
        const shown = looksOf(one, { language: "ru" });
        signatureOf(shown);
        const documents = await buildBadgeDocuments(String(from + index), shown, painter);
        for (const { body } of documents) madeBytes += body.length;
      }
    };
    batchesUs.push(await timeEach(makeAll));
    knownUs.push(await timeEach(makeAll));
    const signAll = (): void => {
      for (const one of counts) seen.add(signatureOf(looksOf(one, { language: "ru" })));
    };
    signaturesUs.push(await timeEach(signAll));
  }
  if (seen.size < distinct) throw new Error(`${seen.size} signatures for ${distinct} badges`);
  return { batchesUs, knownUs, signaturesUs, madeBytes: madeBytes / 2 };
}

const LONG_TITLE =
  "Очень длинное название N, которое придумал незнакомец, чтобы посмотреть, что станет с картинкой, если слов много-много";

/** Cards with new titles, in a process that has rendered others before. */
async function drawCards(titleOf: (index: number) => string) {
  const draw = createCardPainter(await readFile(FONT_FILE));
  const [cpuMs, kilobytes]: [number[], number[]] = [[], []];
  for (let index = 0; index < 2 * CARDS; index += 1) {
    const before = process.cpuUsage();
    const png = await draw({
      title: titleOf(index),
      label: "Работает",
      sublabel: "Working",
      color: "ok",
      site: "status.example.ru",
    });
    const { user, system } = process.cpuUsage(before);
    if (index < CARDS) continue;
    cpuMs.push((user + system) / 1_000);
    kilobytes.push(png.length / 1_000);
  }
  return { cpuMs, kilobytes };
}

/** Microseconds per monitor of a batch. */
async function timeEach(work: () => void | Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return ((performance.now() - startMs) * 1_000) / BATCH;
}

/** Uptimes of one monitor: every `newEvery`-th one is new, the others repeat earlier ones. */
function countsOf(number: number, newEvery: number) {
  const newest = Math.floor(number / newEvery);
  // A prime, so that repeated badges come in no order.
  const badge = number % newEvery === 0 ? newest : (number * 7_919) % (newest + 1);
  const near = (distance: number): UptimeCount => uptimeOf(Math.max(0, badge - distance));
  return { "24h": near(3), "7d": near(2), "30d": near(0), "90d": near(1) };
}

/** Badge 0 is 100 %, and each further one a hundredth of a per cent less. */
function uptimeOf(badge: number): UptimeCount {
  return { decided: DECIDED, healthy: Math.floor((DECIDED * (10_000 - badge)) / 10_000) };
}

function figure(what: string, values: readonly number[], unit: string, digits: number): Figure {
  return { what, values, unit, digits };
}
