import { DAY_MS } from "../../src/model/time.ts";
import type { ArchiveView } from "../../src/site/view.ts";

const NEWEST_MS = Date.UTC(2026, 10, 20);

/** Twenty days across the end of a month, and that month. */
export const ARCHIVE: ArchiveView = {
  days: Array.from({ length: 20 }, (_, at) => {
    const date = new Date(NEWEST_MS - at * DAY_MS).toISOString().slice(0, 10);
    return {
      date,
      files: [
        { key: `archive/v1/${date}/checks.parquet`, bytes: 109_512 - at * 997 },
        { key: `archive/v1/${date}/checks.ndjson.gz`, bytes: 1_426_007 - at * 997 },
      ],
    };
  }),
  months: [
    {
      date: "2026-10",
      files: [
        { key: "archive/v1/2026-10/changes.csv", bytes: 3_904 },
        { key: "archive/v1/2026-10/reports.csv", bytes: 812 },
      ],
    },
  ],
};
