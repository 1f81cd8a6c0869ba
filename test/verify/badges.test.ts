import { expect, test } from "vitest";
import { BADGE_ROWS } from "./rows/badge-rows.ts";
import { checkWith, idsOf, seenOf } from "./check.ts";
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
