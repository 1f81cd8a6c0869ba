import { expect, test } from "vitest";
import type { CheckSubject } from "../../src/verify/checks.ts";
import type { ReceivedAnswer } from "../../src/verify/http/client.ts";
import { checkHeaders } from "../../src/verify/http/headers.ts";

const GOOD = {
  "access-control-allow-origin": "*",
  "cache-control": "max-age=60",
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
};

/** What is wrong with the headers of an answer to a client, without those that are undefined. */
function problemsWith(
  subject: CheckSubject,
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  { target = "/x", body = "{}" } = {},
): readonly string[] {
  const lines = Object.entries({ ...GOOD, ...headers }).flatMap(
    ([name, value]): [string, readonly string[]][] =>
      value === undefined ? [] : [[name, [value]]],
  );
  const answer: ReceivedAnswer = {
    kind: "answer",
    ask: { method: "GET", target },
    status,
    headers: new Map(lines),
    body: Buffer.from(body),
  };
  return checkHeaders(subject, [answer]).flatMap(({ id, problems }) =>
    problems.map((problem) => `${id} ${problem.replace(`GET ${target}: `, "")}`),
  );
}

test("an answer without a type has a problem, unless it is a refusal without a body", () => {
  const none = { "content-type": undefined };
  const problem = "Content-Type is absent, not application/json; charset=utf-8";
  expect(problemsWith("list", 200, none)).toEqual([`list.type ${problem}`]);
  expect(problemsWith("list", 200, none, { body: "" })).toEqual([`list.type ${problem}`]);
  expect(problemsWith("refused", 405, none)).toEqual([`refused.type ${problem}`]);
  expect(problemsWith("refused", 405, none, { body: "" })).toEqual([]);
});

test.each<readonly [string | undefined, boolean]>([
  ["max-age=60", true],
  ["max-age=0", true],
  ["max-age=61", false],
  ["max-age=x", false],
  ["public", false],
  ["no-store", true],
  ["no-cache", true],
  ["private", true],
  [undefined, false],
])("a 404 with Cache-Control %s may be kept as it should: %s", (shown, isGood) => {
  const problem = `Cache-Control is ${shown ?? "absent"}: at most 60 s, and explicit`;
  expect(problemsWith("missing", 404, { "cache-control": shown })).toEqual(
    isGood ? [] : [`missing.cache ${problem}`],
  );
});

test("a refusal needs no Cache-Control", () => {
  expect(problemsWith("refused", 405, { "cache-control": undefined })).toEqual([]);
});

test.each([
  ["data", "/metrics", "OpenMetrics 1.0.0"],
  ["badge", "/api/m/a/badge.svg", "image/svg+xml"],
  ["badge", "/api/m/a/badge.png", "image/png"],
  ["badge", "/api/m/a/badge.json", "application/json; charset=utf-8"],
  ["missing", "/api/m/a/badge.svg", "application/json; charset=utf-8"],
] as const)("the type of %s %s is %s", (subject, target, expected) => {
  const status = subject === "missing" ? 404 : 200;
  expect(problemsWith(subject, status, { "content-type": "text/html" }, { target })).toEqual([
    `${subject}.type Content-Type is text/html, not ${expected}`,
  ]);
});
