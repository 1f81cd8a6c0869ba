import { expect, test } from "vitest";
import { BADGE_ROWS } from "./rows/badge-rows.ts";
import { checkBadges } from "../../src/verify/badges/badge.ts";
import { drawBadges } from "./good-badges.ts";
import { clientOf } from "./client-of.ts";
import { checkWith, idsOf, problemsOf, seenOf } from "./check.ts";
import { BADGE, become, isBadge, when } from "./rows/corrupt.ts";
import { at } from "./rows/front-rows.ts";
import type { Corrupt } from "./good-deployment.ts";
import { testRows } from "./rows.ts";

testRows(BADGE_ROWS, true);

/** Replaces the label in SVG and JSON alike. */
function say(label: string, escaped: string): Corrupt {
  return (answer) => {
    const isJson = answer.target.endsWith("badge.json");
    if (answer.status === 200 && (isJson || isBadge(answer))) {
      answer.body = answer.body.replaceAll("аптайм", () =>
        isJson ? JSON.stringify(label).slice(1, -1) : escaped,
      );
    }
  };
}

test.each([
  ["uptime: of «us»", "uptime: of «us»"],
  ['</svg><script>"&', "&lt;/svg&gt;&lt;script&gt;&quot;&amp;"],
  [" onload=1 href=//a", " onload=1 href=//a"],
  ["javascript:1 url(//a) @import", "javascript:1 url(//a) @import"],
  ["аптайм 😀", "аптайм &#x1F600;"],
])("an escaped label may have any characters: %s", async (label, escaped) => {
  const report = await checkWith(say(label, escaped));
  expect(idsOf(report, "fail")).toEqual([]);
});

test("an XML declaration, comments, local references and fractions of pixels pass", async () => {
  const report = await checkWith(
    when(isBadge, (answer) => {
      const body = answer.body
        .replace('width="90"', "width='89.6px'")
        .replace(
          "<text>",
          '<!-- a - b --><defs xmlns:x="y"><x:g id="a"/></defs><path fill="url(#a)"/><use href="#a"/><style><![CDATA[a>b{}]]></style><text>',
        );
      answer.body = `<?xml version="1.0" encoding="UTF-8"?>\n<!--x-->${body}\n`;
    }),
  );
  expect(idsOf(report, "fail")).toEqual([]);
});

test("a publish between the reads of SVG and JSON is not a disagreement", async () => {
  let reads = 0;
  const report = await checkWith(
    when(isBadge, (answer) => {
      // Responses with an Origin are not compared.
      if (answer.method !== "GET" || "origin" in answer.request.headers) return;
      reads += 1;
      if (reads === 1) answer.body = answer.body.replaceAll("99.98%", "99.97%");
    }),
  );
  expect(report.checks.find(({ id }) => id === "badge.agrees")).toMatchObject({
    result: "pass",
    warnings: ["they agreed only when they were read again"],
  });
  expect(idsOf(report, "fail")).toEqual([]);
});

test("a missing badge.svg fails one check and skips the comparison", async () => {
  const report = await checkWith(at(BADGE, become(404)));
  expect(idsOf(report, "fail")).toEqual(["badge.reachable"]);
  const skipped = idsOf(report, "skip").filter((id) => !id.startsWith("site."));
  expect(skipped).toEqual(["rate-limit", "badge.agrees"]);
  expect(seenOf(report, "badge.agrees")).toBe("badge.svg or the others could not be read");
});

test("without the only badge of a type its check is skipped", async () => {
  const report = await checkWith(at("/api/m/my-shop/badge.png", become(404)));
  expect(seenOf(report, "badge.png")).toBe("no badge of this type could be read");
});

test("a private monitor fails one check", async () => {
  const report = await checkWith(
    when(({ target }) => target.startsWith("/api/m/my-shop/"), become(404)),
  );
  expect(idsOf(report, "fail")).toEqual(["badge.reachable"]);
});

test.each([4000, 100_000])("an SVG nested %i deep fails one check", async (depth) => {
  const report = await checkWith(
    when(isBadge, (answer) => {
      answer.body = answer.body.replace(
        "<text>",
        `${"<g>".repeat(depth)}<script/>${"</g>".repeat(depth)}<text>`,
      );
    }),
  );
  expect(idsOf(report, "fail")).toEqual(["badge.svg"]);
});

test.each([
  ["my-shop", " /api/m/MY-SHOP/badge.svg"],
  ["My-Shop1", " /api/m/mY-sHOP1/badge.svg"],
  ["42_7", ""],
])("the id %s may not lead to its badge in the other case", async (id, other) => {
  const badges = new Map(
    Object.entries(drawBadges("100%")).map(([name, body]) => [`/api/m/${id}/${name}`, body]),
  );
  const client = clientOf(({ target }) => {
    const body = badges.get(target);
    return body === undefined ? { status: 404 } : { body };
  });
  const settling = { settleWaitsMs: [], signal: new AbortController().signal };
  const found = await checkBadges(client, id, settling);
  const names = ["badge-30d.svg", "badge-24h.png", "badge-24h.json", "badge"];
  expect(found.find((one) => one.id === "badge.others")).toMatchObject({
    result: "pass",
    seen: names.map((name) => `/api/m/${id}/${name}`).join(" ") + other,
  });
});

test("a badge without a label has its message alone as its title", async () => {
  const empty =
    (title: string): Corrupt =>
    (answer) => {
      if (!answer.target.startsWith("/api/m/my-shop/") || answer.status !== 200) return;
      answer.body = answer.body
        .replace('"label":"аптайм"', '"label":""')
        .replace(/(?<=<title>)аптайм: (?=99)/u, title);
    };
  expect(problemsOf(await checkWith(empty("")))).not.toContain("badge.agrees");
  expect(problemsOf(await checkWith(empty(": ")))).toContain(
    'badge.agrees: the title of badge.svg is ": 99.98%", badge.json says "99.98%"',
  );
});

test("variants of badges are not checked if none of each type is there", async () => {
  const isOfType = /\/badge\.(?:svg|png|json)$/u;
  const report = await checkWith(when(({ target }) => isOfType.test(target), become(404)));
  for (const id of ["badge.head", "badge.conditional"] as const)
    expect(report.checks.find((one) => one.id === id)).toMatchObject({ result: "skip", seen: "" });
});
