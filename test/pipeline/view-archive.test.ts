import { expect, test } from "vitest";
import type { ArchivePart } from "../../src/model/service/archive.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { archiveKeysOf } from "../../src/open-data/archive/archive-documents.ts";
import { archiveKey } from "../../src/model/service/archive.ts";
import { viewArchive } from "../../src/pipeline/pages/site-view.ts";

const partOf = (date: string, names: readonly string[]): ArchivePart => ({
  date,
  method: "2026-11-24",
  files: names.map((name, at) => ({ name, bytes: at + 1, sha256: "", rows: 3 })),
});
const dayOf = (date: string): ArchivePart => partOf(date, ["checks.parquet", "checks.ndjson.gz"]);

test("the website lists the archive newest first", () => {
  const archive = {
    days: [dayOf("2026-11-01"), dayOf("2026-11-02")],
    months: [partOf("2026-10", ["changes.csv", "reports.csv"])],
    sealedDay: 20_000,
  };
  const { days, months } = viewArchive({ ...EMPTY_STATE, archive });
  expect(days.map(({ date }) => date)).toEqual(["2026-11-02", "2026-11-01"]);
  for (const { date, files } of [...days, ...months]) {
    expect(files.map(({ name }) => archiveKey(date, name))).toEqual(archiveKeysOf(date));
    expect(files.map(({ bytes }) => bytes)).toEqual([1, 2]);
  }
});

test("before the first day it lists nothing", () => {
  expect(viewArchive(EMPTY_STATE)).toEqual({ days: [], months: [] });
});
