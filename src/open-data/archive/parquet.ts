import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import type { ArchivedCheck } from "../../model/service/archive.ts";
import { SECOND_MS } from "../../model/time.ts";

/** All rows of a day in one group: they pack better, and readers take whole days. */
const ROWS_OF_GROUP = 1_000_000;

/** Columns whose values repeat: endpoint by endpoint, the runs of a day follow one another. */
const TEXTS = ["service", "endpoint", "state", "stage", "code", "network", "vantage"] as const;

/**
 * The checks of a day as a Parquet file (Snappy), sorted by service, endpoint and time, which packs best: equal values follow one
 * another. The same checks are the same bytes. Source: https://parquet.apache.org/docs/file-format/
 */
export function encodeParquet(checks: readonly ArchivedCheck[], method: string): Uint8Array {
  const sorted = checks.toSorted(
    (a, b) => compare(a.service, b.service) || compare(a.endpoint, b.endpoint) || a.at - b.at,
  );
  const columnData: ColumnSource[] = [
    {
      name: "at",
      data: sorted.map(({ at }) => new Date(at * SECOND_MS)),
      type: "TIMESTAMP",
      nullable: false,
    },
    ...TEXTS.map((name): ColumnSource => {
      return { name, data: sorted.map((check) => check[name]), type: "STRING" };
    }),
    { name: "ms", data: sorted.map(({ ms }) => ms), type: "INT32" },
  ];
  const kvMetadata = [
    { key: "licence", value: "CC BY 4.0" },
    { key: "method", value: method },
  ];
  const options = { columnData, kvMetadata, createdBy: "status-snapshot" };
  return new Uint8Array(parquetWriteBuffer({ ...options, rowGroupSize: ROWS_OF_GROUP }));
}

/** By code units, so that no language of a machine matters. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
