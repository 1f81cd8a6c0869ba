import { describe, expect, test } from "vitest";
import { settle, skipGroup } from "../../src/verify/finding.ts";
import type { ReceivedAnswer } from "../../src/verify/http/client.ts";
import {
  checkListFreshness,
  findFuture,
  isInFuture,
  readClock,
} from "../../src/verify/http/freshness.ts";
import { checkHeaders } from "../../src/verify/http/headers.ts";
import {
  findOrderProblems,
  findInEach,
  parseObject,
  show,
} from "../../src/verify/api/json-document.ts";
import { readBadge } from "../../src/verify/badges/read-badge.ts";
import { readMetrics } from "../../src/verify/data/metrics.ts";
import { checkPolicy } from "../../src/verify/site/site-pages.ts";
import { checkList, readList } from "../../src/verify/api/list.ts";
import { parseXml } from "../../src/verify/site/parse-xml.ts";
import { drawBadges } from "./good-badges.ts";

const NOW_S = 1_800_000_000;
const NOW_MS = NOW_S * 1_000;
const CLOCK = { nowMs: NOW_MS, source: "server", aheadMs: 0 } as const;

function answerOf(headers: Readonly<Record<string, string>>): ReceivedAnswer {
  const lines = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
  const ask = { method: "GET", target: "/x" } as const;
  return { kind: "answer", ask, status: 200, headers: new Map(lines), body: Buffer.from("{}") };
}

describe("the age of the list", () => {
  test.each([
    [900, [], "900 s old"],
    [901, ["updated is 901 s old, the limit is 900 s"], "901 s old"],
    [0, [], "0 s old"],
    [-60, [], "just now"],
    [-61, ["updated is 61 s in the future"], "just now"],
  ])("may be from a minute in the future to its limit: %i s", (ageS, problems, seen) => {
    const found = checkListFreshness({ updated: NOW_S - ageS }, CLOCK, 900_000);
    expect(found).toMatchObject({ id: "list.fresh", problems, seen, warnings: [] });
  });

  test.each([
    [60_000, undefined],
    [60_001, "the clock of the server is 60 s ahead of the one of this machine"],
    [-60_000, undefined],
    [-61_000, "the clock of the server is 61 s behind the one of this machine"],
  ])("is told with the difference of clocks, above a minute: %i ms", (aheadMs, warning) => {
    const { warnings } = checkListFreshness({ updated: NOW_S }, { ...CLOCK, aheadMs }, 900_000);
    expect(warnings).toEqual(warning === undefined ? [] : [warning]);
  });

  test("is skipped without a time", () => {
    for (const list of [undefined, {}, { updated: "x" }])
      expect(checkListFreshness(list, CLOCK, 900_000)).toMatchObject({
        result: "skip",
        seen: "`updated` could not be read",
      });
  });
});

test("the clock is that of the server, or of this machine without a Date", () => {
  const date = new Date(NOW_MS + 5_000).toUTCString();
  expect(readClock(answerOf({ date }), NOW_MS)).toEqual({
    nowMs: NOW_MS + 5_000,
    source: "server",
    aheadMs: 5_000,
  });
  const local = { nowMs: NOW_MS, source: "local", aheadMs: 0 } as const;
  expect([undefined, answerOf({})].map((one) => readClock(one, NOW_MS))).toEqual([local, local]);
  const trouble = { kind: "trouble", ask: { method: "GET", target: "/x" }, code: "EPIPE" } as const;
  expect(readClock(trouble, NOW_MS)).toEqual(local);
  expect(checkListFreshness({ updated: NOW_S }, local, 900_000).warnings).toEqual([
    "no Date header: the age is computed with the clock of this machine",
  ]);
});

test("a time is in the future if it is more than a minute ahead", () => {
  expect([NOW_S + 60, NOW_S + 61].map((at) => isInFuture(at, CLOCK))).toEqual([false, true]);
  expect(findFuture("at", NOW_S + 61, CLOCK)).toEqual([`at is ${NOW_S + 61}, 61 s in the future`]);
});

