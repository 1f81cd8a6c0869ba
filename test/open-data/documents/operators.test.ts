import { expect, test } from "vitest";
import type { OperatorSum } from "../../../src/model/service/reports.ts";
import { buildOperators } from "../../../src/open-data/documents/operators.ts";

const sum: OperatorSum = {
  operator: "mts",
  hour: 20,
  day: 30,
  percent: 100,
  usual: undefined,
  isUnusual: false,
};

test("a service is listed from its first operator on", () => {
  const ofServices = new Map([
    ["alpha", { operators: [], unusual: undefined }],
    ["beta", { operators: [sum], unusual: undefined }],
  ]);
  const { attribution, services } = JSON.parse(
    Buffer.from(buildOperators(ofServices).body).toString(),
  );
  expect(attribution).toBe(
    "DB-IP (https://db-ip.com) and RouteViews (https://www.routeviews.org), CC BY 4.0",
  );
  expect(services).toEqual([
    {
      slug: "beta",
      unusual: null,
      operators: [
        {
          operator: "mts",
          reportsHour: 20,
          reportsDay: 30,
          share: 100,
          usual: null,
          usualOf: null,
          unusual: false,
        },
      ],
    },
  ]);
});
