import { expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { checkWith, idsOf } from "./check.ts";
import { editJson, isDetail, isList, replaceJson, servicesOf } from "./rows/corrupt.ts";
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
