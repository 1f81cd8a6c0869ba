import { DAY_MS } from "../../src/model/time.ts";
import type { ArchivePart } from "../../src/model/service/archive.ts";
import type { ArchiveView } from "../../src/site/view.ts";

const NEWEST_MS = Date.UTC(2026, 10, 20);

/** Twenty days across the end of a month, and that month. */
export const ARCHIVE: ArchiveView = {
  days: Array.from({ length: 20 }, (_, at) => {
    const date = new Date(NEWEST_MS - at * DAY_MS).toISOString().slice(0, 10);
    return partOf(date, {
      "checks.parquet": 109_512 - at * 997,
      "checks.ndjson.gz": 1_426_007 - at * 997,
    });
  }),
  months: [partOf("2026-10", { "changes.csv": 3_904, "reports.csv": 812 })],
};

function partOf(date: string, sizes: Readonly<Record<string, number>>): ArchivePart {
  const files = Object.entries(sizes).map(([name, bytes]) => {
    return { name, bytes, sha256: "", rows: 3 };
  });
  return { date, method: "2026-11-24", files };
}
