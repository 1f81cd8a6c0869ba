import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** Of 30 days with a run every five minutes. */
const RUNS = 8_640;
const HOURS = 720;
const SERVICES = 85;
/** Counted from the gateway's log by `test/system/s3-publish.test.ts`: the objects of a first run. */
const OBJECTS = 447;
/** State: 2 PUT and a LIST; public: the list and the time of the run. The same test counts them. */
const WRITES_OF_A_RUN = 5;
/** Detail, two pages, two feeds, picture. */
const WRITES_OF_A_CHANGE = 6;
/** Both indexes and feeds of all, the site map and what goes with them, once there is a change at all. */
const WRITES_OF_ALL = 8;
/** The picture, and a look whether the run was overtaken. */
const READS_OF_A_CHANGE = 2;
/** When an hour ends, the line of response times moves on a page in each language. */
const PAGES = 2;

/** US dollars. Sources: aws.amazon.com/s3/pricing (us-east-1, S3 Standard), developers.cloudflare.com/r2/pricing; November 2026. */
const AWS = { write: 0.005 / 1_000, read: 0.0004 / 1_000 };
const R2 = { writesFree: 1_000_000, readsFree: 10_000_000, writes: 4.5, reads: 0.36 };
/** Roubles with VAT. Source: github.com/yandex-cloud/docs, ru/_pricing/storage/rub-operations.md, 48e92790. */
const YANDEX = { writesFree: 10_000, write: 0.48 / 1_000 };

function countMonth(changed: number): { readonly writes: number; readonly reads: number } {
  const news = changed === 0 ? 0 : WRITES_OF_ALL + changed * WRITES_OF_A_CHANGE;
  const moved = PAGES * (SERVICES - changed);
  const audited = Math.max(0, OBJECTS - news);
  return {
    writes: RUNS * (WRITES_OF_A_RUN + news) + HOURS * moved,
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
])("what a month costs, %s, is what the counts and prices give", async (name, changed) => {
  const text = await readFile(new URL("../../docs/operating.md", import.meta.url), "utf8");
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
