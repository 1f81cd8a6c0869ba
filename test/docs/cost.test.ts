import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** In 30 days, with a run every five minutes. */
const RUNS = 8_640;
const HOURS = 720;
const SERVICES = 85;
/** Counted from the gateway's log by `test/system/s3-publish.test.ts`: the objects of a first run. */
const OBJECTS = 380;
/**
 * A card, a badge in two forms and a history for each service and for the list, the card of the list that is drawn ahead, and the evidence of
 * each service.
 */
const GROUPS = 4 * (SERVICES + 1) + 1 + SERVICES;
/** State: 3 PUT, one of them for the archive, and a LIST; public: the list, the time of the run and the metrics. The same test counts them. */
const WRITES_OF_A_RUN = 7;
/** Detail, two pages, feed, badges, history and evidence for a recovery, and a card for a failure; the same test counts them. Half of each. */
const WRITES_OF_A_CHANGE = (9 + 8) / 2;
/** Both indexes and common feeds, the badges, changes, eight documents for Statuspage, the site map and the rest, in a run with a change. */
const WRITES_OF_ALL = 20;
/** When a UTC day ends: the history of each service, accuracy and its pages, two files of the archive, its list in two forms. */
const WRITES_OF_A_DAY = SERVICES + 7;
const DAYS = 30;
/** Checks whether another run has published in the meantime. */
const READS_OF_A_CHANGE = 1;
/** After each hour, the chart of response times changes on a page in each language. */
const PAGES = 2;

/** US dollars. Sources: aws.amazon.com/s3/pricing (us-east-1, S3 Standard), developers.cloudflare.com/r2/pricing; November 2026. */
const AWS = { write: 0.005 / 1_000, read: 0.0004 / 1_000 };
const R2 = { writesFree: 1_000_000, readsFree: 10_000_000, writes: 4.5, reads: 0.36 };
/** Roubles with VAT. Source: github.com/yandex-cloud/docs, ru/_pricing/storage/rub-operations.md, 48e92790. */
const YANDEX = { writesFree: 10_000, write: 0.48 / 1_000 };

function countMonth(changed: number): { readonly writes: number; readonly reads: number } {
  const updates = changed === 0 ? 0 : WRITES_OF_ALL + changed * WRITES_OF_A_CHANGE;
  const moved = PAGES * (SERVICES - changed);
  const audited = Math.max(0, OBJECTS + GROUPS - updates);
  return {
    // The index of histories changes with the hour.
    writes: RUNS * (WRITES_OF_A_RUN + updates) + HOURS * (moved + 1) + DAYS * WRITES_OF_A_DAY,
    reads: RUNS * (1 + changed * READS_OF_A_CHANGE) + HOURS * audited,
  };
}

/** R2 charges for whole millions. */
function costAtR2({ writes, reads }: { readonly writes: number; readonly reads: number }): string {
  const millions = (count: number): number => Math.ceil(Math.max(0, count) / 1_000_000);
  const dollars =
    millions(writes - R2.writesFree) * R2.writes + millions(reads - R2.readsFree) * R2.reads;
  return dollars === 0 ? "free" : `$${dollars.toFixed(2)}`;
}

test.each([
  ["without news", 0],
  ["with 8 changed services in each run", 8],
  ["with all 85 changed, never so", SERVICES],
])("the documented cost of a month %s matches the counts and prices", async (name, changed) => {
  const text = await readFile(new URL("../../docs/operations/costs.md", import.meta.url), "utf8");
  const row = text.split("\n").find((line) => line.startsWith(`| ${name} `)) ?? "";
  const cells = row.split("|").map((cell) => cell.trim());
  const counts = countMonth(changed);
  const { writes, reads } = counts;
  const dollars = `$${(writes * AWS.write + reads * AWS.read).toFixed(2)}`;
  const roubles = `${Math.round((writes - YANDEX.writesFree) * YANDEX.write).toLocaleString("en")} ₽`;
  expect(cells.slice(2, 7)).toEqual([
    writes.toLocaleString("en"),
    reads.toLocaleString("en"),
    dollars,
    costAtR2(counts),
    roubles,
  ]);
});
