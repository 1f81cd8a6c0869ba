import { describe, expect, test } from "vitest";
import { checkPaths } from "../../src/verify/api/refusals.ts";
import { checkWith, problemsOf, seenOf } from "./check.ts";
import { clientOf } from "./client-of.ts";
import type { Corrupt } from "./good-deployment.ts";
import {
  become,
  editEntry,
  editJson,
  isDetail,
  isList,
  isMissing,
  replaceServices,
  setHeader,
  when,
} from "./rows/corrupt.ts";
import { at } from "./rows/front-rows.ts";

/** What is wrong with a deployment, a line each. */
async function problemsWith(corrupt: Corrupt, onSettle?: () => void): Promise<readonly string[]> {
  const settling = onSettle === undefined ? {} : { onSettle };
  return problemsOf(await checkWith(corrupt, { badgeId: undefined, ...settling })).split("\n");
}

describe("an entry of the list", () => {
  test("without a slug is named by its place", async () => {
    const problems = await problemsWith(editEntry((one) => delete one["slug"]));
    expect(problems).toContain("list.entries: entry 1: slug is missing");
    expect(problems.filter((one) => one.startsWith("list."))).toHaveLength(1);
  });

  test("whose slugs are numbers, are counted as repeated by their values", async () => {
    const problems = await problemsWith(
      replaceServices((one, two, three) => [{ ...one, slug: 7 }, { ...two, slug: 7 }, three]),
    );
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^list\.slugs: entry 1: slug is 7, not /u),
        expect.stringMatching(/^list\.slugs: entry 2: slug is 7, not /u),
        "list.slugs: 7 occurs more than once",
      ]),
    );
  });

  test("without a colour has no pair that could be wrong", async () => {
    const problems = await problemsWith(editEntry((one) => delete one["color"]));
    expect(problems.filter((one) => one.startsWith("list."))).toEqual([
      "list.entries: sberbank: color is missing",
    ]);
  });
});

test("details keep their problems if the list cannot be read again", async () => {
  let isGone = false;
  const rename = editJson(isDetail, (one) => (one["name"] = "Сбер"));
  const problems = await problemsWith(
    (answer) => {
      rename(answer);
      if (isGone && isList(answer)) become(503)(answer);
    },
    () => (isGone = true),
  );
  const [about, ...others] = problems.filter((one) => one.startsWith("detail.agrees"));
  expect([about, others]).toEqual([expect.stringContaining("Сбер"), []]);
});

describe("documents that say the same as the list", () => {
  const METRICS = "/metrics";
  const SUMMARY = "/api/v2/summary.json";
  const isAgreement = (one: string): boolean => one.startsWith("data.agrees");
  const rename = at(METRICS, (answer) => {
    answer.body = answer.body.replaceAll('"telegram"', '"viber"');
  });

  test("keep their problems if one of them cannot be read again", async () => {
    const once = (await problemsWith(rename)).filter(isAgreement);
    expect(once).toEqual(
      expect.arrayContaining([
        "data.agrees: viber is not in the list",
        'data.agrees: telegram is "fail" in the list, absent in the metrics',
      ]),
    );
    let isGone = false;
    const problems = await problemsWith(
      (answer) => {
        if (!isGone) rename(answer);
        else at(SUMMARY, become(503))(answer);
      },
      () => (isGone = true),
    );
    expect(problems.filter(isAgreement)).toEqual(once);
  });

  test.each([SUMMARY, "/api/v2/components.json", METRICS])(
    "are compared without %s, if it is not there",
    async (target) => {
      const report = await checkWith(at(target, become(404)), { badgeId: undefined });
      expect(problemsOf(report)).not.toContain("data.agrees");
      expect(seenOf(report, "data.agrees")).not.toContain(target);
    },
  );
});

test("a file of the archive without headers has none of them", async () => {
  const isFile = (answer: Parameters<Corrupt>[0]): boolean =>
    answer.target.startsWith("/archive/v1/2") && answer.target.endsWith("checks.parquet");
  const problems = await problemsWith(
    when(isFile, (answer) => {
      setHeader("Cache-Control")(answer);
      setHeader("Content-Type")(answer);
    }),
  );
  expect(problems).toEqual([
    expect.stringMatching(/^data\.archive: .*checks\.parquet: Cache-Control is absent$/u),
    expect.stringMatching(/^data\.archive: .*checks\.parquet: Content-Type is absent, not /u),
  ]);
});

test("a 404 whose bytes are not UTF-8 is not JSON", async () => {
  const isDocument = (answer: Parameters<Corrupt>[0]): boolean =>
    isMissing(answer) && !answer.target.endsWith(".svg");
  const corrupt = when(isDocument, (one) => Object.assign(one, { body: "ÿ", encoding: "latin1" }));
  const problems = await problemsWith(corrupt);
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^missing\.body: GET \S+.*: not JSON$/u);
});

test.each([
  ["sberbank", "/API/V1/STATUS /api/v1/Status /api/v1/status/SBERBANK"],
  ["2-4", "/API/V1/STATUS /api/v1/Status"],
])("the upper case of %s is asked for only if it has one", async (slug, targets) => {
  const found = await checkPaths(
    clientOf(() => ({ status: 404 })),
    slug,
  );
  const byId = new Map(found.map(({ id, seen }) => [id, seen]));
  expect(byId.get("path.upper-case")).toBe(targets);
  expect(byId.get("path.suffix")).toBe(
    `/api/v1/status.json /api/v1/status/${slug}.json /api/v1/status/index.json`,
  );
});
