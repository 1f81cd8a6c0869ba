import { expect, test } from "vitest";
import type { Monitor } from "../../../src/model/monitor/monitor.ts";
import { writeEntries } from "../../../src/monitors/registry/edit.ts";
import { parseMonitors } from "../../../src/monitors/registry/parse-registry.ts";

const RULES = { refusalOfUrl: () => undefined };
const elsewhere = (id: string): string | undefined =>
  id === "blog" ? "belongs into 3f.jsonl; move its line there." : undefined;

test("an id in the wrong place is a problem where it stands, in both formats", () => {
  const lines =
    '{"id":"shop","url":"https://a.example/"}\n{"url":"https://b.example/", "id":"blog"}\n';
  const yaml =
    "monitors:\n- { id: shop, url: https://a.example/ }\n- { url: https://b.example/, id: blog }\n";
  for (const [text, column] of [
    [lines, 35],
    [yaml, 34],
  ] as const) {
    const parsed = parseMonitors(text, RULES, elsewhere);
    expect(parsed.monitors.map(({ id }) => id)).toEqual(["shop"]);
    expect(parsed.rejectedIds).toEqual(["blog"]);
    expect(parsed.problems).toMatchObject([
      { column, message: "belongs into 3f.jsonl; move its line there." },
    ]);
    expect(parsed.problems[0]?.path).toMatch(/(?:^|\.)id$/u);
  }
});

test("an id in the wrong place does not hide the other faults of its entry", () => {
  const text = '{"id":"blog","url":"gopher://a"}\n{"id":"a b","url":"https://a.example/"}';
  const { problems } = parseMonitors(text, RULES, elsewhere);
  expect(problems.map(({ line, path }) => [line, path])).toEqual([
    [1, "id"],
    [1, "url"],
    [2, "id"],
  ]);
});

test("monitors are written in their normal form, without defaults", () => {
  const host = `${"a".repeat(60)}.${"b".repeat(60)}.example`;
  const monitors: readonly Monitor[] = [
    { id: "a", url: "https://a.example/", name: "a.example", isPublic: false },
    { id: "no", url: `https://${host}/`, name: host.slice(0, 120), isPublic: true },
    {
      id: "c",
      url: "https://c.example/",
      name: "Ц",
      isPublic: true,
      expect: [200, 404],
      timeoutMs: 5_000,
      body: " x ",
      label: "ц",
    },
  ];
  expect(writeEntries(monitors, "json-lines")).toBe(
    [
      '{"id":"a","url":"https://a.example/"}',
      `{"id":"no","url":"https://${host}/","public":true}`,
      '{"id":"c","url":"https://c.example/","name":"Ц","public":true,"expect":[200,404],"timeoutMs":5000,"body":" x ","label":"ц"}',
      "",
    ].join("\n"),
  );
  for (const format of ["json-lines", "yaml"] as const)
    expect(parseMonitors(writeEntries(monitors, format), RULES)).toMatchObject({
      monitors,
      problems: [],
    });
});

test("no monitor is an empty registry in both formats", () => {
  for (const format of ["json-lines", "yaml"] as const)
    expect(parseMonitors(writeEntries([], format), RULES)).toMatchObject({
      monitors: [],
      isReadable: true,
    });
});