describe("the headers of open data", () => {
  const GOOD = {
    "access-control-allow-origin": "*",
    "cache-control": "max-age=60",
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
  };
  const problemsWith = (headers: Readonly<Record<string, string>>) =>
    checkHeaders("data", [answerOf({ ...GOOD, ...headers })]).flatMap(({ id, problems }) =>
      problems.map((problem) => `${id} ${problem.replace("GET /x: ", "")}`),
    );
  const date = new Date(NOW_MS).toUTCString();
  const expiresAfter = (seconds: number) => ({
    date,
    expires: new Date(NOW_MS + seconds * 1_000).toUTCString(),
  });

  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    ["are right", {}, []],
    ["may name the encoding in quotes", { "content-type": 'Application/JSON;charset="UTF-8"' }, []],
    ["may be kept for 60 s by shared caches", { "cache-control": "max-age=60, s-maxage=60" }, []],
    [
      "may not be kept for 61 s",
      { "cache-control": "max-age=60, s-maxage=61" },
      ["data.ttl s-maxage=61 is above 60 s"],
    ],
    ["may be a minute old", { age: "60" }, []],
    ["may not be older", { age: "61" }, ["data.ttl a cache has kept it for 61 s (Age)"]],
    ["have an age in whole seconds", { age: "x" }, ["data.ttl a cache has kept it for x s (Age)"]],
    ["may expire after a minute", expiresAfter(60), []],
    ["may not expire later", expiresAfter(61), ["data.ttl Expires is 61 s after Date"]],
    ["may have expired", { date, expires: "0" }, []],
    [
      "forbid no cache",
      { "cache-control": "max-age=60, private" },
      ["data.cache Cache-Control is max-age=60, private, not max-age=60"],
    ],
    [
      "have exactly a minute",
      { "cache-control": "max-age=59" },
      ["data.cache Cache-Control is max-age=59, not max-age=60"],
    ],
    [
      "forbid the guess of types",
      { "x-content-type-options": "sniff" },
      ["data.nosniff X-Content-Type-Options is sniff, not nosniff"],
    ],
    ["forbid it in any case", { "x-content-type-options": "NoSniff" }, []],
    [
      "have the type of JSON",
      { "content-type": "text/html" },
      ["data.type Content-Type is text/html, not application/json; charset=utf-8"],
    ],
  ])("%s", (_what, headers, problems) => {
    expect(problemsWith(headers)).toEqual(problems);
  });
});

test("a website over TLS without Strict-Transport-Security has a warning", () => {
  const warningsAt = (base: string) => checkPolicy(base, [answerOf({})]).warnings;
  expect(warningsAt("http://a.example")).toEqual([]);
  expect(warningsAt("https://a.example")).toEqual([
    "no Strict-Transport-Security: an attacker can redirect a first visit by http://",
  ]);
});

describe("documents that disagree", () => {
  const signal = new AbortController().signal;

  test("are read again after each wait until they agree, which is a warning", async () => {
    const answers = [["b"], undefined, []];
    const waits: number[] = [];
    const settling = {
      settleWaitsMs: [0, 1, 2, 3],
      onSettle: (_id: string, waitMs: number) => void waits.push(waitMs),
      signal,
    };
    const found = await settle("data.agrees", "seen", settling, ["a"], () =>
      Promise.resolve(answers.shift()),
    );
    expect(found).toEqual({
      id: "data.agrees",
      result: "pass",
      seen: "seen",
      problems: [],
      warnings: ["they agreed only when they were read again"],
    });
    expect(waits).toEqual([0, 1, 2]);
  });

  test("that cannot be read again keep their last problems", async () => {
    const found = await settle("data.agrees", "", { settleWaitsMs: [0], signal }, ["a"], () =>
      Promise.resolve(undefined),
    );
    expect(found).toMatchObject({ result: "fail", problems: ["a"], warnings: [] });
  });

  test("are not read again after a stop, nor if they agree", async () => {
    let reads = 0;
    const read = (): Promise<readonly string[]> => Promise.resolve([`${(reads += 1)}`]);
    const stopped = { settleWaitsMs: [0], signal: AbortSignal.abort() };
    expect((await settle("data.agrees", "", stopped, ["a"], read)).problems).toEqual(["a"]);
    const agreed = await settle("data.agrees", "", { settleWaitsMs: [0], signal }, [], read);
    expect(agreed).toMatchObject({ result: "pass", warnings: [] });
    expect(reads).toBe(0);
  });
});

