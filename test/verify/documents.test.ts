import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../depth.ts";
import { check, idsOf } from "./check.ts";
import { editJson, isDetail, isList, replaceJson, servicesOf } from "./corrupt.ts";
import { DOCUMENT_ROWS } from "./document-rows.ts";
import { deploy } from "./good-deployment.ts";
import { testRows } from "./rows.ts";

testRows(DOCUMENT_ROWS, isFull);

test("a publish between the reads of list and details is not a disagreement", async () => {
  let reads = 0;
  const deployment = await deploy(
    editJson(isDetail, (document) => {
      reads += 1;
      if (reads <= 2) Object.assign(document, { code: "slow", color: "warn" });
    }),
  );
  onTestFinished(() => deployment.close());
  const report = await check(deployment.url);
  const agrees = report.checks.find(({ id }) => id === "detail.agrees");
  expect(agrees).toMatchObject({
    result: "pass",
    warnings: ["they agreed only when they were read again"],
  });
});

test("a detail that a cache may keep for a minute is read again after that", async () => {
  let isFresh = false;
  const waits: number[] = [];
  const deployment = await deploy(
    editJson(isDetail, (document) => {
      if (!isFresh) Object.assign(document, { code: "slow", color: "warn" });
    }),
  );
  onTestFinished(() => deployment.close());
  const report = await check(deployment.url, {
    settleWaitsMs: [0, 5],
    onSettle: (id, waitMs) => {
      expect(id).toBe("detail.agrees");
      waits.push(waitMs);
      isFresh = waitMs > 0;
    },
  });
  expect(waits).toEqual([0, 5]);
  expect(idsOf(report, "fail")).toEqual([]);
});

test("the order of fields does not matter", async () => {
  const reverse = (value: object): object => Object.fromEntries(Object.entries(value).toReversed());
  const list = replaceJson(isList, (document) =>
    reverse({ ...document, services: servicesOf(document).map(reverse) }),
  );
  const detail = replaceJson(isDetail, reverse);
  const deployment = await deploy((answer) => {
    list(answer);
    detail(answer);
  });
  onTestFinished(() => deployment.close());
  expect(idsOf(await check(deployment.url), "fail")).toEqual([]);
});

test("the expected number of services and the maximum age can be set", async () => {
  const deployment = await deploy();
  onTestFinished(() => deployment.close());
  const report = await check(deployment.url, { expectedServices: 85, maxAgeMs: 60_000 });
  expect(idsOf(report, "fail")).toEqual(["list.fresh", "list.count"]);
});
