import { expect, test } from "vitest";
import * as z from "zod";
import { isFull } from "../depth.ts";
import { COUNT, DATE, exact, itemsOf, TEXT, TIME } from "../../src/contract/parts.ts";
import { findSchemaProblems, parseObject } from "../../src/verify/api/json-document.ts";
import { checkWith, idsOf, problemsOf, seenOf } from "./check.ts";
import {
  editJson,
  isDetail,
  isList,
  replaceJson,
  replaceServices,
  servicesOf,
} from "./rows/corrupt.ts";
import type { Corrupt } from "./good-deployment.ts";
import { DOCUMENT_ROWS } from "./rows/document-rows.ts";
import { testRows } from "./rows.ts";

testRows(DOCUMENT_ROWS, isFull);

test("a publish between the reads of list and details is not a disagreement", async () => {
  let reads = 0;
  const report = await checkWith(
    editJson(isDetail, (document) => {
      reads += 1;
      if (reads <= 2) Object.assign(document, { code: "slow", color: "warn" });
    }),
  );
  const agrees = report.checks.find(({ id }) => id === "detail.agrees");
  expect(agrees).toMatchObject({
    result: "pass",
    warnings: ["they agreed only when they were read again"],
  });
});

test("services that are not a list skip the checks of entries", async () => {
  const report = await checkWith(replaceServices((...all) => ({ ...all })));
  const ids = ["list.entries", "list.slugs", "list.pairs", "list.live"] as const;
  for (const id of ids) expect(seenOf(report, id)).toBe("services is not a list");
});

test("a list without services says so", async () => {
  const report = await checkWith(editJson(isList, (list) => delete list["services"]));
  expect(problemsOf(report).split("\n")).toEqual([
    "list.fields: services is missing",
    "list.count: services is absent, not a list",
  ]);
});

test("a service that leaves the list before the second read is a problem", async () => {
  let hasLeft = false;
  const rename = editJson(isDetail, (document) => (document["name"] = "Сбер"));
  const leave = replaceServices((first, ...others) => (hasLeft ? others : [first, ...others]));
  const corrupt: Corrupt = (answer) => [rename, leave].forEach((one) => one(answer));
  const report = await checkWith(corrupt, { onSettle: () => (hasLeft = true) });
  expect(problemsOf(report).split("\n")).toContain(
    "detail.agrees: sberbank: GET /api/v1/status/sberbank: HTTP 200, but it is not in the list",
  );
});

test("a detail that a cache may keep for a minute is read again after that", async () => {
  let isFresh = false;
  const waits: number[] = [];
  const report = await checkWith(
    editJson(isDetail, (document) => {
      if (!isFresh) Object.assign(document, { code: "slow", color: "warn" });
    }),
    {
      settleWaitsMs: [0, 5],
      onSettle: (id, waitMs) => {
        expect(id).toBe("detail.agrees");
        waits.push(waitMs);
        isFresh = waitMs > 0;
      },
    },
  );
  expect(waits).toEqual([0, 5]);
  expect(idsOf(report, "fail")).toEqual([]);
});

test("the order of fields does not matter", async () => {
  const reverse = (value: object): object => Object.fromEntries(Object.entries(value).toReversed());
  const list = replaceJson(isList, (document) =>
    reverse({ ...document, services: servicesOf(document).map(reverse) }),
  );
  const detail = replaceJson(isDetail, reverse);
  const report = await checkWith((answer) => {
    list(answer);
    detail(answer);
  });
  expect(idsOf(report, "fail")).toEqual([]);
});

test("the expected number of services and the maximum age can be set", async () => {
  const report = await checkWith(undefined, { expectedServices: 85, maxAgeMs: 60_000 });
  expect(idsOf(report, "fail")).toEqual(["list.fresh", "list.count"]);
});

test("a document of more than a million values is refused", () => {
  const body = Buffer.from(`{"services":[${"1,".repeat(1_000_000)}1]}`);
  expect(parseObject(body)).toEqual({ problems: ["it has more than 1000000 values"] });
});

test("a schema names the path of a wrong value, and lists at most 100 problems", () => {
  const schema = exact("", {
    days: itemsOf(exact("", { date: DATE, size: exact("", { px: COUNT, at: TIME.nullable() }) })),
    kind: z.enum(["a", "b"]),
    texts: z.array(TEXT).max(1),
    form: z.string().regex(/^a$/u),
    few: z.array(TEXT).min(1),
    least: z.number().min(5),
    most: z.number().max(5),
    near: exact("", { px: COUNT.nullable() }).nullable(),
  });
  const days = [{ date: 1, size: { px: -1, at: 1e12, y: 1 } }, "x", { date: "2026-02-30" }];
  const problems = findSchemaProblems(schema, {
    days,
    kind: "c",
    texts: ["x", "y"],
    form: "b",
    few: [],
    least: 4,
    most: 6,
    near: { px: -1 },
    more: 1,
  });
  expect(problems.map(({ text }) => text).toSorted()).toEqual([
    "days 1: date is 1, not YYYY-MM-DD",
    "days 1: size.at is 1000000000000, not whole Unix seconds or null",
    "days 1: size.px is -1, not a whole number from 0",
    "days 1: size.y is not a field",
    'days 2 is "x", not an object',
    'days 3: date is "2026-02-30", not YYYY-MM-DD',
    "days 3: size is missing",
    "few is [], not at least 1 entries",
    'form is "b", not a text of the form /^a$/u',
    'kind is "c", not one of a, b',
    "least is 4, not at least 5",
    "more is not a field",
    "most is 6, not at most 5",
    "near.px is -1, not a whole number from 0 or null",
    'texts is ["x","y"], not at most 1 entries',
  ]);
  expect(problems.filter(({ isField }) => isField).map(({ field, text }) => [field, text])).toEqual(
    [
      ["days", "days 1: size.y is not a field"],
      ["days", "days 3: size is missing"],
      ["more", "more is not a field"],
    ],
  );
  const good = { texts: [], form: "a", few: ["a"], least: 5, most: 5, near: null };
  const many = { ...good, days: Array.from({ length: 200 }, () => 1), kind: "a" };
  expect(findSchemaProblems(schema, { ...many, days: [] })).toEqual([]);
  expect(findSchemaProblems(schema, many)).toHaveLength(100);
});
