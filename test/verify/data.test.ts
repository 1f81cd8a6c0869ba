import { expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { readMetrics } from "../../src/verify/data/metrics.ts";
import { checkWith, idsOf, problemsOf, seenOf } from "./check.ts";
import { become, editJson, firstOf, listOf, when } from "./rows/corrupt.ts";
import { tomorrow } from "./rows/data-edits.ts";
import { DATA_ROWS } from "./rows/data-rows.ts";
import { testRows } from "./rows.ts";

testRows(DATA_ROWS, isFull);

const isBelow =
  (...folders: readonly string[]) =>
  ({ target }: { readonly target: string }): boolean =>
    folders.some((folder) => target.startsWith(folder));

test("what comes with later runs is skipped at a 404, with the reason", async () => {
  const report = await checkWith(
    when(isBelow("/history/", "/outages/", "/archive/", "/badge"), become(404)),
  );
  expect(problemsOf(report)).toBe("");
  const skipped = report.checks.filter(
    ({ id, result }) => id.startsWith("data.") && result === "skip",
  );
  expect(skipped.map(({ id, seen }) => [id, seen])).toEqual([
    ["data.history", "404: the first publish has no histories"],
    ["data.outages", "404: the first publish has no outages"],
    ["data.archive", "404: no day is over yet"],
    ["data.shields", "404: no badge is drawn yet"],
  ]);
});

test("without any open data one check fails, and the others are skipped", async () => {
  const report = await checkWith(
    when(
      isBelow(
        "/changes",
        "/api/v2",
        "/metrics",
        "/accuracy",
        "/operators",
        "/history",
        "/outages",
        "/archive",
        "/badge",
      ),
      become(404),
    ),
  );
  expect(idsOf(report, "fail")).toEqual(["data.reachable"]);
  expect(idsOf(report, "pass").filter((id) => id.startsWith("data."))).toEqual([]);
  expect(seenOf(report, "data.agrees")).toBe("no document could be read");
});

test("an archive whose list is not JSON is skipped", async () => {
  const report = await checkWith(when(isBelow("/archive/v1/index.json"), become(200, "<html>")));
  expect(seenOf(report, "data.archive")).toBe("a list could not be read");
});

test("one badge may be drawn later than the others", async () => {
  const report = await checkWith(when(isBelow("/badge/"), become(404)));
  expect(report.checks.find(({ id }) => id === "data.shields")).toMatchObject({
    result: "pass",
    seen: "/badge.json",
  });
});

test("no change, no outage and no day of the archive are right as well", async () => {
  const empty = [
    editJson(
      ({ target }) => target === "/changes/v1.json",
      (one) => Object.assign(one, { next: 1, changes: [] }),
    ),
    editJson(
      ({ target }) => target === "/history/v1/sberbank.json",
      (one) => Object.assign(one, { changes: [], days: [], outages: [] }),
    ),
    editJson(
      ({ target }) => target === "/accuracy/v1.json",
      (one) => Object.assign(one, { since: null, until: 0, months: [] }),
    ),
    editJson(
      ({ target }) => target === "/archive/v1/index.json",
      (one) => Object.assign(one, { days: [], months: [] }),
    ),
    editJson(
      ({ target }) => target === "/archive/v1/datapackage.json",
      (one) => Object.assign(one, { resources: [] }),
    ),
  ];
  const report = await checkWith((answer) => empty.forEach((corrupt) => corrupt(answer)));
  expect(problemsOf(report)).toBe("");
});

test("a publish between the reads of the list and open data is not a disagreement", async () => {
  let reads = 0;
  const report = await checkWith(
    when(isBelow("/metrics"), (answer) => {
      reads += 1;
      // The first two reads are those without and with an Origin.
      if (reads <= 2)
        answer.body = answer.body.replace('up{service="sberbank"} 1', 'up{service="sberbank"} 0');
    }),
  );
  expect(problemsOf(report)).toBe("");
  expect(report.checks.find(({ id }) => id === "data.agrees")).toMatchObject({
    result: "pass",
    warnings: ["they agreed only when they were read again"],
  });
});

test("a day that is added to the archive between the reads is not a fault", async () => {
  let reads = 0;
  const report = await checkWith(
    editJson(isBelow("/archive/v1/datapackage.json"), (document) => {
      reads += 1;
      if (reads === 1) document["resources"] = listOf(document, "resources").slice(2);
    }),
  );
  expect(problemsOf(report)).toBe("");
});

test.each([
  ["days", tomorrow()],
  ["months", tomorrow().slice(0, 7)],
])("one of the %s of the archive that is not over is a problem", async (kind, date) => {
  const report = await checkWith(
    editJson(isBelow("/archive/v1/index.json"), (index) => {
      firstOf(index, kind)["date"] = date;
    }),
  );
  expect(problemsOf(report)).toContain(`data.archive: ${kind} 1: ${date} is not over`);
});

test("only files of the archive are requested, whatever paths its index has", async () => {
  const asked: string[] = [];
  const paths = editJson(isBelow("/archive/v1/index.json"), (index) => {
    for (const day of listOf(index, "days"))
      for (const file of listOf(day, "files")) file["path"] = "../../x/checks.parquet";
  });
  await checkWith((answer) => {
    asked.push(answer.target);
    paths(answer);
  });
  expect(asked.filter((target) => target.includes("x/"))).toEqual([]);
});

test.each(["1e999", "+Inf", "NaN", "0x1", "1 2", ""])("%j is no value of a metric", (value) => {
  expect(readMetrics(Buffer.from(`# TYPE a gauge\na ${value}\n# EOF\n`))).toEqual({
    problems: [expect.stringMatching(/^line 2 /u)],
  });
});

test("labels of metrics may have any characters, escaped", () => {
  const body = Buffer.from(
    '# TYPE a gauge\na{b="x, y=\\"z\\" } \\\\ \\n",c=""} -1.5e3\na 0\n# EOF\n',
  );
  expect(readMetrics(body)).toEqual({
    problems: [],
    data: [
      {
        name: "a",
        labels: new Map([
          ["b", 'x, y=\\"z\\" } \\\\ \\n'],
          ["c", ""],
        ]),
        value: -1_500,
      },
      { name: "a", labels: new Map(), value: 0 },
    ],
  });
});