test("a group is skipped with all of its checks, and no others", () => {
  const ids = skipGroup("list", "why").map(({ id, result, seen }) => [id, result, seen]);
  expect(ids.length).toBeGreaterThan(10);
  expect(
    ids.every(
      ([id, result, seen]) => id?.startsWith("list.") && result === "skip" && seen === "why",
    ),
  ).toBe(true);
});

describe("JSON", () => {
  const nested = (depth: number): Buffer =>
    Buffer.from(`{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`);

  test("may be nested 100 deep", () => {
    expect(parseObject(nested(101)).problems).toEqual([]);
    expect(parseObject(nested(102)).problems).toEqual(["it is nested deeper than 100"]);
  });

  test.each([
    ["[]", "[] is not an object"],
    ["null", "null is not an object"],
    ["{", "{ is not JSON"],
    ["\u{FEFF}{}", "\u{FEFF}{} is not JSON"],
    [`"${"x".repeat(58)}"`, `"${"x".repeat(58)}" is not an object`],
    [`"${"x".repeat(59)}"`, `"${"x".repeat(56)}... is not an object`],
  ])("that is %s is refused", (text, problem) => {
    expect(parseObject(Buffer.from(text))).toEqual({ problems: [problem] });
  });

  test("has to be UTF-8", () => {
    expect(parseObject(Buffer.from([0x7b, 0xff]))).toEqual({
      problems: ["the bytes are not UTF-8"],
    });
    expect(show(undefined)).toBe("absent");
  });
});

test("a slug that is a list is one wrong slug, and no repeated one", () => {
  const body = Buffer.from(JSON.stringify({ updated: 1, services: [{ slug: ["vtb", "vtb"] }] }));
  const ask = { method: "GET", target: "/api/v1/status" } as const;
  const answer: ReceivedAnswer = { kind: "answer", ask, status: 200, headers: new Map(), body };
  const found = checkList([answer], readList(answer), 1).find(({ id }) => id === "list.slugs");
  expect(found?.problems).toEqual([expect.stringContaining("slug is")]);
});

test("dates are the newest first, each once", () => {
  expect(findOrderProblems(["2026-11", "2026-10"])).toEqual([]);
  expect(findOrderProblems(["2026-10", "2026-11"])).toEqual(['"2026-11" follows "2026-10"']);
  expect(findOrderProblems(["2026-10", "2026-10"])).toEqual(['"2026-10" follows "2026-10"']);
});

test("entries are named from 1, until there are a hundred problems", () => {
  const list = Array.from({ length: 200 }, (_, at) => at);
  const found = findInEach("days", list, (at) => (at % 2 === 0 ? [] : ["odd", "wrong"]));
  expect(found.slice(0, 3)).toEqual(["days 2: odd", "days 2: wrong", "days 4: odd"]);
  expect(found).toHaveLength(100);
});

