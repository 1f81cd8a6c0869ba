import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import type { ArchivedCheck } from "../../../src/model/service/archive.ts";
import type { VerdictChange } from "../../../src/model/service/verdict-change.ts";
import { isMonthOver, isOlderThan } from "../../../src/open-data/archive/parts.ts";
import {
  toCsv,
  changesTable,
  dayFiles,
  hoursIn,
  reportsTable,
  rowsOf,
  sealChecks,
  toPart,
} from "../../../src/open-data/archive/seal.ts";
import {
  decodeChecks,
  decodeSpool,
  encodeSpool,
  type SpooledRun,
} from "../../../src/open-data/archive/spool.ts";
import { sampleDay } from "./sample-day.ts";

const check = (at: number, more: Partial<ArchivedCheck> = {}): ArchivedCheck => ({
  at,
  service: "банк",
  endpoint: "https://b.example/",
  state: "ok",
  stage: null,
  code: null,
  ms: 120,
  network: null,
  vantage: "moscow",
  ...more,
});

const run = (at: number, reports: SpooledRun["reports"] = []): SpooledRun => ({
  at,
  checks: [check(at)],
  reports,
});

describe("what a run keeps", () => {
  test("comes back as it was", () => {
    const kept = {
      ...run(300, [["a", 6]]),
      checks: [check(300), check(300, { state: "skipped", ms: null })],
    };
    expect(decodeSpool(encodeSpool(kept))).toEqual(kept);
  });

  test("is nothing if it is cut, changed or of another kind", () => {
    const bytes = encodeSpool(run(300));
    for (const broken of [bytes.subarray(0, 20), new Uint8Array(), new TextEncoder().encode("{}")])
      expect(decodeSpool(broken)).toBeUndefined();
    expect(decodeSpool(sealChecks([run(300)]))).toBeUndefined();
  });
});

describe("a day", () => {
  test("has the same bytes in whatever order its runs are read", () => {
    const runs = [run(300), run(600), run(900)];
    expect(sealChecks(runs.toReversed())).toEqual(sealChecks(runs));
  });

  test("can be read back from Parquet by another program, with its types", async () => {
    const checks = [check(300, { state: "failed", stage: "tcp", code: "tcp-timeout" }), check(0)];
    const [parquet] = await dayFiles(new Uint8Array(), checks, "2026-11-24");
    const file = Uint8Array.from(parquet?.body ?? []).buffer;
    const { schema, key_value_metadata: notes } = parquetMetadata(file);
    expect(Object.fromEntries(schema.slice(1).map(({ name, type }) => [name, type]))).toMatchObject(
      {
        at: "INT64",
        service: "BYTE_ARRAY",
        ms: "INT32",
      },
    );
    expect(notes).toContainEqual({ key: "method", value: "2026-11-24" });
    const rows = await parquetReadObjects({ file });
    expect(rows).toEqual([
      { ...check(0), at: new Date(0) },
      {
        ...check(300, { state: "failed", stage: "tcp", code: "tcp-timeout" }),
        at: new Date(300_000),
      },
    ]);
  });

  test("has neither a time nor a system in its header", () => {
    const [, , , , ...header] = sealChecks([run(300)]);
    expect(header.slice(0, 6)).toEqual([0, 0, 0, 0, 2, 255]);
  });

  test("has its rows by service, endpoint and time as Parquet", async () => {
    const rowOf = (service: string, endpoint: string, at: number) => ({
      ...check(at),
      service,
      endpoint: `https://${endpoint}.example/`,
    });
    const sorted = [
      rowOf("a", "b", 0),
      rowOf("a", "b", 300),
      rowOf("a", "c", 0),
      rowOf("b", "a", 0),
    ];
    const [parquet] = await dayFiles(new Uint8Array(), sorted.toReversed(), "2026-11-24");
    const rows = await parquetReadObjects({ file: Uint8Array.from(parquet?.body ?? []).buffer });
    expect(rows).toEqual(sorted.map((row) => ({ ...row, at: new Date(row.at * 1_000) })));
  });

  test("of 73,728 checks stays below 150 kB as Parquet", async () => {
    const sealed = sealChecks(sampleDay());
    const checks = decodeChecks(sealed) ?? [];
    const [parquet] = await dayFiles(sealed, checks, "2026-11-24");
    expect(checks).toHaveLength(73_728);
    expect(parquet?.body.length).toBeLessThan(150_000);
  });
});

