import { expect, test } from "vitest";
import { NO_ACCURACY } from "../../../src/model/service/accuracy.ts";
import { METHOD_CHANGES, METHOD_VERSION } from "../../../src/model/service/method.ts";
import { buildAccuracy, reportAccuracy } from "../../../src/open-data/accuracy/report.ts";
import { buildOpenApi } from "../../../src/site/openapi/openapi.ts";
import { validatorsOf } from "../../site/schemas.ts";
import { ADDRESS } from "../../site/site-fixture.ts";
import { at, TRUTH, TWO_MONTHS } from "./sample-ledger.ts";

const validate = validatorsOf(JSON.parse(buildOpenApi(ADDRESS)))("Accuracy");

function contentOf(...input: Parameters<typeof reportAccuracy>) {
  const { body } = buildAccuracy(reportAccuracy(...input));
  return JSON.parse(new TextDecoder().decode(body));
}

test("the document is as its schema says, with nothing in it and with everything", () => {
  for (const content of [contentOf(NO_ACCURACY, []), contentOf(TWO_MONTHS, TRUTH)]) {
    validate(content);
    expect(validate.errors).toBeNull();
  }
  validate({ ...contentOf(NO_ACCURACY, []), months: [{}] });
  expect(validate.errors).not.toBeNull();
});

test("with nothing in it, it says so by nulls and empty lists", () => {
  expect(contentOf(NO_ACCURACY, [])).toEqual({
    license: "CC-BY-4.0",
    method: METHOD_VERSION,
    methodChanges: METHOD_CHANGES,
    since: null,
    until: 0,
    truthEntries: 0,
    months: [],
  });
});

test("each number has the size of its sample", () => {
  const { until, months } = contentOf(TWO_MONTHS, TRUTH);
  expect(until).toBe(at("2026-11-21T00:00") / 1_000);
  expect(months[1]).toEqual({
    month: "2026-10",
    runs: 8_915,
    outages: {
      told: 3,
      short: 2,
      shortReported: 1,
      shortLookedAtElsewhere: 0,
      shortSeenElsewhere: 0,
    },
    false: { suspected: 1, confirmed: 0 },
    right: { confirmed: 1 },
    late: { surged: 1, suspected: 1 },
    missed: { truthOutages: 1, missed: 0 },
    delay: {
      byTruth: { count: 1, median: 1_200, p90: 1_200 },
      byReports: { count: 1, median: 900, p90: 900 },
    },
    congestedRuns: 0,
    noneMinutes: { services: 6_120, runner: 70 },
    controls: { compared: 0, onlyMoscow: 0, onlyAbroad: 0 },
  });
});

test("the version of the method is the date of its newest change", () => {
  const dates = METHOD_CHANGES.map(({ date }) => date);
  expect(METHOD_VERSION).toBe(dates.toSorted().at(-1));
  expect(new Set(dates).size).toBe(dates.length);
});