describe("a badge in SVG", () => {
  const svgOf = (attributes: string, inner = ""): Buffer =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`);
  const problemsIn = (inner: string): readonly string[] =>
    readBadge("badge.svg", svgOf('width="90" height="20"', inner)).problems;

  test.each([
    ["<script/>", ["has a <script>"]],
    ["<foreignObject/><ForeignObject/>", ["has a <foreignobject>"]],
    [
      "<iframe/><object/><embed/><handler/>",
      ["iframe", "object", "embed", "handler"].map((one) => `has a <${one}>`).toReversed(),
    ],
    ['<g onclick="1"/>', ["has an event handler"]],
    ['<g on="1" on-x="2"/>', []],
    ['<g aria-label="javascript:1"/>', []],
    ['<a href=" java&#10;script:1"/>', ["has a javascript: address"]],
    ['<image href="data:image/png;base64,x"/><use href="#a"/>', []],
    ['<image href="data:image/svg+xml,x"/>', ["loads something from elsewhere"]],
    ['<image src="/x.png"/>', ["loads something from elsewhere"]],
    ['<g style="fill:url(#a)" fill="url( \'#b\')"/>', []],
    ['<g style="fill:url(a)"/>', ["loads something from elsewhere"]],
    ["<style>@import 'x'</style>", ["loads something from elsewhere"]],
    ["<text>@import url(x)</text>", []],
  ])("with %s has these problems: %j", (inner, problems) => {
    expect(problemsIn(inner)).toEqual(problems);
  });

  test.each([
    ['width="90" height="20"', [90, 20]],
    ['width="89.5px" height="20px"', [89.5, 20]],
    ['width="90"', undefined],
    ['width="90em" height="20"', undefined],
    ['width="90." height="20"', undefined],
  ])("of %s has the size %j", (attributes, size) => {
    const { svg, problems } = readBadge("badge.svg", svgOf(attributes));
    expect(svg?.size).toEqual(size);
    const wanted = size === undefined ? ["it has no width and height in pixels"] : [];
    expect(problems).toEqual(wanted);
  });
});

test("a badge in PNG has a signature, a header and an end", () => {
  const png = drawBadges("100%")["badge.png"] ?? Buffer.alloc(0);
  expect(readBadge("badge.png", png)).toEqual({ problems: [], pngSize: [180, 40] });
  const at = (index: number, byte: number): Buffer => {
    const copy = Buffer.from(png);
    copy[index] = byte;
    return copy;
  };
  const problemOf = (body: Buffer) => readBadge("badge.png", body).problems;
  expect(problemOf(at(0, 0))).toEqual(["it does not begin with the PNG signature"]);
  expect(problemOf(at(12, 0))).toEqual(["it has no header"]);
  expect(problemOf(png.subarray(0, 28))).toEqual(["it has no header"]);
  expect(problemOf(png.subarray(0, 29))).toEqual(["its end is missing"]);
  expect(problemOf(at(png.length - 1, 0))).toEqual(["its end is missing"]);
});

describe("metrics", () => {
  const problemsIn = (text: string): readonly string[] => readMetrics(Buffer.from(text)).problems;

  test.each([
    [
      "a line without a type before it",
      "a 1\n# EOF\n",
      ["a has lines that do not follow its type"],
    ],
    [
      "a family in two places",
      "# TYPE a gauge\n# TYPE b gauge\nb 1\na 1\n# EOF\n",
      ["a has lines that do not follow its type"],
    ],
    ["another type", "# TYPE a counter\n# EOF\n", ["line 1 has the type counter, not gauge"]],
    ["a type twice", "# TYPE a gauge\n# TYPE a gauge\n# EOF\n", ["# TYPE a is there twice"]],
    [
      "a series twice",
      '# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n# EOF\n',
      ['a{b="1",c="2"} is there twice'],
    ],
    [
      "a label twice",
      '# TYPE a gauge\na{b="1",b="1"} 1\n# EOF\n',
      ['line 2 is "a{b=\\"1\\",b=\\"1\\"} 1"'],
    ],
    [
      "a comma at the end of labels",
      '# TYPE a gauge\na{b="1",} 1\n# EOF\n',
      ['line 2 is "a{b=\\"1\\",} 1"'],
    ],
    ["no end", "# TYPE a gauge\na 1\n", ["it does not end with the line # EOF"]],
  ])("with %s are refused", (_what, text, problems) => {
    expect(problemsIn(text)).toEqual(problems);
  });

  test("may have 2 MiB, and show 80 characters and 100 problems", () => {
    const end = "\n# EOF\n";
    const limit = 2_097_152;
    expect(problemsIn("x".repeat(limit - end.length) + end)).toEqual([
      `line 1 is "${"x".repeat(80)}"`,
    ]);
    expect(problemsIn("x".repeat(limit - end.length + 1) + end)).toEqual([
      "it has 2097153 bytes, more than 2097152",
    ]);
    expect(problemsIn(`${"\n".repeat(200)}# EOF\n`)).toHaveLength(100);
  });
});

test("XML may be nested 5000 deep, without a type or instructions", () => {
  const nested = (depth: number): string => "<g>".repeat(depth) + "</g>".repeat(depth);
  expect(typeof parseXml(nested(5_000))).toBe("object");
  expect(parseXml(nested(5_001))).toBe("its elements are nested deeper than 5000");
  expect(parseXml("<!DOCTYPE a><a/>")).toBe("it has a document type");
  expect(parseXml("<?x y?><a/>")).toBe("it has an instruction, x");
  expect(parseXml("")).toBe("document must contain a root element.");
  expect(parseXml('<a b="&lt;">1<c/>2<![CDATA[<]]></a>')).toEqual({
    name: "a",
    attributes: new Map([["b", "<"]]),
    children: [{ name: "c", attributes: new Map(), children: [], text: "" }],
    text: "12<",
  });
});