describe("a month", () => {
  test("has the reports of each hour as its last run counted them, from five on", () => {
    const runs = [
      run(3_600, [["a", 9]]),
      run(6_900, [
        ["a", 5],
        ["b", 4],
      ]),
      run(7_200, [["a", 4]]),
    ];
    const hours = hoursIn(runs);
    expect(reportsTable(hours.toReversed())).toBe("hour,service,reports\r\n3600,a,5\r\n");
  });

  test("has its changes as a table", () => {
    const change: VerdictChange = {
      seq: 3,
      slug: "a",
      atMs: 5_000,
      before: "ok",
      code: "fail",
      scope: "russia",
      isSurge: true,
      live: true,
    };
    expect(changesTable([change, { ...change, seq: 4, networks: 2 }])).toBe(
      [
        "seq,service,at,before,code,scope,surge,live,networks",
        "3,a,5,ok,fail,russia,true,true,",
        "4,a,5,ok,fail,russia,true,true,2",
        "",
      ].join("\r\n"),
    );
  });

  test.each([
    ["2026-11", "2026-11-30", false],
    ["2026-11", "2026-12-01", true],
    ["2026-12", "2027-01-01", true],
  ])("%s is over on %s: %s", (month, today, isOver) => {
    expect(isMonthOver(month, Date.parse(today) / 86_400_000)).toBe(isOver);
  });
});

test.each([
  ["2026-11-01", "2026-12-11", false],
  ["2026-11-01", "2026-12-12", true],
  ["2027-01-31", "2027-03-13", true],
  ["2027-01", "2027-03-12", false],
  ["2027-01", "2027-03-13", true],
  ["2026-11", "2027-01-09", false],
  ["2026-11", "2027-01-10", true],
])("%s has left an archive of 40 days on %s: %s", (date, today, isOld) => {
  expect(isOlderThan(date, 40, Date.parse(today) / 86_400_000)).toBe(isOld);
});

test("a day has two files, and its part names them with size, digest and rows", async () => {
  const sealed = new TextEncoder().encode("abc");
  const files = await dayFiles(sealed, [check(0), check(300)], "2026-11-24");
  expect(files.map(({ name, rows }) => [name, rows])).toEqual([
    ["checks.parquet", 2],
    ["checks.ndjson.gz", 2],
  ]);
  const { key_value_metadata: notes } = parquetMetadata(
    Uint8Array.from(files[0]?.body ?? []).buffer,
  );
  expect(notes).toEqual([
    { key: "licence", value: "CC BY 4.0" },
    { key: "method", value: "2026-11-24" },
  ]);
  expect(toPart("2026-11-30", "2026-11-24", files.slice(1))).toEqual({
    date: "2026-11-30",
    method: "2026-11-24",
    files: [
      {
        name: "checks.ndjson.gz",
        bytes: 3,
        sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        rows: 2,
      },
    ],
  });
});

test("the rows of a table are counted without its header", () => {
  const rows = [["x"], ["y"]];
  expect([0, 1, 2].map((count) => rowsOf(toCsv(["a"], rows.slice(0, count))))).toEqual([0, 1, 2]);
});

test.each(["x,y", 'x"y', "x\ry", "x\ny"])("the cell %j is quoted", (cell) => {
  expect(toCsv([cell], [])).toBe(`"${cell.replace('"', '""')}"\r\n`);
  expect(toCsv(["x y;z"], [[7, true]])).toBe("x y;z\r\n7,true\r\n");
});

test("a table quotes what its readers would misread", () => {
  expect(toCsv(["a"], [['x,"y"\n']])).toBe('a\r\n"x,""y""\n"\r\n');
});
